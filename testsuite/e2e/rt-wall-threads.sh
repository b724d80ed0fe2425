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
run 0 ./prog
same err /dev/null
[ "$(sleepers)" = 12 ] || fail "$(sleepers) threads of 12 have samples"

# Six more than the user has already.
run 0 prlimit --sigpending=$(($(sed -n 's/^SigQ:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status) + 6)) ./prog
has err '^ccprof: [1-9][0-9]* threads were not sampled from their start: there was no timer for them (ulimit -i)$'
[ "$(wc -l <err)" = 1 ] || fail "$(cat err)"
said=$(sed 's/^ccprof: \([0-9]*\) .*/\1/' err)
[ $((said + $(sleepers))) -ge 12 ] || fail "$said are said to be missing, and $(sleepers) have samples"
