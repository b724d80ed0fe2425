#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The profile of a program of more than 100,000 lines of which every function is sampled: the table
# of a million samples; and 10,000 data files of 100 KB, merged.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

files=20 functions=680
rm -rf "$work/merge"
mkdir -p "$work/merge/many"
cd "$work/merge"
awk -v files=$files -v per=$functions -f "$bench/many-lines.awk"
for source in *.c; do
    "$CC" -O2 "$plugin" -c "$source"
done
"$CC" -no-pie "$plugin" ./*.o -o prog

# The time of each in ms, and how much memory.
table() {
    awk -F '\t' 'BEGIN { printf "%-34s %9s %7s %9s %9s\n", "", "CPU ms", "ratio", "wall ms", "peak MiB" }
        { printf "%-34s %9.1f %7.2f %9.1f %9.1f\n", $1, $2 * 1000, $3, $6 * 1000, $7 / 1024 }'
}

title "mlprof: a program of $(cat ./*.c | wc -l) lines, each function sampled"
CCPROF=rate=10000,output=some ./prog 150000
# A million, at the points that the run has sampled.
awk '/^samples/ { by = int(1000000 / $2) + 1; $2 *= by }
    NF == 4 && $4 ~ /^[0-9]+$/ { $4 *= by }
    { print }' some >all
sed -n '/^samples/p; s/^counts \(.*\)/\1 places/p' all | tr '\n' ' '
echo
"$bench/ratio.py" 3 "mlprof" "exec $O/mlprof prog all >table" \
    "mlprof -no-skid" "exec $O/mlprof -no-skid prog all >table" | table
echo "Aim: 50 ms."

title "mlprof: data files of 100 KB, merged"
for i in 1 2 3 4; do
    CCPROF=rate=2000,output=many/$i ./prog 20000
done
stat -c '%s bytes' many/?
for count in 100 1000 10000; do
    yes 'many/1 many/2 many/3 many/4' | head -n $((count / 4)) >"list-$count"
done
"$bench/ratio.py" 1 "100 files" "exec $O/mlprof -mlmon list-100 prog >table" \
    "1,000 files" "exec $O/mlprof -mlmon list-1000 prog >table" \
    "10,000 files" "exec $O/mlprof -mlmon list-10000 prog >table" | table
echo "Aim: 10,000 files in 10 s, in as much memory as 100."
