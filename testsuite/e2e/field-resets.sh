#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# time-field: who gets the field back, and where nothing is stored.
. "$SRC/testsuite/field/field.sh"

for level in -O0 -O2 "-O2 -fPIC" "-O3 -flto" "-Os -fno-pie -no-pie"; do
    echo "$level: exceptions, longjmp, callbacks, signals"
    # shellcheck disable=SC2086
    pcxx $KIND $level "$KERNEL" "$FORMS/catch.cc" -o catch
    profile catch
    # 0.8 of 1.0: the other 0.1 each are those of the thrower and of the destructor.
    within catcher 70 90
    within third 4 17
    # shellcheck disable=SC2086
    pcc $KIND $level "$KERNEL" "$FORMS/jump.c" -o jump
    profile jump
    # 0.9 of 1.1, the others have 0.1 each.
    within catcher 72 92
    within goer 3 16
    within third 3 16
    "$CC" -O2 "$KERNEL" -c "$FIELD/outside.c" -o outside.o
    # shellcheck disable=SC2086
    pcc $KIND $level "$KERNEL" "$FIELD/callback.c" outside.o -o callback
    profile callback
    # Far from the 0 to 5 and 40 to 60 of a field that is not put back: the speeds of the loops
    # differ where the machine is busy.
    within user 10 36
    within callback 8 32
    within waiter 25 55
    within on_signal 8 32
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
