#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How long a function of many calls is compiled with `trace' and -g grows as the calls do: four
# times the calls take about five times as long, not their square.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/stack/stack.sh"

# write_program CALLS: a main of so many.
write_program() {
    echo 'static int g;'
    echo '__attribute__((noinline)) int f(int x) { return x * 3 + g; }'
    echo 'int main(int argc, char **) { int x = argc;'
    awk -v calls="$1" 'BEGIN { for (i = 1; i <= calls; i++) print "x += f(x + " i ");" }'
    echo 'return x; }'
}

# spent CALLS: the processor's time that the compiler has for it, in ms; more than none.
spent() {
    (
        pcxx -O2 -g -fplugin-arg-ccprof-profile=count "$SWITCH" -fplugin-arg-ccprof-trace \
            -c "many$1.cc" -o many.o || exit 1
        times >"times$1"
    ) || fail "exit status $? of the compiler"
    awk -F '[ms ]+' 'NR == 2 { printf "%d\n", 1000 * (60 * $1 + $2) + 1 }' "times$1"
}

write_program 300 >many300.cc
write_program 1200 >many1200.cc

# The least of three runs, so that a busy machine is not judged; between 4 and 6 is seen, and about 30
# where each call has a branch behind it.
few=1000000 many=1000000
for round in 1 2 3; do
    now=$(spent 300)
    [ "$now" -gt "$few" ] || few=$now
    now=$(spent 1200)
    [ "$now" -gt "$many" ] || many=$now
    echo "round $round: 300 calls $few ms, 1200 calls $many ms"
    [ "$many" -ge $((few * 10)) ] || exit 0
done
fail "4 times the calls take $((many / few)) times as long"
