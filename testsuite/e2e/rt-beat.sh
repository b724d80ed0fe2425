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

# share ENGINE PERIOD: loop_a's part in per cent, of about 1,000 samples.
share() {
    run 3 env CCPROF="rate=1000,engine=$1" ./prog beat "$2" "$(($2 / 2))"
    valid mlmon.out
    [ "$(value mlmon.out engine)" = "$1" ] ||
        skip "perf_event_open is refused here: engine $(value mlmon.out engine)"
    a=$(inside mlmon.out prog loop_a)
    b=$(inside mlmon.out prog loop_b)
    [ $((a + b)) -ge 100 ] || fail "only $((a + b)) samples"
    echo "$a $b" | awk '{ printf "%.1f\n", $1 * 100 / ($1 + $2) }'
}

# One try in 500 is 5 points off by chance.
for period in 4 5 8; do
    for try in 1 2 3; do
        got=$(share task-clock $period)
        echo "period $period ms: $got %"
        case $try in
        3) between 45 "$got" 55 "the share at $period ms" ;;
        *) ! awk -v got="$got" 'BEGIN { exit !(45 <= got && got <= 55) }' || break ;;
        esac
    done
done

# What tells a reader of other engines' files: the program waits once in each period.
for try in 1 2 3; do
    run 3 env CCPROF=engine=thread-timer ./prog beat 8 1
    waits=$(value mlmon.out waits)
    echo "$waits waits"
    # (not when it is late because others use the processors)
    [ "$waits" -lt 5 ] || break
done
between 5 "$waits" 200 'waits in 1 s'
