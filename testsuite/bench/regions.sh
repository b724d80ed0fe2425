#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A part of bench.sh: what a call of a region costs, beside other ways to measure time.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

calls=1000000

# seconds COMMAND...: of CPU time, of its children too; the least of five.
seconds() {
    for _ in 1 2 3 4 5; do
        CCPROF=off TIMEFORMAT='%U %S' bash -c 'time "$@" >/dev/null 2>&1' bash "$@" 2>&1
    done | awk '{ print $1 + $2 }' | sort -g | head -n 1
}

title 'a call of a region, in nanoseconds of CPU time'
"$CC" -O2 -std=gnu11 -finstrument-functions -c "$bench/regions-instrumented.c" \
    -o "$work/instrumented.o"
"$CC" "$plugin" -fplugin-arg-ccprof-stopwatch='_watched$' -O2 -std=gnu11 -pthread -I"$bench/../../rt" "$bench/regions.c" \
    "$work/instrumented.o" -o "$work/regions"
(cd "$work" && CCPROF="output=regions.out" ./regions) | awk -F '\t' '
    $1 != threads { threads = $1; printf "%d thread%s\n", $1, $1 == 1 ? "" : "s" }
    { printf "    %-26s %7.1f %6.2f times two bare readings\n", $2, $3, $4 }'
if command -v uftrace >/dev/null 2>&1; then
    "$CC" -O2 -std=gnu11 -pg -DCALLS=$calls "$bench/regions-instrumented.c" -o "$work/traced"
    "$CC" -O2 -std=gnu11 -DCALLS=$calls "$bench/regions-instrumented.c" -o "$work/untraced"
    with=$(seconds uftrace record -d "$work/uftrace.data" "$work/traced")
    without=$(seconds "$work/untraced")
    awk -v with="$with" -v without="$without" -v calls=$calls \
        'BEGIN { printf "    %-26s %7.1f\n", "uftrace record", (with - without) / calls * 1e9 }'
else
    echo 'not measured: uftrace is not installed'
fi
