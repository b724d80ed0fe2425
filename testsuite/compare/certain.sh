#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make certain: whether what mlprof says of its own certainty holds, with a program that tells its own truth
# (known.c). Exit status 1 if one of these fails by more than chance may do:
#   - of RUNS short runs the interval of 95 % holds the truth of the run in 93 to 97 of 100, for each function;
#   - of equal builds, compared one by one, two by two and five by five, at most 5 of 100 functions, and
#     comparisons with one, are called different;
#   - a slowdown of 5 % of the total is found in a function of middle size, which has 10 % of it; and others
#     are called different beside it in no more than 5 of 100 comparisons: with 1,000 samples a side (PAIRS
#     pairs of 1 s at 1,000 Hz), with 10,000, and with REAL pairs of 10 s at 100 Hz;
#   - of equal runs of programs that fork, use threads and block signals, at most 5 of 100 rows are called different
#     at 95 % (null.py).
# Builds that are compared run in turn. With FOLDER the runs are kept there, and those that are there already
# are not made again; with MOST_SECONDS no more are made after that time: so it can be done piece by piece.
set -eu
export LC_ALL=C
runs=${RUNS:-200} pairs=${PAIRS:-40} real=${REAL:-5} seconds=${MOST_SECONDS:-100000}
folder=${FOLDER:-$(mktemp -d)}
start=$(date +%s) failed=0
mkdir -p "$folder"
[ -n "${FOLDER:-}" ] || trap 'rm -rf "$folder"' EXIT

build() {
    [ -e "$folder/$1" ] || "$CC" -O2 -fplugin="$O/ccprof.so" "$2" "$SRC/testsuite/compare/known.c" -o "$folder/$1"
}
# 5 % of 100 hundredths.
build known -DPLANTED=0
build slower -DPLANTED=5

# one_run PROGRAM SERIES NUMBER TURNS RATE
one_run() {
    [ -e "$folder/$1.$2.$3" ] && return
    [ $(($(date +%s) - start)) -lt "$seconds" ] || {
        echo "$1.$2.$3 is the next run: call it again for the rest"
        exit
    }
    (cd "$folder" && CCPROF="rate=$5,output=$1.$2.$3" "./$1" "$4" >"$1.$2.$3.truth")
}
for n in $(seq "$runs"); do
    one_run known short "$n" 18000 2000
done
for n in $(seq "$pairs"); do
    one_run known one "$n" 86000 1000
    one_run slower one "$n" 86000 1000
done
for n in $(seq "$real"); do
    one_run known real "$n" 860000 100
    one_run slower real "$n" 860000 100
done

cd "$folder"
for n in $(seq "$runs"); do
    cat "known.short.$n.truth"
    "$O/mlprof" -csv - known "known.short.$n" 2>>errors
done | awk '
    / / { truth[$1] = $2; next }
    { split($0, field, ","); name = field[1] }
    name in truth && name != "all" {
        share = truth[name] / truth["all"]
        if (!all[name]++) names[++count] = name
        held[name] += field[10] <= share && share <= field[11]
        sum[name] += share
        squares[name] += share * share
        away[name] += (field[9] - share) ^ 2 / (share * (1 - share) * field[9] / field[7])
    }
    # In this number of runs, 3 standard deviations are within chance.
    function judge(part, of,    by) {
        by = 3 * sqrt(.05 * .95 / of)
        return part / of < .93 - by || part / of > .97 + by ? bad = "  FAILED" : ""
    }
    END {
        for (i = 1; i <= count; i++) {
            name = names[i]; n = all[name]; mean = sum[name] / n
            verdict = judge(held[name], n)
            if (verdict) failed = 1
            printf "%-10s has %5.2f %%, +-%.2f from run to run; held in %5.1f of 100 runs; variance %.2f of what samples make%s\n",
                name, 100 * mean, 100 * sqrt(squares[name] / n - mean * mean), 100 * held[name] / n,
                away[name] / n, verdict
            total += n; good += held[name]
        }
        if (!total) exit
        verdict = judge(good, total)
        printf "the interval of 95 %% holds the truth in %.1f of 100 (%d of %d)%s\n", 100 * good / total, good,
            total, verdict
        exit failed || verdict
    }' || failed=1

# several PROGRAM SERIES FROM COUNT: the names of so many runs.
several() {
    seq -f "$1.$2.%g" "$3" $(($3 + $4 - 1))
}

# compared WHAT CHANGED: judges the comparisons on standard input, in which the function CHANGED has
# changed. Printed changes are certain, marked with a star, or not.
compared() {
    awk -v what="$1" -v changed="$2" '
        $NF ~ /^(forty|twentyfive|fifteen|ten|six|four)$/ {
            star = /\*  [a-z]*$/
            if ($NF == changed) { found += star; next }
            rows++; others += star; any += star && !here; here = here || star
        }
        /^before .* of CPU time/ { pairs++; here = 0 }
        function most(of) { return .05 * of + 3 * sqrt(.05 * .95 * of) }
        END {
            if (!pairs) exit
            printf "%s: ", what
            if (changed) printf "found in %d of %d comparisons; ", found, pairs
            bad = others > most(rows) || any > most(pairs)
            printf "%d of %d equal functions (%.2f %%) called different, in %d of %d comparisons%s\n", others,
                rows, 100 * others / rows, any, pairs, bad ? "  FAILED" : ""
            exit bad
        }' || failed=1
}
# groups BEFORE AFTER SERIES COUNT APART STEP LAST: compares COUNT runs of BEFORE, the first, and then each STEP
# later, with COUNT of AFTER that are APART later, up to the run LAST.
groups() {
    n=1
    while [ $((n + $5 + $4 - 1)) -le "$7" ]; do
        # shellcheck disable=SC2046
        "$O/mlprof" "$1" $(several "$1" "$3" "$n" "$4") -compare "$2" $(several "$2" "$3" $((n + $5)) "$4")
        n=$((n + $6))
    done
}
# Each run with the next one, as if it were another build.
groups known known short 1 1 1 "$runs" | compared 'equal builds, one run a side' ''
for count in 2 5; do
    groups known known short $count $count $((2 * count)) "$runs" | compared "equal builds, $count runs a side" ''
done
for count in 1 2 5 10; do
    groups known slower one $count 0 $count "$pairs" |
        compared "5 % of the total planted, $count runs of 1,000 samples a side" ten
done
groups known slower real 1 0 1 "$real" | compared '5 % of the total planted, 10 s at 100 Hz a side' ten

# Null comparisons of programs that fork, use threads, and block signals.
"$CC" -O2 -pthread -fplugin="$O/ccprof.so" "$SRC/testsuite/compare/null.c" -o "$folder/null"
"$SRC/testsuite/compare/null.py" "$O/mlprof" "$folder/null" plain 30 forks 30 brief-forks 15 trees 20 spawns 25 \
    threads 8 brief-threads 30 blocked 30 signals 30 sleeps 30 blocked-forks 25 || failed=1
exit "$failed"
