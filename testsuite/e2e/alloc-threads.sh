#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=alloc: eight threads, in an executable and in a shared object, exact; an allocator
# that is profiled itself is not counted again by those who call it.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/alloc/alloc.sh"

cat >want <<'END'
run 7920000 160000
shared_plain 1600001 160001
shared_pool 3200000 160000
END

for level in -O0 -O2; do
    pcc "$level" "$KIND" -fPIC -shared "$ALLOC/shared.c" -o libshared.so
    pcc "$level" "$KIND" "$ALLOC/threads.c" ./libshared.so -o threads
    ./threads
    allocated want threads mlmon.out
    pcc "$level" "$KIND" "$ALLOC/threads.c" "$ALLOC/shared.c" -o threads
    ./threads
    allocated want threads mlmon.out
done
pcc -O2 -flto "$KIND" "$ALLOC/threads.c" "$ALLOC/shared.c" -o threads
./threads
allocated want threads mlmon.out

# Where the pool is not profiled, its callers are charged.
"$CC" -O2 -fPIC -shared "$ALLOC/shared.c" -o libshared.so
pcc -O2 "$KIND" "$ALLOC/threads.c" ./libshared.so -o threads
./threads
echo "run 8560000 320000" >want
allocated want threads mlmon.out
