#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# The demo program: the same output as without the plugin, and the same shares as an
# independent sampler finds (through ptrace, at random times, in the same machine code)
# whose addresses DWARF names.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/shares/rows.sh"
need nm

pcc -O2 "$SRC"/testsuite/demo/*.c -o demo -lm
"$CC" -O2 -g "$SRC"/testsuite/demo/*.c -o reference -lm
profile demo 800 6
cat table
"$BIN/sampler" ./reference 800 6 3>samples >want || {
    cat want
    skip "this system forbids ptrace"
}
same output want

# Innermost function of each sample; addr2line -i names it first.
grep '^0x' samples | "${ADDR2LINE:-addr2line}" -a -f -i -e reference |
    awk '/^0x/ { first = 1; next } first { print; first = 0 }' >functions
n=$(wc -l <functions)
[ "$n" -gt 500 ] || fail "only $n samples by ptrace"
m=$(awk "BEGIN { print int(100 * $(seconds)) }")
[ "$m" -gt 100 ] || fail "only $m samples by ccprof"

# compare NAME...: their shares together.  Two samples of a share p differ by at most
# four standard deviations of the difference, sqrt(p (1 - p) (1/n + 1/m)); and DWARF
# leaves a tenth of such code without a scope, which is then charged to the function
# around it: SLACK points for that.
compare() {
    slack=$1
    shift
    mine=0
    for name; do
        mine="$mine + $(share "$name")"
    done
    mine=$(awk "BEGIN { print $mine }")
    theirs=$(printf '%s\n' "$@" | awk -v n="$n" 'NR == FNR { want[$1] = 1; next }
        $1 in want { count++ } END { print 100 * count / n }' - functions)
    allowed=$(awk -v p="$theirs" -v n="$n" -v m="$m" -v slack="$slack" 'BEGIN {
        p = p / 100; print 400 * sqrt(p * (1 - p) * (1 / n + 1 / m)) + slack }')
    echo "$*: mlprof $mine%, ptrace and DWARF $theirs%, may differ by $allowed"
    true_of "$mine - $theirs <= $allowed && $theirs - $mine <= $allowed" ||
        fail "$* differ by more than that"
}

compare 5 box_slab box_hit
compare 5 nearest_below blocked_below
compare 3 sphere_hit try_leaf
compare 3 from_light highlight power shade follow
# What the head of main.c says beforehand: a good half, and about a quarter.
compare 5 box_slab box_hit >again
true_of "$mine >= 45 && $mine <= 70" || fail "box_slab and box_hit: $mine%"
if nm demo | grep -E ' [tT] (box_slab|box_hit|sphere_hit)$'; then
    fail "this was to be inlined"
fi
