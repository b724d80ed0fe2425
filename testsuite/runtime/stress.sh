#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# stress.sh SECONDS: programs that throw exceptions, take ever new paths, get signals, and load and unload objects
# beside brief threads, two at a time, sampled at 5,000 Hz by each engine for a third of the time: no crash and no
# hang, they do what they do without ccprof, and mlprof reads what was sampled.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/runtime/rt.sh"
need "$CXX"

stub stub.s
for name in engines stacks; do
    $CC -O2 -I"$RT" -pthread "$RT/$name.c" stub.s -o $name
done
$CXX -O2 -pthread "$RT/throws.cc" stub.s -o throws
$CC -O1 -I"$RT" -fPIC -shared "$RT/plugin.c" stub.s -o object.so

# round N: runs the programs, each with its own data file.
round() {
    CCPROF="$engine,rate=5000,output=throws.out" timeout -s ABRT 300 ./throws 8 0.3 >/dev/null 2>err &
    throws=$!
    run 3 env CCPROF="$engine,rate=5000" timeout -s ABRT 300 ./engines storm "$PWD/object.so" 5
    valid mlmon.out
    wait "$throws" || fail "throws: exit status $?"
    valid throws.out
    for what in 'paths 60 0.3' 'threads 16 0.02' 'alternate 8192 0.2'; do
        # shellcheck disable=SC2086
        run 0 env CCPROF="$engine,rate=5000" timeout -s ABRT 300 ./stacks $what
        valid mlmon.out
    done
}

for engine in engine=task-clock engine=thread-timer clock=wall; do
    rounds=0 until=$(($(date +%s) + $1 / 3))
    while [ "$(date +%s)" -lt "$until" ]; do
        round
        rounds=$((rounds + 1))
    done
    echo "$engine: $rounds rounds"
done
