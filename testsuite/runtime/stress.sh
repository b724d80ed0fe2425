#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# stress.sh SECONDS: a program of 16 threads that throw, recurse, load and unload objects
# and jump out of signal handlers, sampled at 5,000 Hz by each engine for a part of the
# time: no crash, no hang, its own results right, and samples are the counts and the lost.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/runtime/rt.sh"
need "$CXX"

engines='engine=task-clock engine=thread-timer clock=wall'
each=$(echo "$1" | awk '{ print $1 / 4 }')
limit=$(echo "$each" | awk '{ print int($1 * 2) + 60 }')

pcxx -O2 -pthread "$SRC/testsuite/runtime/stress.cc" -o stress
for size in 1 9999 99999; do
    pcc -O2 -fPIC -shared -DSIZE=$size "$SRC/testsuite/runtime/object.c" -o object-$size.so
done
"$CC" -O2 -fPIC -shared -DSIZE=1 "$SRC/testsuite/runtime/object.c" -o plain.so

for engine in $engines; do
    rm -f mlmon.out
    run 3 timeout -s ABRT "$limit" env CCPROF="rate=5000,$engine" \
        ./stress "$each" ./object-*.so ./plain.so
    [ ! -s err ] || fail "$engine says: $(cat err)"
    valid mlmon.out
    "$MLPROF" stress mlmon.out >table || fail "mlprof: exit status $?"
    has table '  sum$'
    # It may be large.
    head -n 20 mlmon.out >header
    echo "$(value header engine), $each s: $(cat out)"
    echo "    $(value header samples) samples, $(value header lost) lost;" \
        "$(value header cpu | awk '{ print $1 / 1e9 }') s of CPU time"
done
