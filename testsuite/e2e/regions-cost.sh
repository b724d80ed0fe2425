#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What measuring costs is known to a third, where nothing but accessors of a nanosecond is measured;
# and the time in which the runtime makes a path is no part of the regions around it.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/regions/regions.sh"

export CCPROF=samples=no
pcc -O2 -DROUND=plain_round -c "$REGIONS/accessors.c" -o plain.o
pcc -O2 -DROUND=watched_round -fplugin-arg-ccprof-stopwatch=. -c "$REGIONS/accessors.c" -o watched.o
pcc -O2 -I"$SRC/rt" "$REGIONS/cost.c" plain.o watched.o -o prog

# column NAME REGION: of the table, as it was measured.
column() {
    "$MLPROF" -regions -subtract false -csv - prog mlmon.out | tr -d '\r' | awk -F , -v name="$1" -v region="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $1 == region { print $at[name] }'
}

# until_decided WHAT LEAST MOST COMMAND ARGUMENT...: what the command prints lies between the bounds; what
# else runs on the machine can only be in the way, so that once is enough.
until_decided() {
    what=$1 least=$2 most=$3
    shift 3
    for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        got=$("$@")
        echo "$what: $got (try $try)"
        if awk -v got="$got" -v least="$least" -v most="$most" 'BEGIN { exit !(got >= least && got <= most) }'; then
            return
        fi
    done
    fail "$what is never from $least to $most"
}

# Of the shortest rounds with stopwatches and without: what a pair has cost in truth, and what the runtime says.
told() {
    ./prog accessors || fail 'the program fails'
    inside=$(($(column calls_inside watched) / $(column calls watched)))
    # 500 clauses: next, satisfied and size_of, and of a literal at least the four accessors.
    [ "$inside" -ge $((500 * 7)) ] || fail "$inside calls in a round"
    awk -v measured="$(column min_ns watched)" -v plain="$(column min_ns plain)" -v inside="$inside" '
        $1 == "regions" { printf "%.3f\n", $5 / 1000 / $3 * 1e9 / ((measured - plain) / inside) }' mlmon.out
}
until_decided 'of what a pair costs is told' 0.6667 1.3333 told

# When they are made, and when they are there.
made() {
    ./prog paths || fail 'the program fails'
    awk -v first="$(column total_ns first)" -v again="$(column min_ns again)" 'BEGIN { printf "%.2f\n", first / again }'
}
until_decided 'regions are measured as so many times as long where their paths are made' 0 20 made
