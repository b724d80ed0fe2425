#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What mlprof needs to print the profile of a large program; after compile-time.sh.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

cd "$work/sqlite" 2>/dev/null || exit 0
rm -f mlmon.out
./sqlite-expression :memory: >answer <"$bench/queries.sql"
title "mlprof: the profile of SQLite running queries"
[ -s mlmon.out ] || {
    echo "not measured: the program left no mlmon.out"
    exit 0
}
sed -n '/^samples/p; s/^counts \(.*\)/\1 places/p' mlmon.out | tr '\n' ' '
echo
"$work/ratio" 11 \
    "mlprof" "exec $O/mlprof sqlite-expression mlmon.out" \
    "mlprof, ten files" "exec $O/mlprof sqlite-expression $(yes mlmon.out | head -n 10 | tr '\n' ' ')" \
    "mlprof -where" "echo 0x10000 | $O/mlprof -where sqlite-expression" |
    awk -F '\t' 'BEGIN { printf "%-24s %9s %9s %9s\n", "", "CPU ms", "wall ms", "peak MiB" }
        { printf "%-24s %9.1f %9.1f %9.1f\n", $1, $2 * 1000, $6 * 1000, $7 / 1024 }'
echo "Aim: at most 50 ms and 64 MiB."
"$O/mlprof" sqlite-expression mlmon.out | head -n 8
