#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# own processor
# The demo program against an independent sampler: through ptrace, at random times, in
# the same machine code, whose addresses DWARF names too.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/shares/rows.sh"
need nm objcopy addr2line

text() {
    objcopy -O binary --only-section=.text "$1" "$1.text"
}

pcc -O2 "$SRC"/testsuite/demo/*.c -o demo -lm
pcc -O2 -g "$SRC"/testsuite/demo/*.c -o reference -lm
text demo
text reference
same reference.text demo.text
"$CC" -O2 "$SRC"/testsuite/demo/*.c -o plain -lm
./plain >want

# sampled: both samplers' runs. The innermost function at each sample: by DWARF, where addr2line -i names it first,
# and by mlprof.
sampled() {
    profile demo 800 6
    same output want
    # The other sampler knows program counters only.
    "$MLPROF" -raw true -skid false demo mlmon.out >table
    cat table
    rm mlmon.out
    CCPROF=off "$BIN/sampler" ./reference 800 6 3>samples >output ||
        skip "this system forbids ptrace: $(cat output)"
    same output want
    [ ! -f mlmon.out ] || fail "profiled in spite of CCPROF=off"

    grep '^0x' samples >addresses
    addr2line -a -f -i -e reference <addresses |
        awk '/^0x/ { first = 1; next } first { print; first = 0 }' >by-dwarf
    "$MLPROF" -where demo <addresses |
        sed 's/^0x[0-9a-f]*: //; s/ < .*//; s/ [^ ]*:[0-9:]*$//' >by-mlprof
    n=$(wc -l <by-dwarf)
    m=$(awk "BEGIN { print int(100 * $(seconds)) }")
    [ "$(wc -l <by-mlprof)" -eq "$n" ] || fail "mlprof -where left addresses out"
    echo "$n samples by ptrace, $m by ccprof; the same function for $(paste by-dwarf by-mlprof |
        awk '$1 == $2 { n++ } END { print 100 * n / NR }')% of those by ptrace"
    lies 501 "$n" 1e6 'samples by ptrace' && lies 101 "$m" 1e6 'samples by ccprof'
}

# part FILE NAME...: percentage of the lines that are one of the names.
part() {
    file=$1
    shift
    printf '%s\n' "$@" | awk 'NR == FNR { want[$1] = 1; next }
        { n++ } $1 in want { k++ } END { print 100 * k / n }' - "$file"
}

# compare NAME...: their share together, in three ways.  The first two name the same
# samples and so may differ only by the tenth of such code that DWARF gives to the
# function around it, for want of a scope.  The last two are named by the same tables
# and may differ by chance: at most four standard deviations of the difference,
# sqrt(p (1 - p) (1/n + 1/m)).
compare() {
    dwarf=$(part by-dwarf "$@")
    where=$(part by-mlprof "$@")
    sum=0
    for name; do
        sum="$sum + $(share "$name")"
    done
    sum=$(awk "BEGIN { print $sum }")
    allowed=$(awk "BEGIN { p = $where / 100
        print 400 * sqrt(p * (1 - p) * (1 / $n + 1 / $m)) + 0.1 }")
    echo "$*: DWARF $dwarf, mlprof on the same samples $where, profile $sum +- $allowed"
    lies "$(awk "BEGIN { print $where - 5 }")" "$dwarf" "$(awk "BEGIN { print $where + 5 }")" \
        "what DWARF has of $*, by mlprof -where $where:" || return
    lies "$(awk "BEGIN { print $where - $allowed }")" "$sum" "$(awk "BEGIN { print $where + $allowed }")" \
        "what ccprof has of $*, by ptrace $where:"
}

# agree: in a run of both all of these do; and what the head of main.c says beforehand: a good half.
agree() {
    sampled && compare nearest_below blocked_below && compare sphere_hit &&
        compare from_light highlight power shade follow &&
        compare vec_add vec_sub vec_scale vec_dot vec_mul vec_unit &&
        compare box_slab box_hit && lies 45 "$where" 70 'box_slab and box_hit'
}
decide agree
if nm demo | grep -E ' [tT] (box_slab|box_hit|sphere_hit)$'; then
    fail "this was to be inlined"
fi
