#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How tests decide by runs (testsuite/decide.sh): made-up sequences of runs, and the chances of both errors,
# worked out from the rule's two bounds and its steps as they are measured, and seen in sequences at random.
. "$SRC/testsuite/lib.sh"

# made WORD...: the runs of a program: `i' is within, `o' is off; after them a last one again and again.
made() {
    runs=$*
}

# next: takes the next of them.
next() {
    now=${runs%% *}
    [ "$now" = "$runs" ] || runs=${runs#* }
    [ "$now" = i ]
}

# decides VERDICT RUNS WORD...: after so many of these.
decides() {
    due=$1 often=$2
    shift 2
    made "$@"
    verdict=right
    decided next 2>err || verdict=wrong
    [ "$verdict $decide_runs" = "$due $often" ] || fail "$*: $verdict after $decide_runs runs, not $due after $often"
}

off5='o o o o o'
off19="$off5 $off5 $off5 o o o o"
echo 'One run within is enough, and of those that follow a run that was off it is two.'
decides right 1 i
decides right 3 o i i
decides right 3 o i i o
decides right 4 o o i i
decides right 11 o o o o o o o o o i i
decides right 13 o o o o o o o o o o i i i
decides right 4 o i o i
echo 'No more is wrong before 20 runs are off more than within.'
decides right 23 "$off19" i i i i
decides wrong 20 o
decides wrong 20 "$off19" o
decides wrong 30 "$off19" i o
decides wrong 40 "$off19" i o o o o i o
echo 'A first run that was off counts.'
made o
decided_after next 2>err && fail 'it is right'
[ $decide_runs = 19 ] || fail "$decide_runs more runs are enough"
has err '^decided: 19 of 19 runs are off: next$'
made i
decided_after next 2>err || fail 'it is wrong'
[ $decide_runs = 2 ] || fail "$decide_runs runs"
# Nothing is said of a first run that is within.
made i
decided next 2>err
same err /dev/null
made o
(decide next) 2>err && fail 'decide does not fail'
has err '^FAIL: 20 of 20 runs are off: next$'
echo 'There is an end.'
DECIDE_RUNS=5
made o i o o o o o o
decided next 2>err && [ $decide_runs = 3 ] && fail 'right after 3'
made o
decided next 2>err && fail 'no end'
[ $decide_runs = 5 ] || fail "$decide_runs runs, not 5"
DECIDE_RUNS=100

echo 'What lies between two numbers'
lies 1 1 2 it
lies 1 2 2 it
lies -2 -1.5 0 it
for value in 0.9 2.1 -1 ''; do
    lies 1 "$value" 2 it 2>err && fail "'$value' does"
    echo "off: it is $value, not within 1 and 2" >want
    same err want
done

# step WORD: how far one run goes.
step() {
    made "$1"
    DECIDE_RUNS=1
    DECIDE_RIGHT=-1000 DECIDE_WRONG=1000
    decided next 2>err || :
    echo "$decide_score"
}

# chances RIGHT WRONG OFF: the chances of the verdicts `right', `wrong' and none in all the runs that there may be,
# if each run is off with that chance: the sum over all sequences, by their score.
chances() {
    awk -v right="$1" -v wrong="$2" -v off="$3" -v in_step="$in_step" -v off_step="$off_step" -v most="$DECIDE_RUNS" 'BEGIN {
        at[0] = 1
        for (run = 1; run <= most; run++) {
            for (score in then)
                delete then[score]
            for (score in at) {
                then[score + off_step] += at[score] * off
                then[score + in_step] += at[score] * (1 - off)
            }
            for (score in at)
                delete at[score]
            for (score in then)
                if (score + 0 <= right) is_right += then[score]
                else if (score + 0 >= wrong) is_wrong += then[score]
                else at[score] = then[score]
        }
        for (score in at)
            none += at[score]
        printf "%.9g %.9g %.9g\n", is_right, is_wrong, none
    }'
}
in_step=$(step i) off_step=$(step o)
echo "a run within: $in_step, one that is off: $off_step"
echo "false alarm with chances of 0.5, 0.3, 0.1: right, wrong, none in $DECIDE_RUNS runs"
for off in 0.5 0.3 0.1; do
    chances "$DECIDE_RIGHT" "$DECIDE_WRONG" $off
done | tee right
awk '{ if ($2 + $3 > 1e-6) wrong = 1 } END { exit wrong || NR != 3 }' right || fail 'more than one in a million'
echo 'a fault not seen, with chances of 0.999, 0.9999'
for off in 0.999 0.9999; do
    chances "$DECIDE_RIGHT" "$DECIDE_WRONG" $off
done | tee wrong
awk '{ if ($1 > 1 / 500) wrong = 1 } END { exit wrong || NR != 2 }' wrong || fail 'more than one in 500'

# The rule itself, with bounds at which errors are seen: 2,000 sequences at random, each of runs that are off with a
# chance of a half; the number of wrong verdicts is what was worked out, within 4.5 standard deviations. (The numbers
# are the same each time: the generator is Park and Miller's.)
DECIDE_RIGHT=-9 DECIDE_WRONG=5
awk 'BEGIN {
    seed = 20261124
    for (i = 0; i < 2000; i++) {
        for (j = 0; j < 40; j++) {
            seed = seed * 16807 % 2147483647
            printf "%s%s", seed < 1073741823 ? "o" : "i", j < 39 ? " " : "\n"
        }
    }
}' >sequences
wrongs=0
while read -r line; do
    made "$line"
    decided next || wrongs=$((wrongs + 1))
done <sequences 2>/dev/null
chances -9 5 0.5 >due
awk -v got="$wrongs" '{
    due = 2000 * $2
    printf "%d wrong of 2,000, due %.1f\n", got, due
    exit !((got - due) ^ 2 <= 4.5 ^ 2 * due)
}' due || fail 'that is not the rule'
