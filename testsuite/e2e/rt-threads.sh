#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# Threads are sampled however short they are and whoever made them; they find their own state as
# without the runtime and leave nothing behind; what their creation costs.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

stub stub.s
$CC -O1 -I"$RT" -pthread "$RT/engines.c" stub.s -o prog
$CC -O1 -I"$RT" -pthread "$RT/engines.c" -o plain
$CC -O1 -I"$RT" -pthread "$RT/engines.c" stub.s -static -L"$O/rt" -lccprof -o static 2>/dev/null
$CC -O1 -I"$RT" -fPIC -shared "$RT/plugin.c" stub.s -o object.so

# due THREADS FORM SETTINGS WHO HOW-MANY MILLISECONDS: brief threads, so many with main if that is known, of which nearly
# all of the CPU time is sampled, or more runs decide.
due() {
    decide due_once "$@"
}

due_once() {
    due_threads=$1 form=$2 settings=$3
    shift 3
    run 3 env ${settings:+CCPROF="$settings"} "./$form" brief "$@"
    [ ! -s err ] || fail "it says: $(cat err)"
    valid mlmon.out
    [ "${due_threads:-$(value mlmon.out threads)}" = "$(value mlmon.out threads)" ] ||
        fail "$(value mlmon.out threads) threads"
    got=$(awk '$1 == "rate" { rate = $2 } $1 == "cpu" { cpu = $2 / 1e9 }
        $1 == "samples" { print $2 / (rate * cpu) }' mlmon.out)
    echo "    $(value mlmon.out engine): $(value mlmon.out threads) threads, $got of the CPU time"
    lies 0.9 "$got" 1.05 'the part of the CPU time that was sampled'
}

# 1,000 threads of 3 ms, each three tenths of a period: the samples are as many as one
# thread would have that runs as long as all of them, and what they leave out is between
# cpu and samples.
due 1001 prog engine=task-clock own 1000 3
due 1001 prog engine=thread-timer own 1000 3
# ... that the runtime is not told of. What it does not see of them is between cpu and samples.
due '' prog '' other 1000 3
rm mlmon.out
due '' static '' own 300 3

# Values, cancellation and fork in threads are what they are without us.
run 3 ./plain ends
sort out >want
ends() {
    form=$1
    rm -f mlmon.out*
    run 3 "./$form" ends
    [ ! -s err ] || fail "$form says: $(cat err)"
    sort out >got
    same got want
    valid mlmon.out
    child=$(echo mlmon.out.*)
    [ -f "$child" ] || fail "the child's files: $child"
    valid "$child"
    # In a program linked statically threads are found when they are older than this one.
    [ "$form" = static ] || between 2 "$(value "$child" threads)" 2 "threads in $child"
    between 1 "$(value "$child" threads)" 2 "threads in $child"
    samples=$(value "$child" samples)
    lies 0 "$samples" 10 'samples in the child'
}
decide ends prog
decide ends static

# Threads that come and go while others load and unload an object, at a high rate.  The data of
# the other program is not theirs to replace.
rm -f mlmon.out
for engine in task-clock thread-timer; do
    run 3 env CCPROF=rate=5000,engine=$engine ./prog storm "$PWD/object.so" 10
    [ ! -s err ] || fail "it says: $(cat err)"
    valid mlmon.out
    [ "$(value mlmon.out threads)" = 181 ] || fail "$(value mlmon.out threads) threads"
    echo "storm, $engine: $(value mlmon.out samples) samples"
done
run 3 env CCPROF=rate=5000,clock=wall ./prog storm "$PWD/object.so" 10
valid mlmon.out

# What a thread costs that does nothing: the least of all that were measured, in turn, since others can only add to
# it.
ways='off engine=task-clock engine=thread-timer clock=wall'
cheap() {
    for what in $ways; do
        run 3 env CCPROF="$what" ./prog make 1000
        touch "$what"
        sort -n out "$what" | head -n 1 >least
        mv least "$what"
        echo "a thread with $what: $(cat "$what") us of CPU time"
    done
    lies 0 "$(cat engine=task-clock)" "$(awk '{ print $1 + 200 }' off)" 'microseconds of a thread'
}
decide cheap
