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

# together: the objects were at one place, otherwise the test says nothing.
together() {
    [ "$(sort -u out | wc -l)" = 1 ] || skip "the loader puts them side by side: $(cat out)"
}

# 0.1 s in a profiled one, 0.4 s in one that is not: it may have up to 0.1 s.
for close in - =; do
    steps 3 ./prog +./a.so 0.1 $close +./x.so 0.4 $close
    together
    between 0 "$(samples_in "$PWD/a.so")" 15 "a, then x, both unloaded by $close"
    steps 3 ./prog +./x.so 0.4 $close +./a.so 0.1
    together
    between 0 "$(samples_in "$PWD/a.so")" 15 "x, then a, unloaded by $close"
    steps 3 ./prog +./a.so 0.1 $close +./x.so 0.4
    together
    between 0 "$(samples_in "$PWD/a.so")" 15 "a, then x that stays, unloaded by $close"
    # Where the loader must not be asked at the end.
    steps 134 ./prog +./a.so 0.1 $close +./x.so 0.4 !
    together
    between 0 "$(samples_in "$PWD/a.so")" 15 "a, then x, then abort, unloaded by $close"
    steps 3 ./prog +./a.so 0.1 $close +./b.so 0.4
    together
    between 0 "$(samples_in "$PWD/a.so")" 15 "a, then b, unloaded by $close"
    between 0 "$(samples_in "$PWD/b.so")" 44 "b after a, unloaded by $close"
    # The same one again.
    steps 3 ./prog +./a.so 0.1 $close +./a.so 0.1 $close +./a.so 0.1
    together
    between 20 "$(samples_in "$PWD/a.so")" 36 "a, three times, unloaded by $close"
done
# One alone that is unloaded.
steps 134 ./prog +./a.so 0.3 - !
between 20 "$(samples_in "$PWD/a.so")" 36 'a, unloaded, then abort'

# It is still the same when the program has gone elsewhere, or has no file any more.
steps 3 ./prog +./a.so 0.2 +./x.so 0.3 / 0.1
between 13 "$(samples_in "$PWD/a.so")" 25 'a, in another folder'
cp prog gone
steps 3 ./gone x +./a.so 0.3
between 20 "$(samples_in "$PWD/a.so")" 36 'a, of a program without a file'
module=$(sed -n 's/^module \([0-9]*\) .*gone.*/\1/p' mlmon.out)
[ "$module" = 0 ] || fail "the program is module $module"
grep -q '^[0-9]* 0 0x' mlmon.out || fail 'the program without a file has no stacks'
