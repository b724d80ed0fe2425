#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# _Unwind_Resume behind the destructors of a landing pad, for which GCC has no location:
# it stands at the end of the scope that is left, or at the handler that does not fit.
. "$SRC/testsuite/plugin/plugin.sh"
need objdump "$CXX"

awk '/ leaves / && !/^\/\// { print $NF " unwind.cc:" NR }' "$SOURCES/unwind.cc" | sort >want
[ "$(wc -l <want)" -eq 5 ] || fail "the source does not say where"
for options in -O0 -O1 -O2 -O3 -Os '-O2 -g' '-O2 -fPIC' '-O2 -flto'; do
    echo "$options"
    # shellcheck disable=SC2086
    pcxx -std=c++11 $options "$SOURCES/unwind.cc" -o unwind
    objdump -d --no-show-raw-insn unwind | sed -n 's/^ *\([0-9a-f]*\):.*<_Unwind_Resume@plt>$/\1/p' >calls
    strip unwind
    # At -O0 nothing is inlined that does not have to be.
    "$MLPROF" -where unwind <calls | sed 's/.*: \([^ ]* \)[^ ]*\(unwind.cc:[0-9]*\):[0-9]*$/\1\2/' |
        sort >got
    same got want
done
