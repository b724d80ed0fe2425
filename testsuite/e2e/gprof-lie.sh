#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# f makes 10 expensive calls of h, g 100 cheap ones: the time is f's, but gprof gives it to g.
# show: 24
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/shares/rows.sh"
need gprof pr

LIE=$SRC/testsuite/gprof/lie.c
pcc -O2 "$KERNEL" "$LIE" -o lie
"$CC" -O2 -pg "$KERNEL" "$LIE" -o lie-pg

CCPROF=rate=1000 ./lie >own
"$MLPROF" -balance false lie mlmon.out >table
"$MLPROF" -balance false -callers h lie mlmon.out >callers
./lie-pg >own-pg
gprof -b -q lie-pg gmon.out >graph
{
    echo mlprof:
    cat table
    sed 1d callers
} >ours
{
    echo gprof:
    awk '/^-----/ && ++n == 4 { exit } /^index/ { on = 1 } on' graph
} >theirs
echo "by its own clock f has $(cat own) % of the time, and $(cat own-pg) % with -pg"
pr -m -t -w 130 ours theirs | expand

# column N FILE NAME: the percentage in that column of the row.
column() {
    awk -v column="$1" -v name="$3" '$1 == name { print $column + 0; exit }' "$2"
}

# Each expensive call costs a thousand cheap ones: f has 10,000 parts of 10,100.
for clock in own own-pg; do
    true_of "$(cat $clock) > 98 && $(cat $clock) < 99.5" || fail "f has $(cat $clock) %"
done

# Of some hundred samples: four standard deviations, and what is rounded.
samples=$(sed -n 's/^samples //p' mlmon.out)
[ "$samples" -gt 200 ] || fail "only $samples samples"
part=$(cat own)
near() {
    true_of "($1 - $2)^2 <= (4 * sqrt($2 * (100 - $2) / $samples) + 0.1)^2" ||
        fail "$3 is $1, not $2"
}
near "$(column 3 table f)" "$part" 'stack of f'
near "$(column 3 table g)" "$(awk "BEGIN { print 100 - $part }")" 'stack of g'
near "$(column 2 callers f)" "$part" 'calls of h from f'
near "$(column 2 callers g)" "$(awk "BEGIN { print 100 - $part }")" 'calls of h from g'

# gprof divides h by the calls, 10 and 100 of 110, whatever they cost.
charged=$(awk '$NF ~ /^\[/ && $1 ~ /^\[/ { part[$(NF - 1)] = $2 } END { print part["f"], part["g"] }' graph)
[ "$charged" = '9.1 90.9' ] || fail "gprof charges f and g $charged"
