#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What doc/how-it-works.md shows is what comes out of the compiler that it names.
. "$SRC/testsuite/lib.sh"
need objdump
PAGE=$SRC/doc/how-it-works.md
case "$("$CC" -dumpfullversion) $("$CC" -dumpmachine)" in
"12.2.0 x86_64-linux-gnu") ;;
*) skip "the page shows the output of another compiler" ;;
esac

# block START: the first fenced block whose first line matches.
block() {
    awk -v start="$1" '/^```/ { fenced = !fenced; if (!fenced && inside) exit; first = fenced; next }
        fenced && first { inside = $0 ~ start; first = 0 }
        inside' "$PAGE"
}

block '^#include' >mix.c
pcc -O2 -S -fdump-tree-optimized-lineno mix.c -o mix.s

block 'DEBUG BEGIN_STMT$' >want
[ "$(wc -l <want)" -gt 5 ] || fail "the page shows no markers"
awk 'NR == FNR { want[++n] = $0; next }
    $0 == want[k + 1] { if (++k == n) { found = 1; exit } next } { k = $0 == want[1] }
    END { exit !found }' want mix.c.*.optimized || {
    cat mix.c.*.optimized >&2
    fail "the end of GIMPLE is another one"
}

block '^mix:$' >want
[ -s want ] || fail "the page shows no assembly"
awk '/^mix:$/ { on = 1 } on && !/\.cfi_/ && !/^\.LF[BE]/ { print } on && /\.popsection/ { exit }' \
    mix.s >got
same got want

# Other libraries may put the code elsewhere: addresses from the function's start.
pcc -O2 mix.c -o mix
relative() {
    awk -F: 'BEGIN { for (i = 0; i < 16; i++) digit[substr("0123456789abcdef", i + 1, 1)] = i }
        { n = 0; for (i = 3; i <= length($1); i++) n = 16 * n + digit[substr($1, i, 1)]
          if (NR == 1) base = n
          sub(/^0x[0-9a-f]*/, ""); print n - base $0 }'
}
block '^[$] objdump' | sed 1d | relative >want
[ "$(wc -l <want)" -eq 12 ] || fail "the page shows $(wc -l <want) addresses"
objdump -d --disassemble=mix mix | sed -n 's/^ *\([0-9a-f]*\):.*/\1/p' |
    "$MLPROF" -where mix | relative >got
same got want
