#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What profiling costs while the program runs, next to the other profilers.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

# contender NAME COMMAND: one more to be measured.
contender() {
    list="$list '$1' '$2'"
}

# verdict: whether the middle halves of ccprof and of plain measured twice overlap.
verdict() {
    awk -F '\t' '$1 == "plain, once more" { low = $4; high = $5; median = $3 }
        $1 == "ccprof" {
            if ($4 <= high && low <= $5)
                print "ccprof cannot be told from plain."
            else
                printf "ccprof can be told from plain: by %+.1f %%.\n", 100 * ($3 - median)
        }'
}

# one PROGRAM ARGUMENTS -- SOURCE...
one() {
    name=$1 arguments=$2
    shift 3
    d=$work/$(echo "$name" | tr " " -)
    mkdir -p "$d/plain" "$d/ccprof" "$d/pg" "$d/perf" "$d/gperftools"
    list=
    absent=
    "$CC" -O2 "$@" -o "$d/plain/prog" -lm
    contender "plain" "cd $d/plain && exec ./prog $arguments"
    contender "plain, once more" "cd $d/plain && exec ./prog $arguments"
    "$CC" -O2 "$plugin" "$@" -o "$d/ccprof/prog" -lm
    contender "ccprof" "cd $d/ccprof && exec ./prog $arguments"
    "$CC" -O2 -pg "$@" -o "$d/pg/prog" -lm
    contender "-pg" "cd $d/pg && exec ./prog $arguments"
    if (cd "$d/perf" && perf record -q -F 100 -o data true) >/dev/null 2>&1; then
        contender "perf record -F 100" \
            "cd $d/perf && exec perf record -q -F 100 -o data ../plain/prog $arguments 2>log"
    else
        absent="$absent
perf record: $(command -v perf >/dev/null 2>&1 && echo not allowed here || echo not installed)"
    fi
    if "$CC" -O2 "$@" -o "$d/gperftools/prog" -Wl,--no-as-needed -lprofiler -lm \
        2>/dev/null; then
        contender "gperftools" \
            "cd $d/gperftools && CPUPROFILE=data exec ./prog $arguments 2>log"
    else
        absent="$absent
gperftools: not installed"
    fi
    title "run time: $name, $ROUNDS rounds"
    eval "\"$work/ratio\" \"$ROUNDS\" $list" >"$d/ratios"
    ratios <"$d/ratios"
    verdict <"$d/ratios"
    [ -z "$absent" ] || echo "${absent#?}"
    [ -s "$d/ccprof/mlmon.out" ] || echo "ccprof: the program left no mlmon.out"
}

echo "Aim of ccprof: not to be told from plain, measured twice."
one "ray tracer" "500 4" -- "$bench"/../demo/*.c
one "recursive calls" "" -- "$bench/calls.c"
one "inlined helpers" "" -- "$bench/helpers.c"
