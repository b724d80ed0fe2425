#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How the tests decide by the mean of more runs (mean_within): agreement, noise, and what is off.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/shares/mean.sh"

# next: the next of the numbers that are there, from the first one again after the last.
next() {
    head -n 1 numbers
    { sed 1d numbers; head -n 1 numbers; } >rest
    mv rest numbers
}

# decides VERDICT RUNS MOST SLACK NUMBER...: after so many runs with these.
decides() {
    due=$1 often=$2 most=$3 slack=$4
    shift 4
    printf '%s\n' "$@" >numbers
    verdict=good
    mean_within "$most" "$slack" next || verdict=bad
    if [ $verdict != "$due" ] || [ "$(wc -l <runs)" -ne "$often" ]; then
        fail "$*: $verdict after $(wc -l <runs) runs, not $due after $often"
    fi
}

decides good 5 2 0.6 0.1 -0.1 0.2 0 0.1
# One that is off by what runs without noise do not explain, though one run may be: on either side.
decides bad 5 2 0.6 1.5 1.5 1.5 1.6 1.5
decides bad 5 2 0.6 -1.5 -1.5 -1.5 -1.6 -1.5
# Off by more than one run may be, and so different that more runs are needed.
decides good 10 6 0 -7 -19 -3 2 -7 6 1 -2 4 -1
# The mean of as many as there may be is too far off.
decides bad 20 0.3 0 0.2 2 -1 2 -1
# The noise of five runs does not rule the mean out, that of more does.
decides bad 10 3 0 9 1 9 1 9 4 5 6 5 4
