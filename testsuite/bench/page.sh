#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page: how large that of SQLite is, with its sources, and how long it makes a person wait, with
# 100,000 samples and a million; beside speedscope's page with the same profile. After report-merge.sh
# also that of its program of 13,600 functions.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

title "the page of SQLite: waiting for it in a browser, wall ms"
for tool in python3 chromium; do
    command -v $tool >/dev/null 2>&1 || {
        echo "not measured: $tool is not installed"
        exit 0
    }
done
sqlite || exit 0
mkdir -p "$work/page"
cd "$work/page"
[ -x sqlite ] || "$CC" -O2 "$plugin" "$work/sqlite/sqlite3.c" "$work/sqlite/shell.c" -o sqlite -lm -lpthread -ldl

# The files, by as many runs as their samples need.
samples() {
    sed -n 's/^samples //p' "$@" | awk '{ sum += $1 } END { print sum + 0 }'
}
pages=
set --
for want in 100000 1000000; do
    while [ "$(samples /dev/null "$@")" -lt $want ]; do
        file=mlmon.$(($# + 1))
        [ -s "$file" ] || CCPROF=rate=10000,output=$file ./sqlite :memory: <"$bench/queries.sql" >answer
        set -- "$@" "$file"
    done
    "$O/mlprof" -html $want.html sqlite "$@" >table
    pages="$pages $want.html"
    [ $want != 100000 ] || "$O/mlprof" -folded profile.folded sqlite "$@" >table
done
if [ -s "$work/merge/all" ] && [ -x "$work/merge/prog" ]; then
    "$O/mlprof" -html functions.html "$work/merge/prog" "$work/merge/all" >table
    pages="$pages functions.html"
fi
echo 'MB of the file, until the first table, for a key in the filter (median, most), for each view'
# Names without blanks.
# shellcheck disable=SC2086
python3 "$bench/../page/speed.py" $pages
index=$O/readers/speedscope/dist/release/index.html
if [ -f "$index" ]; then
    python3 "$bench/../page/speed.py" -speedscope "$index" profile.folded
else
    echo 'speedscope: not measured, make check brings it'
fi
echo 'Aim: at most 5 MB for 100,000 samples; 1,000 ms until the first table; 100 ms for a key.'
