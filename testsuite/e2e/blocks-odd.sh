#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# blocks and targets where control flow is odd: computed and non-local gotos, setjmp, assembly
# that jumps, endless loops; the counts are gcov's without optimisation, and the
# program does the same at each level.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/flow/flow.sh"
need python3

same_as_gcov "$CC" "" "$SRC/testsuite/blocks/odd.c"

"$CC" -w "$SRC/testsuite/blocks/odd.c" -o plain
./plain >want
for level in -O0 "-O2 -fnon-call-exceptions" "-O3 -flto" "-O2 -fsanitize=address,undefined" \
    "-Os -fPIC" "-O2 -ftree-parallelize-loops=4"; do
    # shellcheck disable=SC2086
    pcc -w $level -fplugin-arg-ccprof-profile=time,count -fplugin-arg-ccprof-blocks \
        -fplugin-arg-ccprof-targets "$SRC/testsuite/blocks/odd.c" -o prog
    ./prog >got
    same got want
    "$MLPROF" -gcov out.json prog mlmon.out >/dev/null
    has out.json '"line_number": 9, "function_name": "computed", "count": 1,'
    "$MLPROF" -raw true prog mlmon.out >table
    table_rows calls <table >rows
    has rows '^factorial 11$'
done
