#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A part of bench.sh: what one sample costs, by the depth of the stack.
. "$(dirname "$0")/lib.sh"

cd "$bench/../.."
cpu=$("$CC" -dumpmachine)
"$CC" -O2 -std=gnu11 -I. testsuite/bench/stack-cost.c rt/stack.c rt/unwind.c rt/unwind-rules.c \
    rt/unwind-tables.c rt/unwind-expression.c rt/unwind-short.c rt/peek.c "rt/cpu-${cpu%%-*}.c" rt/table.c rt/log.c rt/spool.c \
    rt/quiet.c -o "$work/stack-cost"
title 'one sample, in microseconds, the signal itself included'
"$work/stack-cost" | awk '$2 == 0 { print "    a signal alone", $3; next }
    { print "    below", $2, ($2 == 1 ? "call" : "calls"), \
        ($1 == "functions" ? "of as many functions" : "of one function"), $3 }'
