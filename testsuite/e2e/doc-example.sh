#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# doc/how-it-works.md shows what the compiler that it names prints, and what mlprof does.
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

# The page's order of the passes is that of every kind, and no pass is missing.
sed -n '/^### The order of the passes/,/^## /s/^| .* | \(.*\) |$/\1/p' "$PAGE" | sed 1d |
    tr -d ' ' | tr , '\n' >want
: >passes
A=-fplugin-arg-ccprof
for arguments in $A-profile=time-label $A-profile=time-field,alloc "$A-profile=count $A-mark=function" \
    "$A-profile=count,alloc $A-stack $A-targets $A-delay=mix:1 $A-tail-calls=self-only" \
    $A-profile=time,count; do
    # shellcheck disable=SC2086
    pcc -O2 -fdump-passes $arguments -c mix.c 2>&1 |
        sed -n 's/^ *\(tree\|ipa\|rtl\)-ccprof_\([a-z_]*\) .*/\2/p' >got
    [ "$(wc -l <got)" -gt 4 ] || fail "$arguments: $(wc -l <got) passes"
    grep -x -f got want >order || :
    same got order
    cat got >>passes
done
sort -u passes >got
sort want >order
same got order

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

# The page's counts, at the addresses that the code has here, make the page's stacks and table.
fields() {
    cat <<'END'
ccprof mlmon 1
kind time
engine task-clock
clock cpu
rate 100
stack yes
cpu 1230000000
wall 1250000000
threads 1
waits 1
END
}
start=$(block '^[$] objdump' | sed -n '2s/:.*//p')
here=$((0x$(nm mix | awk '$3 == "mix" { print $1 }') - start))
call=$((0x$(objdump -d --disassemble=main mix | awk '/call.*<mix>$/ { sub(/:/, "", $1); print $1 }')))
{
    fields
    block '^samples' | sed '/^counts/,$d'
    echo "module 0 $(readelf -nW mix 2>/dev/null | sed -n 's/.*Build ID: *//p') 0x0 $PWD/mix"
    echo 'module 1 - 0x0 [vdso]'
    echo 'module 2 - 0x0 [libc]'
    block '^samples' | sed -n '/^counts/,$p' | while read -r depth module address count; do
        case $depth in
        counts) echo "$depth $module" ;;
        3) printf '3 0 0x%x %s\n' "$call" "$count" ;;
        4) printf '4 0 0x%x %s\n' "$((address + here))" "$count" ;;
        *) echo "$depth $module $address $count" ;;
        esac
    done
    echo end
} >mlmon.out
block '^1[.]23 seconds' >want
[ "$(wc -l <want)" -eq 5 ] || fail "the page shows no table"
run 0 "$MLPROF" -balance false -skid false mix mlmon.out
same out want
# `NAME FILE:LINE COUNT' of each line that was on a stack: in the listing the second field
# is the seconds in the line, the third its percentage with what it called.
block '^main mix' | sed 's/^ *//; s/  */ /g' | sort >want
[ "$(wc -l <want)" -eq 4 ] || fail "the page shows no stacks"
run 0 "$MLPROF" -balance false -skid false -raw true -list '.*' mix mlmon.out
awk '/^[a-z]+  mix[.]c: / { name = $1 }
    $3 ~ /%$/ { printf "%s mix.c:%d %d\n", name, $5, $2 * 100 + .5 }' out | sort >got
same got want
