# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Decides about sampled or timed values by repeated runs, because other load makes a single run
# uncertain. Sourced by lib.sh, for all tests.
#
# The value of a run is inside the tolerance or outside. Runs are repeated until the decision is
# certain, by a sequential probability ratio test (Wald, Sequential Analysis, 1947) of "at most half
# of the runs of a right program are outside" against "at least 999 in 1,000 runs of a wrong program
# are outside". The logarithm of the ratio, in bits, grows by 1 with a run outside (0.999 / 0.5) and
# falls by 9 with a run inside (0.001 / 0.5). Hence:
#
#     at -9   the program is right: the first run is inside, or enough later runs are;
#     at 20   the program is wrong: 20 runs in a row are outside, or 29 of 30, and so on.
#
# A right program fails at most once in a million times, for any number of runs. A wrong program
# passes once in 500 times (the test testsuite-decide computes both). The only assumption is that
# each run of a right program is inside with a probability of at least a half, independently of
# earlier runs. So the tolerance must be wide enough for a loaded machine.
# Do not use this for errors that must never occur: one run with such an error fails the test.

DECIDE_RIGHT=-9 DECIDE_WRONG=20
# The maximum number of runs, practically never reached. The program is then wrong.
DECIDE_RUNS=100
decide_runs=0 decide_off=0

# decide_from SCORE COMMAND...: returns whether the program is right. SCORE is the result of earlier
# runs. The command makes a run, and returns whether it is inside the tolerance. Sets decide_runs to
# the number of runs, and decide_off to the number of runs outside.
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

# decided COMMAND...: returns whether the program is right.
decided() {
    decide_from 0 "$@"
}

# decided_after COMMAND...: the same, after a first run that was outside.
decided_after() {
    decide_from 1 "$@"
}

# decide COMMAND...: fails the test unless the program is right.
decide() {
    decided "$@" || fail "$decide_off of $decide_runs runs are off: $*"
}

# lies LOW VALUE HIGH NAME: returns whether the value is between the bounds. For use in the commands
# above, after `&&' or at their end.
lies() {
    awk -v low="$1" -v value="$2" -v high="$3" 'BEGIN { exit !(value != "" && low <= value + 0 && value + 0 <= high) }' ||
        {
            echo "off: $4 is $2, not within $1 and $3" >&2
            return 1
        }
}
