#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=alloc: the bytes and blocks of each function are those that the program itself
# adds up, at each level; and their sum is what libc was asked for.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/alloc/alloc.sh"

"$CC" -O1 -c "$ALLOC/outside.c" -o outside.o

for level in -O1 -O2 -O3 -Os -Og "-O2 -g" "-O2 -flto" "-O2 -fPIC" "-O2 -fno-pie -no-pie" \
    "-O2 -D_FORTIFY_SOURCE=2 -fplugin-arg-ccprof-exclude=/bits/" \
    "-O2 -ffunction-sections -fdata-sections -Wl,--gc-sections"; do
    # shellcheck disable=SC2086
    pcc $level "$KIND" "$ALLOC/known.c" outside.o -o known
    ./known >want 2>/dev/null
    allocated want known mlmon.out
    has mlmon.out '^kind alloc$'
done

# Without optimisation nothing is deleted.
pcc -O0 "$KIND" "$ALLOC/known.c" outside.o -o known
./known >want 2>/dev/null
echo "deleted 1000000 1" >>want
allocated want known mlmon.out

# What libc was asked for; texts, posix_memalign and calls in libc itself do not come by.
wrap=$(printf ' -Wl,--wrap=%s' malloc calloc realloc reallocarray aligned_alloc memalign valloc)
rm mlmon.out
"$CC" -O1 -DWRAPPED -c "$ALLOC/outside.c" -o wrap.o
# shellcheck disable=SC2086
pcc -O2 "$KIND" "$ALLOC/known.c" wrap.o $wrap -o wrapped
./wrapped >want 2>asked
allocated want wrapped mlmon.out
table wrapped mlmon.out | awk '
    $1 == "texts" || $1 == "tail_dup" { next }
    { bytes += $2; blocks += $3 }
    END { print bytes - 192, blocks - 1 }' >got
same got asked

# A sibling call stays one.
pcc -O2 "$KIND" -S "$ALLOC/known.c" -o - >known.s
for function in malloc strdup; do
    has known.s "jmp[[:space:]]*$function"
done
