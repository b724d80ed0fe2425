#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that take the addresses of functions whose calls come to the runtime first.  In an executable
# at a fixed place the address of a function of libc is, for all modules, that of the code by which the
# executable calls it; on riscv64 so it is of each that it calls.
. "$SRC/testsuite/lib.sh"

for form in '-fPIE -pie' '-fno-pie -no-pie' '-fno-pie -no-pie -D_FORTIFY_SOURCE=2' '-fno-pie -no-pie -fno-plt'; do
    echo "$form"
    # shellcheck disable=SC2086
    {
        $CC -O2 -pthread $form "$SRC/testsuite/rt/addresses.c" -o plain
        pcc -O2 -pthread $form "$SRC/testsuite/rt/addresses.c" -o program
    }
    run 3 timeout 300 ./plain
    mv out want
    run 3 timeout 300 ./program
    same out want
done
