#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A shared object that is loaded again and again is counted each time, more often than there is room
# for modules, with inclusive counts, too; and its counts are one.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/count/count.sh"

# loads FILE CALLS
loads() {
    got=$(table ./prog "$1" | sed -n 's/^loaded //p')
    [ "$got" = "$2" ] || fail "$1: $got calls of loaded, not $2"
}

pcc "$KIND" -O1 -pthread -I"$SRC/rt" "$COUNT/reloads.c" -o prog
echo 'void loaded(void) { __asm__ volatile(""); }' >loaded.c
for options in '' -fplugin-arg-ccprof-stack; do
    echo "$options"
    # shellcheck disable=SC2086
    pcc "$KIND" $options -O1 -fPIC -shared loaded.c -o loaded.so
    for n in 10 1000; do
        rm -f ./*.out
        run 0 ./prog ./loaded.so $n
        same err /dev/null
        loads mlmon.out $((4 * n))
        loads data.out $((2 * ((n + 2) / 3)))
    done
done
