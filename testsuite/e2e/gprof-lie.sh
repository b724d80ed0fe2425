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

# Each expensive call costs a thousand cheap ones: f has 10,000 parts of 10,100.
expensive() {
    lies 98 "$(cat "$1")" 99.5 "what f has by its own clock, $1"
}

# Of some hundred samples: four standard deviations, and what is rounded.
close() {
    far=$(awk "BEGIN { print 4 * sqrt($2 * (100 - $2) / $samples) + 0.1 }")
    lies "$(awk "BEGIN { print $2 - $far }")" "$1" "$(awk "BEGIN { print $2 + $far }")" "$3"
}

# ours: what mlprof says of a run is what the run's own clock does.
ours() {
    CCPROF=rate=1000 ./lie >own
    "$MLPROF" -balance false lie mlmon.out >table
    "$MLPROF" -balance false -callers h lie mlmon.out >callers
    samples=$(sed -n 's/^samples //p' mlmon.out)
    part=$(cat own)
    rest=$(awk "BEGIN { print 100 - $part }")
    expensive own && lies 201 "$samples" 1e6 samples &&
        close "$(table_cell f stack <table)" "$part" 'stack of f' && close "$(table_cell g stack <table)" "$rest" 'stack of g' &&
        close "$(table_cell f stack <callers)" "$part" 'calls of h from f' &&
        close "$(table_cell g stack <callers)" "$rest" 'calls of h from g'
}
theirs() {
    ./lie-pg >own-pg
    expensive own-pg
}
decide ours
decide theirs
gprof -b -q lie-pg gmon.out >graph

# gprof divides h by the calls, 10 and 100 of 110, whatever they cost.
charged=$(awk '$NF ~ /^\[/ && $1 ~ /^\[/ { part[$(NF - 1)] = $2 } END { print part["f"], part["g"] }' graph)
[ "$charged" = '9.1 90.9' ] || fail "gprof charges f and g $charged"

{
    echo mlprof:
    cat table
    sed 1d callers
} >left
{
    echo gprof:
    awk '/^-----/ && ++n == 4 { exit } /^index/ { on = 1 } on' graph
} >right
echo "by its own clock f has $(cat own) % of the time, and $(cat own-pg) % with -pg"
pr -m -t -w 130 left right | expand
