#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# blocks: each line is executed as often as its program says, at each level, whatever becomes
# of its function: inlined, deleted, left by exit, longjmp or an exception, on threads.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/blocks/blocks.sh"

for level in -O0 -O1 -O2 -O3 -Os "-O2 -g" "-O0 -flto" "-O2 -flto" "-O3 -flto -fPIC" -fPIC \
    "-O2 -ffunction-sections -Wl,--gc-sections"; do
    # shellcheck disable=SC2086
    pcc $level $KIND "$BLOCKS/paths.c" -o c
    ./c >out
    lines "$BLOCKS/paths.c" c mlmon.out
done

for level in -O0 -O2 "-O2 -flto"; do
    # shellcheck disable=SC2086
    pcxx $level $KIND -fplugin-arg-ccprof-exclude=/usr/ "$BLOCKS/paths.cc" -o cxx -pthread
    ./cxx
    lines "$BLOCKS/paths.cc" cxx mlmon.out
done

# Last acts that do not come back, as jumps and as calls.
for level in -O0 -O2 "-O2 -fno-optimize-sibling-calls"; do
    # shellcheck disable=SC2086
    pcc $level $KIND "$BLOCKS/tails.c" -o tails
    ./tails
    lines "$BLOCKS/tails.c" tails mlmon.out
done

# In a shared object.
echo 'int program(int, char **); int main(int n, char **v) { return program(n, v); }' >main.c
# shellcheck disable=SC2086
pcc -O2 -fPIC -shared $KIND -Dmain=program "$BLOCKS/paths.c" -o libprogram.so
$CC main.c -o main -L. -lprogram -Wl,-rpath,"$PWD"
./main >out
lines "$BLOCKS/paths.c" main mlmon.out
