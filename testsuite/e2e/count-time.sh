#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=time,count: both from one run, the calls exact, and what a call costs; also if a
# program of one kind has a shared object of the other.
. "$SRC/testsuite/lib.sh"
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
cat >main.c <<'END'
unsigned work(unsigned x);
int main(void)
{
    unsigned x = 1;
    for (int i = 0; i < 500000; i++)
        x = work(x);
    return x == 0;
}
END
EXCLUDE=-fplugin-arg-ccprof-exclude=work.h
BOTH=-fplugin-arg-ccprof-profile=time,count

# calls NAME CALLS: the row's column.
calls() {
    got=$(awk -v name="$1" '$1 == name { for (i = 2; i <= NF; i++) if ($i ~ /^[0-9,]+$/) print $i }' out)
    [ "$got" = "$2" ] || fail "calls of $1 are $got, not $2"
}

# The cost of a call of heavy is that of light three times, as far as the samples tell.
pcc -O2 "$BOTH" "$EXCLUDE" work.c main.c -o both
./both
has mlmon.out '^kind time,count$'
run 0 "$MLPROF" both mlmon.out
calls heavy 500,000
calls light 500,000
calls work 500,000
has out '^function.* calls  *per call *$'
has out '^sampled '
awk '$1 == "heavy" || $1 == "light" {
        cost[$1] = $(NF - 1) * ($(NF - 1) ~ /us$/ ? 1000 : 1)
        off[$1] = substr($NF, 3) / 100
    }
    END {
        ratio = cost["heavy"] / cost["light"]
        print "ratio", ratio
        exit !(ratio > 3 * (1 - 2 * off["light"]) && ratio < 3 * (1 + 2 * off["light"]))
    }' out || fail "heavy does not cost three times what light does"

# The counters of the shared object, the samples of both.
pcc -O2 "$KIND" "$EXCLUDE" -shared -fPIC work.c -o libwork.so
pcc -O2 main.c -o mixed -L. -lwork -Wl,-rpath,"$PWD"
./mixed
has mlmon.out '^kind time,count$'
run 0 "$MLPROF" mixed mlmon.out
calls heavy 500,000
calls light 500,000
