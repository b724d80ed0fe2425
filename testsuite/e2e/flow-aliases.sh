#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Who called whom, where functions have several names: constructors, destructors, aliases; from
# the same compilation and from another one. Worked out by hand.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/flow/flow.sh"

FLOW=$SRC/testsuite/flow

# callers FUNCTION: lines `CALLER CALLS' of those that it has for sure.
callers() {
    "$MLPROF" -callers "^$1  " a mlmon.out >listed
    hasnot listed ' least '
    table_rows calls <listed | sort
}

# called FUNCTION CALLER CALLS...: that is all.
called() {
    name=$1
    shift
    callers "$name" >got
    printf '%s %s\n' "$@" >want
    same got want
}

for level in -O0 -O2 "-O2 -flto" "-O2 -fPIC"; do
    # shellcheck disable=SC2086
    pcxx $level $BLOCKS "$FLOW/aliases.cc" "$FLOW/aliases-main.cc" -o a
    ./a
    called base::base derived::derived 4 here 1 main 1
    called derived::derived here 1 main 3
    called base::~base derived::~derived 4 here 1 main 1
    called body here 3 main 4
done
