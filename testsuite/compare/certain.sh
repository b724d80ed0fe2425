#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make certain: whether what mlprof says of its own certainty holds.  RUNS runs of a program of known
# shares (known.c), each of TURNS at RATE Hz:
#   - in how many of 100 the interval of 95 % holds the truth;
#   - of runs of equal builds, compared one by one and five by five, how many functions are called
#     certainly different;
#   - how often a slowdown of 5 % of the total is found, planted in the least function, with as many
#     samples a side as 10 s have at 100 Hz, and with 10 times as many.
# Run it on a machine that does nothing else.  With FOLDER the runs are kept there, and those that are there
# already are not made again, so that it can be done piece by piece: MOST is how many are made at most.
set -eu
export LC_ALL=C
runs=${RUNS:-200} turns=${TURNS:-18000} rate=${RATE:-2000} planted=${PLANTED_RUNS:-40} most=${MOST:-100000}
folder=${FOLDER:-$(mktemp -d)}
long=$((5 * turns))
mkdir -p "$folder"
[ -n "${FOLDER:-}" ] || trap 'rm -rf "$folder"' EXIT

build() {
    [ -e "$folder/$1" ] || "$CC" -O2 -fplugin="$O/ccprof.so" "$2" "$SRC/testsuite/compare/known.c" -o "$folder/$1"
}
# 5 % of 100 hundredths.
build known -DPLANTED=0
build slower -DPLANTED=5

# make_runs PROGRAM COUNT TURNS RATE
make_runs() {
    n=0
    while [ "$n" -lt "$2" ]; do
        n=$((n + 1))
        [ -e "$folder/$1.$3.$n" ] && continue
        [ "$most" -gt 0 ] || {
            echo "$n of $2 runs of $1: call it again for the rest"
            exit
        }
        most=$((most - 1))
        (cd "$folder" && CCPROF="rate=$4,output=$1.$3.$n" "./$1" "$3")
    done
}
make_runs known "$runs" "$turns" "$rate"
make_runs known "$planted" "$long" 1000
make_runs slower "$planted" "$long" 1000

cd "$folder"
n=0
while [ "$n" -lt "$runs" ]; do
    n=$((n + 1))
    "$O/mlprof" -layout ccprof -balance false known "known.$turns.$n"
done | awk '
    BEGIN {
        split("forty 40 twentyfive 25 fifteen 15 ten 10 six 6 four 4", words, " ")
        for (i = 1; i < 12; i += 2) truth[words[i]] = words[i + 1]
    }
    $NF in truth {
        split($2, range, "-")
        all[$NF]++
        if (range[1] - 0.05 <= truth[$NF] && truth[$NF] <= range[2] + 0.05) held[$NF]++
        sub(/^~/, "", $1)
        sum[$NF] += $1
    }
    END {
        for (i = 1; i < 12; i += 2) {
            name = words[i]
            printf "%-10s by construction %2d %%, mean of all runs %.2f %%: held in %.1f of 100 runs\n", name,
                truth[name], sum[name] / all[name], 100 * held[name] / all[name]
            total += all[name]; good += held[name]
        }
        printf "the interval of 95 %% holds the truth in %.1f of 100 (%d of %d)\n", 100 * good / total, good, total
    }'

# compared WHAT: counts the functions of the comparisons on standard input, and those that are certain.
compared() {
    awk -v what="$1" '
        $NF ~ /^(forty|twentyfive|fifteen|ten|six|four)$/ { rows++; certain += /\*  [a-z]*$/ }
        /^before/ { pairs++; any += found; found = 0 }
        /\*  [a-z]*$/ { found = 1 }
        END {
            any += found
            printf "equal builds, %s: %d of %d functions called different (%.2f %%), in %d of %d comparisons\n",
                what, certain, rows, 100 * certain / rows, any, pairs
        }'
}
n=1
while [ "$n" -lt "$runs" ]; do
    "$O/mlprof" known "known.$turns.$n" -compare "known.$turns.$((n + 1))"
    n=$((n + 2))
done | compared 'one run a side'
n=1
while [ "$((n + 9))" -le "$runs" ]; do
    # shellcheck disable=SC2046
    "$O/mlprof" known $(seq -f "known.$turns.%g" "$n" $((n + 4))) -compare \
        $(seq -f "known.$turns.%g" $((n + 5)) $((n + 9)))
    n=$((n + 10))
done | compared 'five runs a side'

# found WHAT: whether the function that was made slower is called so, and how often others are.
found() {
    awk -v what="$1" '
        /^before/ { pairs++ }
        /\*  four$/ { found++ }
        /\*  [a-z]*$/ && !/  four$/ { others++ }
        END {
            printf "5 %% of the total planted, %s: found in %d of %d comparisons; others called different %d times\n",
                what, found, pairs, others
        }'
}
n=0
while [ "$n" -lt "$planted" ]; do
    n=$((n + 1))
    "$O/mlprof" known "known.$long.$n" -compare slower "slower.$long.$n"
done | found '1,000 samples a side (10 s at 100 Hz), one run'
n=1
while [ "$((n + 9))" -le "$planted" ]; do
    # shellcheck disable=SC2046
    "$O/mlprof" known $(seq -f "known.$long.%g" "$n" $((n + 9))) -compare slower $(seq -f "slower.$long.%g" "$n" $((n + 9)))
    n=$((n + 10))
done | found '10 s a side at 1,000 Hz, ten runs'
