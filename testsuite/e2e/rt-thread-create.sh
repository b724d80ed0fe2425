#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Threads that a library makes, each of a tenth of a period: all are counted, and their CPU
# time is sampled: at least what they spent in the function that they were made for, which the
# program says, and at most all of it. (What a thread needs to begin and to end, the runtime's
# part of it included, is a tenth; of the last part of it the task-clock does not know.)
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
need "$CXX"

stub stub.s
$CXX -O1 -Wall -Wextra -Werror -I"$RT" -pthread "$RT/thread-create.cc" stub.s -o prog
threads() {
    engine=$1
    run 3 env CCPROF="engine=$engine" ./prog 1000
    [ ! -s err ] || fail "it says: $(cat err)"
    valid mlmon.out
    [ "$(value mlmon.out threads)" = 1001 ] || fail "$engine: $(value mlmon.out threads) threads"
    own=$(cat out)
    all=$(awk '$1 == "cpu" { print $2 / 1e9 }' mlmon.out)
    samples=$(value mlmon.out samples)
    echo "$(value mlmon.out engine): $samples samples of 0.01 s in $all s, $own s in the function"
    # A sample is due in each period of the CPU time, whichever threads it is of. 5 samples
    # more or less are for those that still wait for a place at the end, and for what the timers
    # are late: the standard deviation of their number was 0.8 in 16 runs.
    lies "$(awk "BEGIN { print 100 * $own - 5 }")" "$samples" \
        "$(awk "BEGIN { print 100 * $all + 5 }")" 'samples'
}
decide threads task-clock
decide threads thread-timer
