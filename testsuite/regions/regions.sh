# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the tests of regions. Sourced after testsuite/lib.sh and testsuite/runtime/rt.sh.

REGIONS=$SRC/testsuite/regions

# regions FILE: checks that the file conforms to mlmon.out(5). Writes its paths to the file `paths'.
regions() {
    valid "$1"
    awk -f "$REGIONS/regions.awk" "$1" >paths || fail "the regions of $1 are not as mlmon.out(5) says"
}

# ended NAME: the calls of the region in all paths of the file `paths'.
ended() {
    awk -v name="$1" '{ n = split($1, part, "/") } part[n] == name { sum += $2 } END { print sum + 0 }' paths
}

# calls FILE: writes a line `PATH CALLS LEFT OPEN' for each path to the file `got'. Copies of a
# function are one region, even if they are nested.
calls() {
    regions "$1"
    awk '{
        path = ""
        count = split($1, part, "/")
        for (i = 1; i <= count; i++)
            if (i == 1 || part[i] != part[i - 1])
                path = path (i > 1 ? "/" : "") part[i]
        calls[path] += $2
        left[path] += $3
        open[path] += $4
    }
    END { for (p in calls) if (calls[p] + open[p]) print p, calls[p], left[p], open[p] }' paths | sort >got
}

# paths: checks that the paths of mlmon.out equal the standard input.
paths() {
    cat >want
    regions mlmon.out
    same paths want
}
