# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the tests of blocks. Sourced after testsuite/lib.sh.

# The tests use both.
# shellcheck disable=SC2034
BLOCKS=$SRC/testsuite/count
# shellcheck disable=SC2034
KIND="-fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-blocks"

# lines SOURCE PROGRAM FILE...: how often each line of SOURCE that is marked //= was executed
# is what stands there.
lines() {
    source=$1
    shift
    awk 'match($0, /\/\/= [0-9]+$/) { print NR, substr($0, RSTART + 4) }' "$source" >lines.want
    [ -s lines.want ] || fail "no line of $source is marked"
    "$MLPROF" -gcov lines.json "$@" >lines.out
    tr '\n' ' ' <lines.json | sed 's/{"line_number"/\n&/g' |
        sed -n 's/^{"line_number": \([0-9]*\),.*"count": \([0-9]*\), "unexecuted.*/\1 \2/p' |
        awk 'NR == FNR { want[$1]; next } $1 in want' lines.want - | sort -n >lines.got
    same lines.got lines.want
}
