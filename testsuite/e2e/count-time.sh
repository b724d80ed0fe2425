#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=time,count: both from one run, the calls exact, and what a call costs; also if a
# program of one kind has a shared object of the other.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/count/count.sh"

cat >work.h <<'END'
// Both are inlined; heavy takes three times as long as light.
static inline unsigned mix(unsigned x, int n)
{
    for (int i = 0; i < n; i++)
        x = (x ^ x >> 15) * 0x2c1b3c6d;
    return x;
}
END
cat >work.c <<'END'
#include "work.h"
static unsigned heavy(unsigned x) { return mix(x, 300); }
static unsigned light(unsigned x) { return mix(x, 100); }
unsigned work(unsigned x) { return light(heavy(x)); }
END
# Prints the CPU time of all calls.
cat >main.c <<'END'
#include <stdio.h>
#include <time.h>
unsigned work(unsigned x);
int main(void)
{
    unsigned x = 1;
    clock_t start = clock();
    for (int i = 0; i < 2000000; i++)
        x = work(x);
    printf("%.3f\n", (double)(clock() - start) / CLOCKS_PER_SEC);
    return x == 0;
}
END
EXCLUDE=-fplugin-arg-ccprof-exclude=work.h
BOTH=-fplugin-arg-ccprof-profile=time,count

# calls NAME CALLS: the row's column.
calls() {
    got=$(table_rows calls <out | sed -n "s/^$1 //p")
    [ "$got" = "$2" ] || fail "calls of $1 are $got, not $2"
}

# The calls of heavy cost three times what those of light do, and both together what the
# program's own clock says.
pcc -O2 "$BOTH" "$EXCLUDE" work.c main.c -o both

# costs: whether what the calls of one run cost is right.  Of some 1,000 samples in light and 3,000 in heavy the ratio
# is within 4.5 standard deviations. A hundredth is for the calls themselves. Of the sum the samples are all: one of
# them at each end, and three hundredths for clocks that are read at the kernel's tick.
costs() {
    CCPROF=rate=5000 ./both >seconds
    run 0 "$MLPROF" both mlmon.out
    table_rows 'per call' <out | awk -v rate=5000 -v own="$(cat seconds)" '
        $1 == "heavy" || $1 == "light" {
            unit = $2 ~ /us$/ ? 1e-6 : $2 ~ /ns$/ ? 1e-9 : 0
            cost[$1] = $2 * unit * 2e6
            n[$1] = cost[$1] * rate
        }
        END {
            if (n["light"] < 500) { print "too few samples: " n["light"]; exit 1 }
            sum = cost["heavy"] + cost["light"]
            ratio = cost["heavy"] / cost["light"]
            far = 3 * (4.5 * sqrt(1 / n["heavy"] + 1 / n["light"]) + 0.01)
            printf "heavy by light: %g, give or take %g; the sum %g, by the clock %g\n", ratio, far, sum, own
            exit !(ratio >= 3 - far && ratio <= 3 + far && sum > own * 0.97 && sum < own * 1.03)
        }' || {
        cat out
        return 1
    }
}

decide costs
has mlmon.out '^kind time,count$'
calls heavy 2000000
calls light 2000000
calls work 2000000
has out '^ *cur .* calls  *per call  function$'
has out '^sampled '

# The counters of the shared object, the samples of both.
pcc -O2 "$KIND" "$EXCLUDE" -shared -fPIC work.c -o libwork.so
pcc -O2 main.c -o mixed -L. -lwork -Wl,-rpath,"$PWD"
./mixed
has mlmon.out '^kind time,count$'
run 0 "$MLPROF" mixed mlmon.out
calls heavy 2000000
calls light 2000000
