#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# own processor
# time-field: after callbacks, exceptions and jumps the field is the right function's again; and
# where nothing is stored.
. "$SRC/testsuite/field/field.sh"
export CCPROF=rate=5000

for level in -O0 -O2 "-O2 -fPIC" "-O3 -flto" "-Os -fno-pie -no-pie"; do
    echo "$level: exceptions, longjmp, callbacks, signals"
    # shellcheck disable=SC2086
    pcxx $KIND $level "$KERNEL" "$FORMS/catch.cc" -o catch
    clocked catch
    # shellcheck disable=SC2086
    pcc $KIND $level "$KERNEL" "$FORMS/jump.c" -o jump
    clocked jump
    "$CC" -O2 "$KERNEL" -c "$FIELD/outside.c" -o outside.o
    # shellcheck disable=SC2086
    pcc $KIND $level "$KERNEL" "$FIELD/callback.c" "$FIELD/callback-elsewhere.c" outside.o \
        -o callback
    clocked callback
    "$CXX" -O2 "$KERNEL" -c "$FIELD/library.cc" -o library.o
    # shellcheck disable=SC2086
    pcxx $KIND $level "$KERNEL" "$FIELD/method.cc" library.o -o method
    clocked method
done

echo "a call of itself is not followed by a store, any other is"
pcc $KIND -O2 -S "$FIELD/calls.c" -o calls.s
assembly fib calls.s
has function.s 'call.*fib'
stores 1
assembly caller calls.s
stores 2
echo "nor is a call of what the C library does alone"
assembly copier calls.s
has function.s 'call.*strlen'
stores 1
echo "a tail call is none before which anything is stored, nor is a return"
assembly jumper calls.s
has function.s 'jmp.*elsewhere'
stores 1
sed -n '/%fs:/,$p' function.s >after
has after 'imul'
assembly leaver calls.s
stores 2
sed '1,/%fs:/d' function.s | sed '1,/%fs:/d' >after
has after 'imul\|ret'
echo "a loop in one function has no store"
assembly looper calls.s
stores 1
sed -n '/%fs:/,$p' function.s >after
has after 'imul'
