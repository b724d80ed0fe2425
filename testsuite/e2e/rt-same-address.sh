#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shared objects that are at the same address one after the other: no sample of one is charged to
# another. An object that stays in memory is known, whatever its name is then.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

stub stub.s
$CC -O1 -fPIC -shared -I"$RT" "$RT/plugin.c" stub.s -Wl,--build-id -o a.so
$CC -O1 -fPIC -shared -I"$RT" -DSIZE=2 "$RT/plugin.c" stub.s -Wl,--build-id -o b.so
$CC -O1 -fPIC -shared -I"$RT" "$RT/plugin.c" -Wl,--build-id=none -o x.so
echo 'int dlclose(void *); int close_it(void *object) { return dlclose(object); }' >close.c
$CC -O1 -fPIC -shared close.c -o libclose.so
$CC -O1 "$RT/places.c" stub.s -L. -lclose -Wl,-rpath,"$PWD" -o prog

# steps STATUS STEP...
steps() {
    rm -f mlmon.out
    run "$@"
    valid mlmon.out
}

# a_has LOW HIGH STATUS STEP...: so many samples are in a.so.
a_has() {
    low=$1 high=$2
    shift 2
    steps "$@"
    lies "$low" "$(samples_in "$PWD/a.so")" "$high" "samples in a.so, $*"
}

# b_has HIGH STATUS STEP...: no more are in b.so.
b_has() {
    high=$1
    shift
    steps "$@"
    lies 0 "$(samples_in "$PWD/b.so")" "$high" "samples in b.so, $*"
}

# together: the objects were at one place, otherwise the test says nothing.
together() {
    [ "$(sort -u out | wc -l)" = 1 ] || skip "the loader puts them side by side: $(cat out)"
}

# 0.1 s in a profiled one, 0.4 s in one that is not: it may have up to 0.1 s.
for close in - =; do
    decide a_has 0 15 3 ./prog +./a.so 0.1 $close +./x.so 0.4 $close
    together
    decide a_has 0 15 3 ./prog +./x.so 0.4 $close +./a.so 0.1
    together
    decide a_has 0 15 3 ./prog +./a.so 0.1 $close +./x.so 0.4
    together
    # Where the loader must not be asked at the end.
    decide a_has 0 15 134 ./prog +./a.so 0.1 $close +./x.so 0.4 !
    together
    decide a_has 0 15 3 ./prog +./a.so 0.1 $close +./b.so 0.4
    together
    lies 0 "$(samples_in "$PWD/b.so")" 44 "b after a, unloaded by $close" ||
        decided_after b_has 44 3 ./prog +./a.so 0.1 $close +./b.so 0.4 || fail 'b has samples of a'
    # The same one again.
    decide a_has 20 36 3 ./prog +./a.so 0.1 $close +./a.so 0.1 $close +./a.so 0.1
    together
done
# One alone that is unloaded.
decide a_has 20 36 134 ./prog +./a.so 0.3 - !

# It is still the same when the program has gone elsewhere, or has no file any more.
decide a_has 13 25 3 ./prog +./a.so 0.2 +./x.so 0.3 / 0.1
cp prog gone
decide a_has 20 36 3 ./gone x +./a.so 0.3
module=$(sed -n 's/^module \([0-9]*\) .*gone.*/\1/p' mlmon.out)
[ "$module" = 0 ] || fail "the program is module $module"
grep -q '^[0-9]* 0 0x' mlmon.out || fail 'the program without a file has no stacks'
