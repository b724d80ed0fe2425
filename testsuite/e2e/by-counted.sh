#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How often expressions were executed, against programs that count their expressions themselves, in C and
# C++, at several levels of optimisation, with counts alone and beside time and allocations.
. "$SRC/testsuite/lib.sh"
need python3

MARKED=$SRC/testsuite/by/marked.py

# tried COMPILER OPTIONS KIND [LEAST]
tried() {
    rm -f mlmon.out
    # shellcheck disable=SC2086
    "$1" $2 -fplugin-arg-ccprof-profile="$3" -fplugin-arg-ccprof-blocks "$own" -o prog
    CCPROF=rate=10000 ./prog
    "$MLPROF" -by expression -csv rows.csv prog mlmon.out >/dev/null
    echo "$2 $3"
    # shellcheck disable=SC2086
    python3 "$MARKED" equal "$own" ranges counts rows.csv ${4-} || fail "$own, $2, $3: not what the program counts"
}

# counted COMPILER WITH SUFFIX: the program that counts itself is compiled by COMPILER, WITH the plugin the other.
counted() {
    own=own.$3
    python3 "$MARKED" split "$SRC/testsuite/by/$own.in" "$own" counting."$3" ranges
    "$1" -O1 -w counting."$3" -o counting
    ./counting
    for level in -O0 -O2 "-O3 -flto"; do
        tried "$2" "$level" count
    done
    tried "$2" "-O2 -g" alloc,count
    # Of what has samples.
    tried "$2" -O0 time,count 1
}

counted "$CC" pcc c
counted "$CXX" pcxx cc
