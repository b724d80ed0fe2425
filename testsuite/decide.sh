# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How a test judges what is sampled or timed, where one run proves nothing: others have the machine, too.
# Sourced by lib.sh, for all tests.
#
# A run is within what is due, or off. Runs are made until their number decides, by a sequential
# probability ratio test (Wald, Sequential Analysis, 1947) of "of the runs of a right program half are off, at
# most" against "of the runs of a wrong one at least 999 in 1,000 are". In bits, the logarithm of the ratio
# grows by 1 with a run that is off (0.999 / 0.5) and falls by 9 with one that is within (0.001 / 0.5). Hence:
#
#     at -9   the program is right: the first run is within, or later ones are often enough;
#     at 20   it is wrong: 20 runs off one after the other, or 29 of 30, and so on.
#
# So a right program is called wrong once in a million times at most, whatever the number of runs,
# and a wrong one right once in 500 times (the test testsuite-decide works both out). Nothing is supposed
# of how runs differ, but that each run of a right program, whatever those before it were, is within with a chance
# of a half: what is due has to be as wide as that, beside any load.
# What must never be seen is no matter for this: a run in which it is seen fails the test at once.

DECIDE_RIGHT=-9 DECIDE_WRONG=20
# As good as never reached: the test takes no more runs than that, and the program is wrong.
DECIDE_RUNS=100
decide_runs=0 decide_off=0

# decide_from SCORE COMMAND...: whether the runs have what is due, where SCORE is known from those before. Each time
# the command makes a run, and is true if that is within what is due. At the end decide_runs and decide_off are
# how many there were and were off.
decide_from() {
    decide_score=$1 decide_runs=0 decide_off=0
    shift
    while [ "$decide_score" -gt "$DECIDE_RIGHT" ] && [ "$decide_score" -lt "$DECIDE_WRONG" ]; do
        [ "$decide_runs" -lt "$DECIDE_RUNS" ] || return 1
        decide_runs=$((decide_runs + 1))
        if "$@"; then
            decide_score=$((decide_score - 9))
        else
            decide_score=$((decide_score + 1)) decide_off=$((decide_off + 1))
        fi
    done
    [ "$decide_off" -eq 0 ] || echo "decided: $decide_off of $decide_runs runs are off: $*" >&2
    [ "$decide_score" -le "$DECIDE_RIGHT" ]
}

# decided COMMAND...: whether the runs that the command makes have what is due.
decided() {
    decide_from 0 "$@"
}

# decided_after COMMAND...: the same, behind a first run that was off.
decided_after() {
    decide_from 1 "$@"
}

# decide COMMAND...: they have, or the test fails.
decide() {
    decided "$@" || fail "$decide_off of $decide_runs runs are off: $*"
}

# lies LOW VALUE HIGH WHAT: it does, or this run is off. For the commands above, behind `&&' or at their end.
lies() {
    awk -v low="$1" -v value="$2" -v high="$3" 'BEGIN { exit !(value != "" && low <= value + 0 && value + 0 <= high) }' ||
        {
            echo "off: $4 is $2, not within $1 and $3" >&2
            return 1
        }
}
