#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# Each engine: right totals, right shares; what cannot be had gives way to the next one.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/rt/inside.sh"

stub stub.s
$CC -O1 -I"$RT" -pthread "$RT/engines.c" stub.s -o prog
$CC -O1 -I"$RT" -pthread "$RT/threads.c" stub.s -o threads

# engine NAME CLOCK: the last run's file is valid and names it.
engine() {
    valid mlmon.out
    [ "$(value mlmon.out engine)" = "$1" ] || fail "engine $(value mlmon.out engine), not $1"
    [ "$(value mlmon.out clock)" = "$2" ] || fail "clock $(value mlmon.out clock), not $2"
}

# asked FACTOR FROM: whether the samples are what the CPU time asks for, or so.
asked() {
    due=$(awk '$1 == "rate" { rate = $2 } $1 == "cpu" { print $2 / 1e9 * rate }' mlmon.out)
    echo "    $(value mlmon.out samples) samples of $due"
    lies "$(awk "BEGIN { print $due * (1 - $1) - $2 }")" "$(value mlmon.out samples)" \
        "$(awk "BEGIN { print $due * (1 + $1) + $2 }")" samples
}

# sampled ENGINE FACTOR FROM STATUS COMMAND...: it says nothing, ENGINE samples it, any for -, and as CPU time asks for.
sampled() {
    sampled_engine=$1 sampled_factor=$2 sampled_from=$3
    shift 3
    rm -f mlmon.out
    run "$@"
    [ ! -s err ] || fail "it says: $(cat err)"
    valid mlmon.out
    [ "$sampled_engine" = - ] || engine "$sampled_engine" cpu
    asked "$sampled_factor" "$sampled_from"
}

# Refused by the kernel's setting or a container's filter: tested as far as it goes.
run 0 env CCPROF=engine=task-clock ./threads 0.01
has=$(value mlmon.out engine)
echo "the best engine here: $has"

# Totals within 2 %, and for each thread the time since the last tick that found it
# running, which on a busy machine may be many ticks.
for n in 1 2 4 8; do
    for engine in task-clock thread-timer; do
        [ $engine != task-clock ] || engine=$has
        echo "$engine, $n threads"
        from=2
        [ "$engine" = task-clock ] || from=$((10 * (n + 1)))
        decide sampled "$engine" 0.02 $from 0 \
            env CCPROF="rate=1000,engine=$engine" ./threads "$(echo $n | awk '{ print 0.8 / $1 }')" $n
        [ "$(value mlmon.out threads)" = $((n + 1)) ] || fail "$(value mlmon.out threads) threads"
    done
done

