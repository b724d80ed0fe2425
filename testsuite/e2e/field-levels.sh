#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# show: 16
# time-field: a known split, inlined or not, however the program is compiled and linked; and
# a program of some size has the shares that time-label gives it.
. "$SRC/testsuite/field/field.sh"
. "$SRC/testsuite/field/agree.sh"

for options in -O0 -O1 -O2 -O3 -Os -Og "-O2 -g" "-O2 -no-pie -fno-pie" "-O2 -masm=intel" \
    "-O2 -flto" "-O2 -fPIC" "-O2 -fcf-protection=none" "-O2 -ffunction-sections -Wl,--gc-sections"; do
    understood "$options" || continue
    echo "$options"
    # shellcheck disable=SC2086
    pcc $KIND $options "$KERNEL" "$FORMS/two.c" -o two
    profile two
    split alpha beta
    has mlmon.out '^kind time$'
    has mlmon.out '^stack no$'
done
echo "static"
pcc $KIND -O2 "$KERNEL" "$FORMS/two.c" -static -o two "$O/rt/libccprof.a"
profile two
split alpha beta

if command -v "$CXX" >/dev/null; then
    echo "C++"
    pcxx $KIND -O2 "$KERNEL" -x c++ "$FORMS/two.c" -o two
    profile two
    split alpha beta
fi
if command -v "$FC" >/dev/null; then
    echo "Fortran"
    pfc $KIND -O2 "$FIELD/split.f90" -o two
    profile two
    split split.alpha split.beta
fi

if [ "${TARGET-}" ]; then
    leave_out 'how time-label agrees: under qemu signals come between basic blocks only'
    exit 0
fi
for options in -O1 -Os "-O2 -fPIC" "-O3 -flto"; do
    # shellcheck disable=SC2086
    tracer "the ray tracer $options" $options
done
