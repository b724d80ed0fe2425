#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# clock=wall: each thread has a timer of its own. Where the kernel gives no more of them
# (RLIMIT_SIGPENDING, which is of the user), the program runs on and a line says how many threads are
# not sampled.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

pcc -O1 -pthread "$RT/sleepers.c" -o prog
# sleepers: how many of the threads have samples.
need prlimit
sleepers() {
    sed -n 's/^thread [0-9]* \(w[0-9]*\)$/\1/p' mlmon.out | sort -u | wc -l
}

export CCPROF=clock=wall,threads=yes,rate=100
all() {
    run 0 ./prog
    same err /dev/null
    lies 12 "$(sleepers)" 12 'threads of 12 that have samples'
}
decide all

# Six more than the user has already; what other programs of the user take or leave meanwhile is added or missing.
few() {
    run 0 prlimit --sigpending=$(($(sed -n 's/^SigQ:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status) + 6)) ./prog
    line='^ccprof: [1-9][0-9]* threads were not sampled from their start: there was no timer for them (ulimit -i)$'
    grep "$line" err && [ "$(wc -l <err)" = 1 ] || return
    said=$(sed 's/^ccprof: \([0-9]*\) .*/\1/' err)
    lies 12 $((said + $(sleepers))) 24 "threads, of which $said are said to be missing"
}
decide few
