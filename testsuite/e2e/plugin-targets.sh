#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A kind that the processor does not have is an error that says so, not a broken object.
. "$SRC/testsuite/plugin/plugin.sh"

echo 'int f(int x) { return x + 1; }' >a.c

# as CPU PROFILE: compiles as if for that processor.
as() {
    rm -f a.o
    pcc -O2 "-fplugin-arg-ccprof-cpu=$1" "-fplugin-arg-ccprof-profile=$2" -c a.c -o a.o
}

# refused CPU PROFILE LINE...
refused() {
    run 1 as "$1" "$2"
    [ ! -e a.o ] || fail "an object after an error"
    shift 2
    printf '%s\n' "$@" >want
    sed -n "s/.*error: ccprof: //p" err | tr -d "'" >got
    same got want
    hasnot err 'internal compiler error'
}

for kind in time time-label time-field call time,call count alloc time,count no drop; do
    run 0 as aarch64 $kind
done

# The linker of riscv64 shortens code, and then the assembler knows no distances.
for cpu in riscv64 powerpc64le; do
    for kind in time count call; do
        refused $cpu $kind "nothing can be measured on $cpu: only on x86_64 and aarch64"
    done
    run 0 as $cpu no
    run 0 as $cpu drop
done
