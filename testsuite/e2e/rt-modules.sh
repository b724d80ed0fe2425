#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shared objects: loaded at the start and late, profiled or not, unloaded, replaced by
# others at the same address.
# (The bounds are wide: see burnt in rt.sh.)
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
need readelf

stub stub.s
$CC -O1 -fPIC -shared -I"$RT" "$RT/plugin.c" stub.s -Wl,--build-id -o a.so
$CC -O1 -fPIC -shared -I"$RT" "$RT/plugin.c" stub.s -Wl,--build-id=none -o none.so
$CC -O1 -fPIC -shared -I"$RT" "$RT/plugin.c" -Wl,--build-id -o plain.so
$CC -O1 -fPIC -shared -I"$RT" -DSIZE=99999 "$RT/plugin.c" stub.s -Wl,--build-id -o b.so
$CC -O1 "$RT/loads.c" stub.s -o prog
$CC -O1 "$RT/loads.c" -o plain
$CC -O1 "$RT/loads.c" stub.s -Wl,--no-as-needed -L. -l:a.so -Wl,-rpath,"$PWD" -o linked

go() {
    rm -f mlmon.out
    run 9 "$@"
    [ ! -s err ] || fail "$* says: $(cat err)"
    valid mlmon.out
}

# has_samples OBJECT LOW HIGH COMMAND...: so many in it, of what the command does.
has_samples() {
    object=$1 low=$2 high=$3
    shift 3
    go "$@"
    lies "$low" "$(samples_in "$PWD/$object")" "$high" "samples in $object, $*"
}

for way in keep leave close; do
    decide has_samples a.so 6 24 ./prog $way ./a.so
    id=$(readelf -n a.so | sed -n 's/.*Build ID: //p')
    has mlmon.out "^module [0-9]* $id 0x[0-9a-f]* $PWD/a.so$"
    id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
    has mlmon.out "^module 0 $id 0x[0-9a-f]* $PWD/prog$"
done

# Only the shared object is profiled; it, or the second one, brings the runtime.
decide has_samples a.so 6 24 ./plain keep ./a.so
decide has_samples a.so 6 24 ./plain leave ./plain.so ./a.so
# One that is not profiled but kept is known at the end.
decide has_samples plain.so 6 24 ./prog keep ./plain.so ./none.so
decide has_samples none.so 6 24 ./prog keep ./plain.so ./none.so
has mlmon.out "^module [0-9]* - 0x[0-9a-f]* $PWD/none.so$"

# Loaded again, as it was.
decide has_samples a.so 30 66 ./prog close ./a.so ./a.so ./a.so
# Another one in its place: the samples are not charged to the wrong one.
own_ones() {
    has_samples a.so 0 50 ./prog close ./a.so ./b.so ./none.so ./a.so ./b.so ./plain.so &&
        lies 0 "$(samples_in "$PWD/b.so")" 50 'samples in b.so' &&
        lies 0 "$(samples_in "$PWD/none.so")" 25 'samples in none.so' &&
        lies 61 "$(value mlmon.out samples)" 1e6 samples
}
decide own_ones

# In memory from the start.
decide has_samples a.so 6 24 ./linked keep ./a.so ./b.so
decide has_samples a.so 6 24 ./linked leave ./b.so ./a.so
