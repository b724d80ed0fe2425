#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# time-field and time-label agree within 3 points for each function, and 3 standard
# deviations of what is left to chance in both runs.
. "$SRC/testsuite/field/field.sh"
export CCPROF=rate=4000

# shares OPTIONS...: builds, runs, and prints the rows: NAME, a tab, PERCENT; SAMPLES last.
shares() {
    pcc -O2 "$@" -o prog -lm
    profile prog
    awk 'NR > 3 && match($0, / +[0-9.]+% +\(/) {
            print substr($0, 1, RSTART - 1) "\t" substr($0, RSTART) + 0
        }' table | sort
}

# agree NAME SOURCE OPTION...
agree() {
    echo "$1"
    shift
    shares "$@" >label
    samples=$(sed -n 's/^samples //p' mlmon.out)
    shares $KIND "$@" >field
    # Tabs do not divide names.
    tab=$(printf '\t')
    join -t "$tab" -a 1 -a 2 -e 0 -o 0,1.2,2.2 label field |
        awk -F '\t' -v n="$samples" '{
            p = ($2 + $3) / 200
            most = 3 + 100 * 3 * sqrt(2 * p * (1 - p) / n)
            if ($3 - $2 > most || $2 - $3 > most) {
                printf "%s: %.1f by label, %.1f by field\n", $1, $2, $3
                bad = 1
            }
        }
        END { exit bad }' || fail "they do not agree"
}

agree "the example" "$KERNEL" "$FORMS/two.c"
agree "calls" "$SRC/testsuite/bench/calls.c"
agree "allocation" "$SRC/testsuite/bench/allocate.c"
agree "vectors" -O3 "$SRC/testsuite/bench/vector.c"
