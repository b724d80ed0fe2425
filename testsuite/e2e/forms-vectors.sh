#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Frames with vectors whose length only the processor knows, SVE's and RVV's: stacks and chains go
# through them, whatever the length.
. "$SRC/testsuite/forms/forms.sh"
need readelf

# Processors with the shortest and the longest that qemu has (in bytes, and in bits), and one without.
case $cpu in
aarch64)
    vectors=-march=armv8.2-a+sve
    processors='max,sve-default-vector-length=16 max,sve-default-vector-length=256'
    without=cortex-a57
    ;;
riscv64)
    [ "$("$CC" -dumpversion | sed 's/\..*//')" -ge 13 ] || skip "GCC has no vectors of riscv64 before 13"
    # With rv64gcv what GCC says of the frame is wrong (doc/limits.md).
    vectors=-march=rv64gc_zve64d
    processors='rv64,v=true,vext_spec=v1.0,vlen=128 rv64,v=true,vext_spec=v1.0,vlen=1024'
    without=rv64,v=false
    ;;
*) skip "on $cpu each vector has a length that the compiler knows" ;;
esac
"$CC" $vectors "$KERNEL" -I"$SRC/rt" "$FORMS/vectors.c" -o plain
QEMU_CPU=${processors%% *} ./plain || skip "this processor has no vectors of that kind"

# profiled PROCESSOR: runs it there (a machine that is none of qemu's has its own); the chain is in `got'.
profiled() {
    echo "$options: $1"
    export QEMU_CPU="$1"
    profile vectors
    unset QEMU_CPU
    sed -n 's/^\([^ ]*\)  [^(].*/\1/p' output >got
}

printf 'work\nkeeps\nouter\nmain\n' >want
for options in -O0 -O2 '-O3 -fno-omit-frame-pointer' '-O2 -fstack-clash-protection'; do
    # shellcheck disable=SC2086
    pcc $options $vectors "$KERNEL" -I"$SRC/rt" "$FORMS/vectors.c" -o vectors
    # Elsewhere the frame may be found by the frame pointer.
    readelf --debug-dump=frames vectors >frames
    [ "${options#-O2}" = "$options" ] || grep -q DW_OP_bregx frames || fail 'no frame depends on the length'
    for processor in $processors; do
        profiled "$processor"
        same got want
        while read -r name; do
            echo "$name $(stack "$name")"
            true_of "$(stack "$name") >= 95" || {
                cat table >&2
                fail "$name is on $(stack "$name") % of the stacks"
            }
        done <want
    done
done

# Where there are none the stack ends, and not the program.
options='-O2 -DWITHOUT'
# shellcheck disable=SC2086
pcc $options "$KERNEL" -I"$SRC/rt" "$FORMS/vectors.c" -o vectors
profiled "$without"
printf 'work\nkeeps\n' >want
same got want
