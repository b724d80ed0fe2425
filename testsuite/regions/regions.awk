# SPDX-License-Identifier: GPL-3.0-or-later
# Judges what mlmon.out(5) calls regions, independently of the code that writes and reads it, and
# prints of each path: its regions, outermost first, with slashes between them, then
# COUNT LEFT OPEN DIRECT INSIDE COLD, in the order of the names; of one region alone with -v of=PATH
# the line's fields as they are, behind the clock's HZ INNER OUTER.

function bad(what) {
    if (!failed)
        print FILENAME ":" FNR ": " what ": " $0 > "/dev/stderr"
    failed = 1
    exit 1
}

# From which time on, and below which, the bucket has them.
function low(bucket, n) {
    if (bucket < 16)
        return bucket
    n = int((bucket - 16) / 8)
    return (8 + (bucket - 16) % 8) * 2 ^ (n + 1)
}

# The buckets of the path before this line.
function complete() {
    if (paths && calls != count[paths - 1])
        bad("the buckets before have " calls " calls, not " count[paths - 1])
    # The mean of squares is no less than the square of the mean.
    if (paths && least > total[paths - 1] * 1.0000001)
        bad("the buckets before say that it is " least " at least")
    calls = least = last = 0
}

BEGIN { paths = regions = 0 }
$1 == "regions" && NF == 5 && $2 ~ /^(tsc|cntvct|rdtime|monotonic)$/ {
    inside = 1
    clock = $3 " " $4 " " $5
    if ($3 < 1000000 || $5 < $4)
        bad("wrong clock")
    next
}
inside && $1 == "unplaced" && NF == 2 && $2 ~ /^[1-9][0-9]*$/ && !regions && !unplaced {
    unplaced = $2
    next
}
!inside { next }
$1 == "region" {
    if ($2 != regions++ || paths || ($3 == "-") != ($4 == "0x0"))
        bad("wrong region")
    name[$2] = substr($0, length($1 $2 $3 $4) + 5)
    next
}
$1 == "path" {
    complete()
    if (NF != 21 || ($2 != "-" && $2 >= paths) || $3 >= regions)
        bad("wrong path")
    path[paths] = ($2 == "-" ? "" : path[$2] "/") name[$3]
    if (path[paths] in there)
        bad("twice")
    there[path[paths]] = 1
    count[paths] = $4
    total[paths] = $5
    if ($6 > $5 || $7 > $5 || $9 > $10 || $15 > $4 || $18 > $4 || $19 > $5)
        bad("a part is more than the whole")
    if ($4 && ($12 > $13 || $11 < $12 || $11 > $13 || $13 * $13 > $8 || $5 * $5 / $4 > $8 * 1.0000001))
        bad("wrong times")
    if (!$4 && ($5 || $6 || $7 || $8 || $9 || $11 || $12 || $13 || $15 || $18))
        bad("times of nothing")
    if (!$16 && $17)
        bad("open for nothing")
    if ($18 && ($20 > $21 || $20 < $12 || $21 > $13 || $19 < $21))
        bad("wrong cold times")
    min = $12
    max = $13
    if (path[paths] == of)
        print clock, $0
    if (!of)
        print path[paths], $4, $15, $16, $9, $10, $18 | "sort"
    paths++
    next
}
$1 == "bucket" {
    if (NF != 3 || (calls && $2 <= last) || $3 < 1 || $2 > 335)
        bad("wrong bucket")
    if (low($2) > max || ($2 < 335 && low($2 + 1) <= min))
        bad("no call can be there")
    last = $2
    calls += $3
    least += low($2) * $3
    next
}
{
    complete()
    inside = 0
}
END {
    if (!failed && inside)
        bad("no end")
}
