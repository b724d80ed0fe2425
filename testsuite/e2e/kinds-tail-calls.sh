#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tail calls stay tail calls in every kind: 10^8 deep in a stack of 64 KiB, and the jump in
# the assembly.
. "$SRC/testsuite/forms/forms.sh"

# jumps FUNCTION TARGET: the assembly of FUNCTION jumps to TARGET.
jumps() {
    sed -n "/^$1:/,/\.size[[:space:]]*$1,/p" tail.s >function.s
    has function.s "[[:space:]]jmp[[:space:]]*$2"
    hasnot function.s "[[:space:]]call[[:space:]]*$2"
}

start() {
    # shellcheck disable=SC3045
    (ulimit -s 64 && exec "$@")
}

# timed: its time is that of the three functions.
timed() {
    profile tail 100000000
    sums 98 even odd self
}

# counted: the last run has counted each call.
counted() {
    run 0 "$MLPROF" tail mlmon.out
    table_rows calls <out >rows
    has rows '^even 50000001$'
    has rows '^odd 50000000$'
    has rows '^self 100000001$'
}

# runs OPTION...: the program compiled with them runs in the small stack.
runs() {
    pcc "$@" "$FORMS/tail.c" -o tail
    rm -f mlmon.out
    start ./tail 100000000 >output || fail "the stack was not enough: status $?"
    same output want
}

# kind OPTION...: so it is compiled for a kind; with jumps that must be, too, where they need not.
kind() {
    echo "$*"
    for option; do
        set -- "$@" "-fplugin-arg-ccprof-$option"
        shift
    done
    if [ "$must" ]; then
        runs -O0 -DMUST "$@"
        runs -O2 -DMUST -fplugin-arg-ccprof-tail-calls=never "$@"
    fi
    for level in -O2 -Os; do
        if [ "$(uname -m)" = x86_64 ]; then
            pcc $level "$@" -S "$FORMS/tail.c" -o tail.s
            jumps even odd
            jumps odd even
            jumps self '\*'
        fi
        runs $level "$@"
    done
}

"$CC" -O2 "$FORMS/tail.c" -o plain
./plain 100000000 >want
must=yes
"$CC" -O0 -DMUST -c "$FORMS/tail.c" -o must.o 2>must.log || {
    must=
    leave_out "calls that must be jumps: this compiler has no attribute for them"
}
kind profile=drop
kind profile=call
kind profile=time
timed
kind profile=time-field
timed
kind profile=count
counted
kind profile=time,count
timed
counted
kind profile=count blocks
counted
kind profile=count mark=function
counted
kind profile=count mark=block
kind profile=count targets
counted
kind profile=alloc
kind profile=count stack
counted
kind profile=alloc stack
