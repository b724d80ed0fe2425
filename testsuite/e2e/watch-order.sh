#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The code of stopwatches is the same each time that a program is compiled, wherever the compiler
# has its memory.
. "$SRC/testsuite/lib.sh"

for time in 1 2 3 4 5 6 7 8; do
    pcc -O2 -fplugin-arg-ccprof-stopwatch=. -S "$SRC/testsuite/watch/order.c" -o "$time.s"
    same "$time.s" 1.s
done
# There are several variables, in whose order the stores are.
case $("$CC" -dumpmachine) in
x86_64*) [ "$(grep -c 'movq.*[$]0, [0-9]*(%rsp)' 1.s)" -gt 3 ] || fail "there are no variables" ;;
esac
