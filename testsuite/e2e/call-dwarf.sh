#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Inlined frames against what GCC's debug information says of the same instructions, as
# addr2line reads it in a program that was compiled without the plugin and with -g.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/call/call.sh"
need nm addr2line
cp "$CALL/chain.c" .

for level in -O1 -O2 '-O3 -fomit-frame-pointer'; do
    echo "$level"
    # shellcheck disable=SC2086
    pcc "$KIND" $level -pthread -I"$SRC/rt" chain.c -o prog
    # shellcheck disable=SC2086
    "$CC" -g $level -pthread -I"$SRC/rt" chain.c -o plain
    run 0 ./prog list
    cp out list
    nm -S prog >prog.nm
    nm -S plain >plain.nm
    run 0 awk -f "$CALL/against-dwarf.awk" prog.nm plain.nm list
    same err /dev/null
    xargs addr2line -i -f -s -e plain <out |
        awk 'NR % 2 { name = $1; next } { sub(/.*:/, ""); print name, $1 }' >want
    # Of the header, which is left out in a chain, DWARF tells.
    sed -i '/^ccprof_chain /d' want
    awk '{ print $2, $3 }' list >got
    same got want
    [ "$(awk '$4' list | wc -l)" -ge 3 ] || fail "$(awk '$4' list | wc -l) inlined frames"
done
