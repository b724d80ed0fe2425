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

# A shared object that comes and goes.
cat >loads.c <<'END'
#include <dlfcn.h>
#include <stddef.h>
int main(void)
{
    for (int i = 0; i < 3; i++) {
        void *object = dlopen("./libshared.so", RTLD_NOW);
        void *(*plain)(size_t) = (void *(*)(size_t))dlsym(object, "shared_plain");
        plain(10);
        dlclose(object);
    }
    return 0;
}
END
"$CC" -O2 loads.c -o loads
pcc -O2 "$KIND" -fplugin-arg-ccprof-stack -fPIC -shared "$ALLOC/shared.c" -o libshared.so
./loads
run 0 "$MLPROF" -raw true loads mlmon.out
has out '^100.0%  *30  100.0%  *30  *3  shared_plain$'

# Where the pool is not profiled, its callers are charged.
"$CC" -O2 -fPIC -shared "$ALLOC/shared.c" -o libshared.so
pcc -O2 "$KIND" "$ALLOC/threads.c" ./libshared.so -o threads
./threads
echo "run 8560000 320000" >want
allocated want threads mlmon.out
