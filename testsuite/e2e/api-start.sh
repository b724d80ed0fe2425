#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# Sampling is started and stopped by the program, a signal and a setting: what is not
# sampled is neither in the samples nor in the CPU time that they are compared with.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
API=$SRC/testsuite/api

pcc -O1 -I"$SRC/rt" -I"$RT" "$API/start.c" -o prog

# shown FILE LOW HIGH [HIDDEN]: whether so many seconds were sampled, nearly nothing of it hidden.
shown() {
    valid "$1"
    lies "$2" "$(value "$1" cpu | awk '{ print $1 / 1e9 }')" "$3" "CPU time in $1" || return
    samples=$(awk '$1 == "rate" { rate = $2 } $1 == "samples" { print $2 / rate }' "$1")
    lies "$(awk "BEGIN { print $2 - 0.03 }")" "$samples" "$(awk "BEGIN { print $3 + 0.03 }")" "what was sampled in $1" || return
    table_of -balance false prog "$1" >table
    # What is due when it is stopped may come when it is started: a tick at a time.
    lies 0 "$(table_cell hidden 'stack seconds' <table)" "${4:-0.03}" "seconds of what is hidden in $1"
}

# sampled LOW HIGH SETTINGS HOW...: the program does that, and so many seconds are sampled, or more runs decide. Each
# stop drops what the thread used after the last tick that found it running, which may be much on a busy machine.
sampled() {
    decide sampled_once "$@"
}

sampled_once() {
    low=$1 high=$2 settings=$3
    shift 3
    run 0 env ${settings:+CCPROF="$settings"} ./prog "$@"
    shown mlmon.out "$low" "$high"
}

# turns LINE...: what the program said.
turns() {
    printf '%s\n' "$@" >want
    same out want
}

for engine in task-clock thread-timer; do
    echo "$engine"
    sampled 0.59 0.70 engine=$engine in-turn
    turns 1 0 1 0 1 0 1
    same err /dev/null
    sampled 0.39 0.45 engine=$engine blocked
    turns 1 0 1
done
on_clock() {
    run 0 env CCPROF=clock=wall ./prog "$1"
    valid mlmon.out
    wall=$(value mlmon.out wall | awk '{ print $1 / 1e7 }')
    lies "$(awk "BEGIN { print $wall * 0.9 - 3 }")" "$(value mlmon.out samples)" \
        "$(awk "BEGIN { print $wall * 1.1 + 5 }")" "samples on the clock"
}
decide on_clock blocked
decide on_clock in-turn

sampled 0.19 0.25 '' twice
turns 1 0 0 1 1

# Turns of less than the kernel's tick are for the event alone.
echo 'a rate much higher than that of the turns'
briefly() {
    run 0 env CCPROF=rate=1000 ./prog briefly
    [ "$(value mlmon.out engine)" != task-clock ] || shown mlmon.out 0.49 0.60 0.15
}
decide briefly
if [ "$(value mlmon.out engine)" != task-clock ]; then
    echo "not tested: the event is refused here, engine $(value mlmon.out engine)"
fi

echo 'start=no'
run 0 env CCPROF=start=no ./prog never
turns 0
valid mlmon.out
[ "$(value mlmon.out cpu) $(value mlmon.out wall) $(value mlmon.out samples)" = "0 0 0" ] ||
    fail "something was sampled: $(cat mlmon.out)"
sampled 0.39 0.45 start=no in-turn
turns 0 0 1 0 1 0 1

echo 'toggle'
sampled 0.59 0.70 toggle=USR2 in-turn by-signal
turns 1 0 1 0 1 0 1
run 0 env CCPROF=toggle=SIGUSR2,start=no ./prog in-turn by-signal
turns 0 1 0 1 0 1 0
run 0 env CCPROF=toggle=KILL ./prog never
has err '^ccprof: CCPROF: toggle=KILL is not understood; right is: toggle=SIGNAL '
trap '' USR2
run 0 env CCPROF=toggle=USR2 ./prog never
has err '^ccprof: SIGUSR2 is in use: it does not stop sampling$'
trap - USR2

echo 'fork'
children() {
    rm -f mlmon.out*
    run 0 ./prog children
    first=$(sed -n 's/^child 0 //p' out)
    second=$(sed -n 's/^child 1 //p' out)
    valid "mlmon.out.$first"
    [ "$(value "mlmon.out.$first" samples)" = 0 ] || fail "a stopped child was sampled"
    shown mlmon.out 0.19 0.25 && shown "mlmon.out.$second" 0.19 0.25
}
decide children

echo 'off'
rm -f mlmon.out*
run 0 env CCPROF=off ./prog twice
turns 0 0 0 0 0
[ ! -e mlmon.out ] || fail "off, and yet a file"
