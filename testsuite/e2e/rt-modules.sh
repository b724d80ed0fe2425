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

for way in keep leave close; do
    go ./prog $way ./a.so
    between 6 "$(samples_in "$PWD/a.so")" 24 "samples in a.so, $way"
    id=$(readelf -n a.so | sed -n 's/.*Build ID: //p')
    has mlmon.out "^module [0-9]* $id 0x[0-9a-f]* $PWD/a.so$"
    id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
    has mlmon.out "^module 0 $id 0x[0-9a-f]* $PWD/prog$"
done

# Only the shared object is profiled; it, or the second one, brings the runtime.
go ./plain keep ./a.so
between 6 "$(samples_in "$PWD/a.so")" 24 'samples in a.so'
go ./plain leave ./plain.so ./a.so
between 6 "$(samples_in "$PWD/a.so")" 24 'samples in a.so'
# One that is not profiled but kept is known at the end.
go ./prog keep ./plain.so ./none.so
between 6 "$(samples_in "$PWD/plain.so")" 24 'samples in plain.so'
between 6 "$(samples_in "$PWD/none.so")" 24 'samples in none.so'
has mlmon.out "^module [0-9]* - 0x[0-9a-f]* $PWD/none.so$"

# Loaded again, as it was.
go ./prog close ./a.so ./a.so ./a.so
between 30 "$(samples_in "$PWD/a.so")" 66 'samples in a.so'
# Another one in its place: the samples are not charged to the wrong one.
go ./prog close ./a.so ./b.so ./none.so ./a.so ./b.so ./plain.so
between 0 "$(samples_in "$PWD/a.so")" 50 'samples in a.so'
between 0 "$(samples_in "$PWD/b.so")" 50 'samples in b.so'
between 0 "$(samples_in "$PWD/none.so")" 25 'samples in none.so'
[ "$(value mlmon.out samples)" -gt 60 ] || fail 'too few samples'

# In memory from the start.
go ./linked keep ./a.so ./b.so
between 6 "$(samples_in "$PWD/a.so")" 24 'samples in a.so'
go ./linked leave ./b.so ./a.so
between 6 "$(samples_in "$PWD/a.so")" 24 'samples in a.so'
