#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Thunks, inherited constructors and the several bodies of constructors and destructors count no
# call beside those of the source, and have no names that nobody can read.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/count/count.sh"

cp "$SRC/testsuite/names/thunks.cc" .
# The constructor that is inherited is one of both's own.
for level in -O0 -O2 -Os '-O2 -fPIC' '-O2 -flto' '-O2 -fno-inline -fno-devirtualize'; do
    echo "$level"
    # shellcheck disable=SC2086
    pcxx $level "$KIND" thunks.cc -o thunks
    { ./thunks && echo 'both::with_number 10'; } | sort >want
    table thunks mlmon.out >rows
    cat rows
    grep -v '^one\|^two\|^three\|^both::~*both\|^main\|^through\|^drop\|^copied' rows >got
    same got want
done

# Those that are compiled are frames of the functions that they call, and of no others.
pcxx -O0 thunks.cc -o thunks
nm -C thunks >symbols
has symbols ' covariant return thunk to both::copy'
python3 "$SRC/testsuite/names/units.py" thunks >units
hasnot units 'thunk to'
has units '^source both::copy | _ZN4both4copyEv | .* | entry$'
hasnot units '_ZT[chv]'
