#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How many of the intervals of 95 % of sampled heaps hold the truth, which heap=exact tells, and the mean of the
# estimates.  RUNS: how many runs of each; SIZES: of the samples.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"
: "${RUNS:=200}" "${SIZES:=64K 256K 1M}"

# figures FILE: estimate and interval of the bytes in the first line of a report.
figures() {
    "$O/mlprof" -heap "$1" -top 1 prog sampled.out |
        sed -n '1s/^\([0-9,]*\) bytes* in .*95% range of the bytes \([0-9,]*\)-\([0-9,]*\)$/\1 \2 \3/p' | tr -d ,
}

# one TITLE ARGUMENTS: a line for each size.
one() {
    arguments=$2
    # shellcheck disable=SC2086
    CCPROF=heap=exact,samples=no,output=exact.out ./prog $arguments
    for size in $SIZES; do
        rm -f figures
        run=0
        while [ "$run" -lt "$RUNS" ]; do
            run=$((run + 1))
            # shellcheck disable=SC2086
            CCPROF=heap=$size,samples=no,output=sampled.out ./prog $arguments
            for measure in total live peak; do
                echo "$measure $(figures $measure)" >>figures
            done
        done
        awk -v title="$1" -v size="$size" '
            FILENAME == "exact.out" {
                if ($1 == "allocated") truth["total"] = $3
                if ($1 == "alive") truth["live"] = $3
                if ($1 == "peak") truth["peak"] = $3
                next
            }
            NF == 4 { runs[$1]++; sum[$1] += $2; held[$1] += $3 <= truth[$1] && truth[$1] <= $4 }
            END {
                printf "%-28s %5s", title, size
                for (i = split("total live peak", names, " "); i > 0; i--) {
                    n = names[4 - i]
                    printf "  %s %d/%d %.3f", n, held[n], runs[n], sum[n] / runs[n] / truth[n]
                }
                print ""
            }' exact.out figures
    done
}

mkdir -p "$work/heap-intervals"
cd "$work/heap-intervals"
"$CC" -O2 "$plugin" "$bench/blocks.c" -o prog -lpthread
title "intervals of sampled heaps that hold the truth, and the mean estimate by the truth: $RUNS runs"
echo "Aim: 95 of 100, of peaks at least."
one "all alive at once" "replaced 20000 1"
one "replaced 10 times" "replaced 20000 10"
one "replaced 100 times" "replaced 5000 100"
