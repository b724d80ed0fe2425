#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Threads that a library makes, each of a tenth of a period: all are counted, and their CPU
# time is sampled.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
need "$CXX"

stub stub.s
$CXX -O1 -Wall -Wextra -Werror -I"$RT" -pthread "$RT/births.cc" stub.s -o prog
for engine in task-clock thread-timer process-timer; do
    run 3 env CCPROF=engine=$engine ./prog 300
    [ ! -s err ] || fail "it says: $(cat err)"
    valid mlmon.out
    [ "$(value mlmon.out threads)" = 301 ] || fail "$engine: $(value mlmon.out threads) threads"
    part=$(awk '$1 == "cpu" { cpu = $2 / 1e9 } $1 == "samples" { print $2 / (cpu * 100) }' mlmon.out)
    echo "$(value mlmon.out engine): $part of the CPU time"
    between 0.75 "$part" 1.2 'the part of the CPU time that was sampled'
done
