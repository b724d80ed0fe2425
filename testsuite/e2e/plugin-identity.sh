#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The compiler takes the same decisions: it says the same of inlining and of everything
# else that it optimises, and warns of the same.
. "$SRC/testsuite/plugin/plugin.sh"

# anonymous: without addresses of the compiler's own memory.
anonymous() {
    sed 's/0x[0-9a-f]*/0x/g'
}

# decisions COMPILER OPTIONS...
decisions() {
    echo "$*"
    "$@" -fopt-info-all -Wall -Wextra -c -o a.o 2>messages
    anonymous <messages >want
    "$@" -fopt-info-all -Wall -Wextra -fplugin="$PLUGIN" -c -o a.o 2>messages
    anonymous <messages >got
    same got want
    is_profiled a.o
    if without_folders got | grep -q 'ccprof'; then
        fail "it speaks of ccprof"
    fi
    grep -c 'nlin' got || :
}

fortran=
if have "$FC" 'Fortran'; then
    fortran=yes
fi
for level in -O1 -O2 -O3 '-O3 -g'; do
    # shellcheck disable=SC2086
    {
        decisions "$CC" $level "$SOURCES/stack.c"
        decisions "$CC" $level "$SOURCES/loops.c"
        decisions "$CC" $level "$KERNEL" "$SRC/testsuite/forms/cold.c"
        for file in scene tree; do
            decisions "$CC" $level "$SRC/testsuite/demo/$file.c"
        done
        decisions "$CXX" $level "$KERNEL" "$SRC/testsuite/forms/names.cc"
        [ -z "$fortran" ] || decisions "$FC" $level "$KERNEL" "$SRC/testsuite/forms/names.f90"
    }
done