# Shares between threads, 4 : 3 : 2 : 1 of what is in their loops, within 3 points: made by the program's own call,
# and by one that goes past the runtime. What is armed is sampled by itself. (The rest is in the clock that they
# read, and in the kernel.)
four_shares() {
    run 3 env CCPROF=rate=1000 ./prog shares "$1" 2
    engine task-clock cpu
    all=$(for loop in a b c d; do inside mlmon.out prog loop_$loop; done | awk '{ sum += $1 } END { print sum }')
    lies 0.8 "$(awk "BEGIN { print $all / $(value mlmon.out samples) }")" 1 'the part of the loops' || return
    for line in 'a 40' 'b 30' 'c 20' 'd 10'; do
        got=$(inside mlmon.out prog "loop_${line% *}" | awk '{ print $1 * 100 / '"$all"' }')
        echo "$1: loop_${line% *} $got %, not ${line#* }"
        lies $((${line#* } - 3)) "$got" $((${line#* } + 3)) "loop_${line% *}" || return
    done
}
if [ "$has" = task-clock ]; then
    decide four_shares own
    decide four_shares other
fi

# Each engine that is refused gives way in silence. Few descriptors: no event.
decide sampled thread-timer 0.02 4 0 sh -c 'ulimit -n 20; exec ./threads 0.3'
# A container's filter refuses the event, and then timers as well: there the program runs
# unprofiled, and a line says so.
$CC -O1 "$RT/refuse.c" -o refuse
./refuse -- /bin/true && allowed=yes || allowed=
if [ "$allowed" ]; then
    decide sampled thread-timer 0.02 12 0 ./refuse perf_event_open -- ./threads 0.3 2
    rm mlmon.out
    run 0 ./refuse perf_event_open timer_create -- ./threads 0.01
    has err '^ccprof: .*no timer: the program runs unprofiled$'
    [ ! -e mlmon.out ] || fail 'a profile without a timer'
    # Timers alone: the event does without.
    if [ "$has" = task-clock ]; then
        decide sampled task-clock 0.02 12 0 ./refuse timer_create -- ./threads 0.3 2
    fi
else
    leave_out 'system calls that are refused: filters are not allowed here'
fi
# No timer either, where the signals that may wait are limited: not so for root.
if [ "$has" = task-clock ] && command -v setpriv >/dev/null && command -v prlimit >/dev/null && [ "$(id -u)" = 0 ]; then
    room=$(mktemp -d /tmp/ccprof-XXXXXX)
    trap 'rm -rf "$room"' EXIT
    cp threads "$O/rt/libccprof.so.1" "$room"
    chmod -R a+rwX "$room"
    (
        cd "$room"
        as='setpriv --reuid=nobody --regid=nogroup --clear-groups'
        if $as true 2>/dev/null && $as test -x "$O/rt/libccprof.so.1" 2>/dev/null; then
            # shellcheck disable=SC2086
            decide sampled - 0.02 4 0 $as prlimit --sigpending=0 ./threads 0.3
            echo "no signal may wait: $(value mlmon.out engine)"
        else
            leave_out 'no signals that may wait: another user cannot be had here'
        fi
    )
else
    leave_out 'no signals that may wait: only root can try, with setpriv, prlimit and the event'
fi

# Many threads: descriptors are not used up, the rest are sampled all the same.
decide sampled - 0.1 30 3 env CCPROF=rate=100 ./prog many 600
has out '^descriptor 3$'
[ "$(value mlmon.out threads)" = 601 ] || fail "$(value mlmon.out threads) threads"

# Descriptors closed behind our back: none that the program has then is touched.
closed() {
    rm -f mlmon.out
    run 3 env CCPROF=rate=100 ./prog closed 0.6
    hasnot out closed
    valid mlmon.out
    asked 0.05 12
}
decide closed

# SIGPROF blocked: nothing breaks, and the other half is sampled.
blocked() {
    run 3 env CCPROF=rate=100,engine="$1" ./prog blocked 0.6
    valid mlmon.out
    lies 18 "$(inside mlmon.out prog loop_b)" 33 "$1: samples after the block"
}
decide blocked task-clock
decide blocked thread-timer

# in_kernel ENGINE: loop_own has what the program says, within ten per cent of all.
in_kernel() {
    run 3 env CCPROF=rate=200,engine="$1" ./prog kernel 2
    valid mlmon.out
    asked 0.05 10 || return
    lies -10 "$(inside mlmon.out prog loop_own |
        awk '{ print $1 * 100 / '"$(value mlmon.out samples)"' - '"$(cat out)"' }')" 10 "$1: loop_own"
}

# Half of the time is the kernel's, which works for the program: it counts, and not where
# the program is at other times. The program says how much was its own: within four standard
# deviations of 400 samples.
decide in_kernel task-clock
decide in_kernel thread-timer

# Nearly all of it is: in one thread, and in many brief ones. A few periods go by before the
# event is known to be silent.
for engine in task-clock thread-timer; do
    decide sampled - 0.05 10 3 env CCPROF=rate=100,engine=$engine ./prog in-kernel 1 1
    decide sampled - 0.05 12 3 env CCPROF=rate=100,engine=$engine ./prog in-kernel 0.02 50
done

# A new image is never killed by a signal that was meant for the one before it.
for what in engine=task-clock engine=thread-timer clock=wall; do
    run 3 env CCPROF=rate=10000,$what ./prog exec 100 ./prog
    [ ! -s err ] || fail "it says: $(cat err)"
done

# Time on the clock: two threads, all the time, waiting included.
waiting() {
    run 3 env CCPROF=rate=200,clock=wall ./prog wait 0.5
    [ ! -s err ] || fail "it says: $(cat err)"
    engine wall-timer wall
    wall=$(value mlmon.out wall)
    [ "$(value mlmon.out threads)" = 2 ] || fail "$(value mlmon.out threads) threads"
    # One thread for 0.5 s, the other to the end.
    lies "$(echo "$wall" | awk '{ print ($1 / 1e9 + 0.5) * 200 * 0.9 - 2 }')" "$(value mlmon.out samples)" \
        "$(echo "$wall" | awk '{ print $1 / 1e9 * 2 * 200 + 4 }')" 'samples on the clock' &&
        lies 50 "$(value mlmon.out waits)" 100000 'waits, which the signals end'
}
decide waiting
