#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -prof: the table of Appel, Duba, MacQueen and Tolmach, of their own program, with their
# numbers of samples.  The program counts its calls itself.
. "$SRC/testsuite/mlprof.sh"
need nm

cat >primes.c <<'END'
#include <stdio.h>
static unsigned tests;
static int test(int n, int d)
{
    tests++;
    return d * d > n ? 1 : n % d == 0 ? 0 : test(n, d + 1);
}
static int isPrime(int n) { return n < 2 ? 0 : test(n, 2); }
static int filter(int (*f)(int), int n) { return n > 1000 ? 0 : f(n) + filter(f, n + 1); }
static int subset(int (*f)(int)) { return filter(f, 1); }
int never(void) { return 0; }
int main(void)
{
    int primes = subset(isPrime);
    printf("%u\n", tests);
    return primes != 168;
}
END
pcc -O0 -no-pie -Wl,--build-id=sha1 -fplugin-arg-ccprof-profile=time,count primes.c -o primes
tests=$(./primes)
mv mlmon.out counted

# inside NAME: an address in the function.
inside() {
    printf '0x%x\n' "$((0x$(nm primes | awk -v name="$1" '$3 == name { print $1 }') + 4))"
}
# 389 samples in place of those of the run, 2 of them lost, 3 outside.
sed -n '/^counters$/,$p' counted >counters
STACK=no data head 389 2 -- \
    "0 0 $(inside test) 352" "0 0 $(inside isPrime) 31" "0 - 0x1 3" "0 0 $(inside filter) 1"
{
    sed '/^counts/,$d; s/^kind time$/kind time,count/' head
    sed -n '/^module/p' counted
    sed -n '/^counts/,/^end$/p' head | sed '$d'
    cat counters
} >paper

run 0 "$MLPROF" -balance false -prof primes paper
same err /dev/null
awk -v tests="$tests" 'BEGIN {
    row = "%5s  %7s  %5s  %7s  %s\n"
    printf row, "%time", "cumsecs", "#call", "ms/call", "name"
    printf row, "90.5", "3.52", tests, sprintf("%.4f", 3520 / tests), "test"
    printf row, "8.0", "3.83", "1000", "0.3100", "isPrime"
    printf row, "0.8", "3.86", "", "", "(unprofiled)"
    printf row, "0.5", "3.88", "", "", "(lost)"
    printf row, "0.3", "3.89", "1001", "0.0100", "filter"
    printf row, "0.0", "3.89", "1", "0.0000", "main"
    printf row, "0.0", "3.89", "1", "0.0000", "subset"
    printf row, "0.0", "3.89", "", "", "never"
}' >want
same out want

# It is a view like others: the threshold, lines, another one beside it, the balance.
run 0 "$MLPROF" -balance false -prof -thresh 1 -show-line true primes paper
sed 's/.*  //' out >names
printf '%s\n' name 'primes.c: 3' 'primes.c: 8' >want
same names want
run 0 "$MLPROF" -prof -list 'isPrime' primes paper
has out '^  8\.0%     8  static int isPrime'
has out '^sampled 3.89 s of 3.89 s CPU time (100.0 %)'

# Without counters there is no number of calls; what is not profiled has its row all the
# same.  Without time there is no table.
example prog main sq
data timed 4 0 "$PWD/prog" -- "0 0 $(at prog 0) 3" "0 0 $(at prog 4) 1"
run 0 "$MLPROF" -balance false -prof prog timed
holds out <<'END'
%time  cumsecs  #call  ms/call  name
 75.0     0.03                  main
 25.0     0.04                  sq
  0.0     0.04                  (unprofiled)
END
echo 'mlprof: -prof: no calls were counted: compile with -fplugin-arg-ccprof-profile=time,count' >want
same err want
sed '/^engine/d; /^clock/d; /^rate/d; /^stack/d; /^samples/d; /^lost/d; /^elsewhere/d
    s/^kind .*/kind count/; /^counts/,/^counters/{/^counters/!d;}' paper >untimed
refused '-prof: no time was measured: compile with -fplugin-arg-ccprof-profile=time,count' \
    "$MLPROF" -prof primes untimed
if have script 'names on a terminal'; then
    name=a2345678901234567890123456789012345678901234567z
    example long $name sq
    data three 100 0 "$PWD/long" -- "0 0 $(at long 0) 100"
    run 0 env NO_COLOR=1 script -qec "stty cols 62; $MLPROF -balance false -prof long three" /dev/null
    tr -d '\r' <out >lines
    has lines '^100.0     1.00                  ...23456789012345678901234567z$'
fi
