#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tail calls stay tail calls: 3 x 10^8 deep in a stack of 64 KiB.
. "$SRC/testsuite/forms/forms.sh"

# jumps FUNCTION TARGET: the assembly of FUNCTION jumps to TARGET and calls nothing.
jumps() {
    sed -n "/^$1:/,/\.size[[:space:]]*$1,/p" tail.s >function.s
    has function.s "[[:space:]]jmp[[:space:]]*$2"
    hasnot function.s '[[:space:]]call'
}

# In so small a stack; what the program says of its clock goes to `part`.
start() {
    # shellcheck disable=SC3045
    (ulimit -s 64 && exec "$@" 2>part)
}

part_of_self() {
    awk '{ print 100 - $1 }' part
}

for level in -O2 -O3 -Os; do
    echo "$level"
    pcc $level -S "$FORMS/tail.c" -o tail.s
    if [ "$(uname -m)" = x86_64 ]; then
        jumps even odd
        jumps odd even
        jumps self '\*'
    fi
    pcc $level "$FORMS/tail.c" -o tail
    profile tail 300000000 clock
    "$CC" $level "$FORMS/tail.c" -o plain
    ./plain 300000000 clock >want 2>/dev/null
    same output want
    # even and odd take turns so fast that an interrupt lands in one of them of its own choice.
    REFERENCE=part_of_self
    near self "$(part_of_self)" first
    REFERENCE=:
    sums 98 even odd self
    charged tail "$ALPHA" even even
    charged tail "$BETA" odd odd
done
