#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# While a file of counts is written to where that takes long, nothing else about counts is left
# undone: the gate, and the counters of shared objects that are loaded.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/count/count.sh"

echo 'void loaded(void) { __asm__ volatile(""); }' >loaded.c
pcc "$KIND" -O1 -fPIC -shared loaded.c -o loaded.so
pcc "$KIND" -O1 -pthread -I"$SRC/rt" "$COUNT/slow.c" -o prog
run 0 ./prog ./loaded.so
same err /dev/null
table ./prog mlmon.out >got
has got '^f00000 1006$'
has got '^work 2$'
has got '^loaded 1000$'
has got '^f53333 1$'
