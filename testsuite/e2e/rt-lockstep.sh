#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# A program in step with the kernel's tick: 1 ms in one function, 1 ms in another, then it
# sleeps until the next 4, 5 or 8 ms are over. Each has half of the time. Profilers that
# sample at the tick say 99 to 1, or 1 to 99.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/rt/inside.sh"

stub stub.s
$CC -O1 -I"$RT" -pthread "$RT/engines.c" stub.s -o prog

# in_half PERIOD: of about 1,000 samples, each in one or the other, each has half within 4.5 standard deviations.
in_half() {
    period=$1
    run 3 env CCPROF="rate=1000,engine=task-clock" ./prog beat "$period" "$((period / 2))"
    valid mlmon.out
    [ "$(value mlmon.out engine)" = task-clock ] ||
        skip "perf_event_open is refused here: engine $(value mlmon.out engine)"
    a=$(inside mlmon.out prog loop_a)
    b=$(inside mlmon.out prog loop_b)
    echo "period $period ms: $a and $b"
    lies 500 $((a + b)) 5000 'samples in both' &&
        awk -v a="$a" -v b="$b" 'BEGIN { exit !((a - b) ^ 2 <= 4.5 ^ 2 * (a + b)) }'
}
for period in 4 5 8; do
    decide in_half $period
done

# What tells a reader of other engines' files: how often the program has waited. It says it
# itself; it starts and ends with few waits more.
waits() {
    run 3 env CCPROF=engine=thread-timer ./prog beat 16 1
    own=$(cat out)
    lies 5 "$own" 1000 'its own waits in 62 periods' || return
    lies "$own" "$(value mlmon.out waits)" $((own + 5)) 'waits'
}
decide waits
