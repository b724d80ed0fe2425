# SPDX-License-Identifier: GPL-3.0-or-later
# Prints of each path of a data file: its regions, outermost first, with slashes between them, then
# COUNT LEFT OPEN DIRECT INSIDE COLD, in the order of the names; of one region alone with -v of=PATH
# the line's fields as they are, behind the clock's HZ INNER OUTER (mlmon.out(5)). The calls are those
# of the path's buckets.

# The buckets of the path before this line.
function complete() {
    if (paths && calls != count[paths - 1]) {
        print FILENAME ":" FNR ": the buckets before have " calls " calls, not " count[paths - 1] >"/dev/stderr"
        exit 1
    }
    calls = 0
}

BEGIN { paths = 0 }
$1 == "regions" { clock = $3 " " $4 " " $5 }
$1 == "region" { name[$2] = substr($0, length($1 $2 $3 $4) + 5) }
$1 == "path" {
    complete()
    path[paths] = ($2 == "-" ? "" : path[$2] "/") name[$3]
    if (path[paths] == of)
        print clock, $0
    if (!of)
        print path[paths], $4, $15, $16, $9, $10, $18 | "sort"
    count[paths++] = $4
}
$1 == "bucket" { calls += $3 }
$1 == "events" || $1 == "end" {
    complete()
    paths = 0
}
