#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Gives random inputs to one target of fuzz.c, READER, for DURATION seconds. Environment: SRC, O, CC, CXX, PLUGIN.

set -eu
work=$O/fuzz/${READER:?say which: READER=mlmon, elf, tables, formula, map, keep, gate or route}
mkdir -p "$work/corpus"
[ -d "$O/fuzz/seeds" ] || {
    rm -rf "$O/fuzz/seeds.part"
    "$SRC/testsuite/fuzz/seeds.sh" "$O/fuzz/seeds.part"
    mv "$O/fuzz/seeds.part" "$O/fuzz/seeds"
}
cd "$work"
# What has been found before stands in the folder kept.
seeds="corpus $O/fuzz/seeds/$READER"
[ ! -d "$SRC/testsuite/fuzz/kept/$READER" ] || seeds="$seeds $SRC/testsuite/fuzz/kept/$READER"
dictionary=$SRC/testsuite/fuzz/$READER.dict
[ -f "$dictionary" ] || dictionary=
status=0
# shellcheck disable=SC2086
FUZZ_TARGET=$READER "$O/fuzz/fuzz" $seeds ${dictionary:+-dict="$dictionary"} -max_total_time="$DURATION" \
    -max_len=65536 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$work/" \
    >log 2>&1 || status=$?
grep -e 'stat::number_of_executed_units' -e 'DONE' -e 'SUMMARY' log || :
[ $status -eq 0 ] || {
    tail -n 40 log >&2
    echo "What does it: $work/crash-* (or leak-, timeout-, oom-); $O/fuzz/fuzz FILE runs one again."
    exit 1
}
