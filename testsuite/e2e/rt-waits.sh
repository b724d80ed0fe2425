#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A thread that waits gets no signal: in a program of 50 threads that wait 10,000 times in six system
# calls, beside two that are busy, no call returns EINTR, with either engine of CPU time, at 100 Hz
# and at 1,000. By the clock on the wall waits are sampled: how many it has interrupted the profile
# says, as the program does.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

stub stub.s
$CC -O1 -Wall -Wextra -Werror -pthread "$RT/waits.c" stub.s -o prog
# undisturbed ENGINE RATE: no wait is interrupted in a run, in which the busy threads are sampled for as long as they
# have had a processor.
undisturbed() {
    run 0 env CCPROF="engine=$1,rate=$2" ./prog 50 200 5 2
    [ ! -s err ] || fail "it says: $(cat err)"
    valid mlmon.out
    echo "$(value mlmon.out engine) at $2 Hz: $(cat out) of 10,000 waits interrupted," \
        "$(value mlmon.out samples) samples"
    [ "$(cat out)" = 0 ] || fail "$1, $2 Hz: $(cat out) waits interrupted"
    [ -z "$(value mlmon.out interrupted)" ] ||
        fail "the profile says $(value mlmon.out interrupted)"
    lies "$(awk '$1 == "cpu" { print $2 / 1e9 * '"$2"' / 2 }' mlmon.out)" "$(value mlmon.out samples)" 1000000 samples
}
for engine in task-clock thread-timer; do
    decide undisturbed $engine 100
    decide undisturbed $engine 1000
done

on_wall() {
    run 0 env CCPROF=clock=wall,rate=200 ./prog 10 50 20 1
    valid mlmon.out
    told=$(cat out)
    said=$(value mlmon.out interrupted)
    echo "wall-timer: $told of 500 waits interrupted, the profile says $said"
    # Calls of the C library that begin again by themselves when threads are made are counted, too.
    lies 50 "$told" 500 'waits interrupted' && lies "$told" "$said" $((told + 20)) 'what the profile says'
}
decide on_wall
