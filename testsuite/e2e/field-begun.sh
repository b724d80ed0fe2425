#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# time-field: a signal between the instructions of a store is charged as if it had been stored.  (On
# x86-64 the unit test check_rt_store asks this.)
. "$SRC/testsuite/lib.sh"

[ "$cpu" != x86_64 ] || exit 0
for options in -fPIE\ -pie -static '-fno-pie -no-pie'; do
    echo "$options"
    # shellcheck disable=SC2086
    "$CC" -O1 -Wall -Wextra -Werror $options -I"$SRC" "$SRC/testsuite/field/begun.c" \
        "$SRC/rt/unwind/store-$cpu.c" "$SRC/rt/os/safe-read.c" -o begun
    run 0 timeout 300 ./begun
    cat out
done
