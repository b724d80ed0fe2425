#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# blocks: code behind a call in tail position is counted as often as the call returns, where the
# call cannot become a jump.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/blocks/blocks.sh"

for level in -O0 -O1 "-O2 -fno-optimize-sibling-calls" \
    "-O2 -fplugin-arg-ccprof-tail-calls=never" \
    "-O3 -flto -fplugin-arg-ccprof-tail-calls=self-only"; do
    # shellcheck disable=SC2086
    pcc $level $KIND "$BLOCKS/tail.c" -o tail
    ./tail
    lines "$BLOCKS/tail.c" tail mlmon.out
done
