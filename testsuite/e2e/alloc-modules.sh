#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=alloc: what an allocator of another file or shared object hands out, that is
# profiled itself, counts once, whatever name or pointer it is called by; with stack it
# also counts once for all that are on the stack.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/alloc/alloc.sh"
. "$SRC/testsuite/stack/stack.sh"

# make ARGUMENT...: wraps, with a shared object or of two files.
make() {
    if [ "$form" = shared ]; then
        pcc "$KIND" "$@" -fPIC -shared "$ALLOC/pools.c" -o libpools.so
        pcc "$KIND" "$@" "$ALLOC/wraps.c" ./libpools.so -o wraps
    else
        pcc "$KIND" "$@" -rdynamic "$ALLOC/wraps.c" "$ALLOC/pools.c" -o wraps
    fi
    rm -f mlmon.out
    ./wraps
}

# rows bytes ['stack bytes']: bytes of each function's own and on its stack, without the allocators, of
# which GCC may make one; and the sum of what all have of their own, which main has on its stack.
rows() {
    table_of wraps mlmon.out | table_rows "$@" | awk '
        {
            sum += $2
            if ($1 !~ /^pool/) print
        }
        END { print "sum", sum }' | sort
}

cat >want.stack <<'END'
by_alias 0 2000
by_around 0 2000
by_found 0 2000
by_libc 500 500
by_plain 0 2000
by_pointer 0 2000
by_pool 0 2000
by_same 0 2000
by_weak 0 2000
in_tail 0 2000
main 0 18500
sum 18500
END
printf '%s\n' 'by_libc 500' 'sum 14500' >want

for form in shared files; do
    for level in -O0 -O2 "-O3 -fPIC"; do
        # shellcheck disable=SC2086
        make $level "$SWITCH" -DPOINTERS
        rows bytes 'stack bytes' >got
        same got want.stack
        # shellcheck disable=SC2086
        make $level
        rows bytes >got
        same got want
    done
done
form=files
# Else functions that call what GCC now sees to be the same are made one.
make -O2 -flto -fno-ipa-icf "$SWITCH" -DPOINTERS
rows bytes 'stack bytes' >got
same got want.stack

# A version of a symbol.
printf 'OLD { global: *; };\n' >pools.map
cat >version.c <<'END'
#include <stdlib.h>
__attribute__((symver("pool@@OLD"), malloc, alloc_size(1))) void *pool_of_version(size_t size);
void *pool_of_version(size_t size) { return malloc(size + 16); }
END
cat >calls.c <<'END'
#include <stdlib.h>
void *pool(size_t) __attribute__((malloc, alloc_size(1)));
int main(void)
{
    void *volatile block = pool(4);
    return block == NULL;
}
END
for switch in "" "$SWITCH"; do
    # shellcheck disable=SC2086
    pcc -O2 "$KIND" $switch -fPIC -shared -Wl,--version-script=pools.map version.c -o libversion.so
    # shellcheck disable=SC2086
    pcc -O2 "$KIND" $switch calls.c ./libversion.so -o calls
    ./calls
    "$MLPROF" -raw true calls mlmon.out >got
    has got '^20 bytes allocated'
done

# Where the pools are not profiled, their callers are charged, in both columns.
"$CC" -O2 -fPIC -shared "$ALLOC/pools.c" -o libpools.so
pcc -O2 "$KIND" "$SWITCH" -DPOINTERS "$ALLOC/wraps.c" ./libpools.so -o wraps
./wraps
rows bytes 'stack bytes' >got
has got '^by_pointer 400 400$'
has got '^in_tail 400 400$'
has got '^main 0 4100$'
has got '^sum 4100$'
