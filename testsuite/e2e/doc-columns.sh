#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a table's columns are: `mlprof -VIEW -help', the schema of JSON and the manual page say the same.
. "$SRC/testsuite/lib.sh"
need python3

# columns OPTION TABLES PAGE [SCHEMA]: of the table that OPTION prints, TABLES in JSON.
columns() {
    run 0 "$MLPROF" "-$1" -help
    python3 "$SRC/testsuite/columns/columns.py" out "$SRC/doc/${4:-mlprof}.schema.json" "$2" "$SRC/doc/$3" >faults ||
        fail "-$1: $(cat faults)"
}
columns by functions,groups mlprof.1
columns regions regions mlprof-regions.7
columns allocs allocations mlprof-memory.7
columns parallel parallel mlprof-parallel.7
columns callers calls mlprof.1
columns callees calls mlprof.1
columns arcs call_sites mlprof.1
columns list lines mlprof.1
columns histogram region_buckets,region_events mlprof-regions.7
columns imbalance '' mlprof-parallel.7
columns prof '' mlprof.1
columns hot-path hot_path mlprof.1
columns compare changes,regions mlprof-compare.7 mlprof-compare
columns growth growth mlprof-compare.7 mlprof-compare
columns gate differences mlprof-compare.7 mlprof-compare
columns peek '' mlprof.1

echo 'What is wrong is seen.'
run 0 "$MLPROF" -regions -help
# wrong SED-COMMAND FAULT
wrong() {
    sed "$1" out >changed
    ! python3 "$SRC/testsuite/columns/columns.py" changed "$SRC/doc/mlprof.schema.json" regions \
        "$SRC/doc/mlprof-regions.7" >faults || fail "$1: nothing is wrong"
    has faults "$2"
}
wrong 's/the median/the middle/' "^regions, p50_ns: 'the median' in the schema, 'the middle' in the help"
wrong 's/ min_ns / mid_ns /' '^no schema has mid_ns'
wrong 's/      max  /      mox  /' '^mlprof-regions.7 says nothing of mox'
# shellcheck disable=SC2016
wrong '/^    columns:/,$d' '^the help tells of no column'
