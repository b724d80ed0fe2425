#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# OpenMP: the bodies that GCC makes functions of are rows named after where they stand.
. "$SRC/testsuite/forms/forms.sh"
echo '#include <omp.h>
int main(void) { return omp_get_max_threads() < 1; }' >works.c
"$CC" -fopenmp works.c -o works 2>/dev/null || skip "$CC has no OpenMP"
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY

# first_of_both: what alpha should have. Of what the two have: waking threads costs more on a busy machine.
first_of_both() {
    awk "BEGIN { print $(first) / 100 * ($(share alpha.omp) + $(share helper)) }"
}

for level in -O0 -O2 -O3; do
    echo "$level"
    pcc $level -fopenmp "$KERNEL" "$FORMS/omp.c" -o omp
    profile omp
    REFERENCE=first_of_both
    near alpha.omp "$(first_of_both)" first
    REFERENCE=:
    # Nor is the time in the library theirs.
    outside=$(sed -n 's/.* s (\([0-9.]*\) %) in code without ccprof.*/\1/p' table)
    sums "$(awk -v outside="${outside:-0}" 'BEGIN { print 0.93 * (100 - outside) }')" alpha.omp helper
    charged omp "$ALPHA" alpha.omp alpha.omp
    # At -O0 helper is not inlined.
    if [ $level = -O0 ]; then
        charged omp "$BETA" helper
    else
        # A task stands in a parallel region: a body in a body.
        charged omp "$BETA" helper
        cat where
        has where ' < beta\.omp'
    fi
    hasnot table '_omp_fn'
done
