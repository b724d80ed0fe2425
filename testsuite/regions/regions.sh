# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the tests of regions. Sourced after testsuite/lib.sh and testsuite/runtime/rt.sh.

REGIONS=$SRC/testsuite/regions

# regions FILE: it is as mlmon.out(5) says; its paths into the file `paths'.
regions() {
    valid "$1"
    awk -f "$REGIONS/regions.awk" "$1" >paths || fail "the regions of $1 are not as mlmon.out(5) says"
}

# ended NAME: the calls of the region in all paths of the file `paths'.
ended() {
    awk -v name="$1" '{ n = split($1, part, "/") } part[n] == name { sum += $2 } END { print sum + 0 }' paths
}

# paths: what stands on the standard input are the paths of mlmon.out.
paths() {
    cat >want
    regions mlmon.out
    same paths want
}
