#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A part of bench.sh: what one sample costs, by the depth of the stack.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

cd "$bench/../.."
cpu=$("$CC" -dumpmachine)
"$CC" -O2 -std=gnu11 -I. testsuite/bench/stack-cost.c \
    rt/unwind/stack.c rt/unwind/fold.c rt/unwind/outer.c rt/unwind/outer-memory.c rt/os/pages.c \
    rt/unwind/unwind.c rt/unwind/unwind-rules.c rt/unwind/unwind-tables.c \
    rt/unwind/unwind-expression.c rt/unwind/unwind-short.c rt/os/safe-read.c \
    "rt/unwind/cpu-${cpu%%-*}.c" rt/table/table.c rt/table/overflow.c rt/os/overflow-file.c \
    rt/os/blocked.c -o "$work/stack-cost"
title 'one sample, in microseconds, the signal itself included'
"$work/stack-cost" | awk '$2 == 0 { print "    a signal alone", $3; next }
    { print "    below", $2, ($2 == 1 ? "call" : "calls"), \
        ($1 == "functions" ? "of as many functions" : "of one function"), $3 }'
