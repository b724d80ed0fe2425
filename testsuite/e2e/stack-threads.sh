#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=count with stack: eight threads, in an executable and in a shared object, exact;
# and a thread that still runs when the program ends.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/stack/stack.sh"

kind=-fplugin-arg-ccprof-profile=count
alloc=$SRC/testsuite/alloc

# Each thread runs 20,000 rounds of two calls.
cat >want <<'END'
main 1 2
run 8 320008
shared_plain 160001 160001
shared_pool 160000 160000
END

for level in -O0 -O2 -Os; do
    pcc "$level" "$kind" "$SWITCH" -fPIC -shared "$alloc/shared.c" -o libshared.so
    pcc "$level" "$kind" "$SWITCH" "$alloc/threads.c" ./libshared.so -o threads
    ./threads
    table threads mlmon.out >got
    same got want
done

cat >runs.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
static atomic_int begun;
static void once(void) { begun++; }
static void *wait_for_ever(void *argument)
{
    for (int i = 0; i < 10; i++)
        once();
    for (;;)
        pause();
    return argument;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_ever, NULL);
    while (begun < 10)
        usleep(1000);
    return 0;
}
END
pcc -O2 "$kind" "$SWITCH" runs.c -o runs
./runs
cat >want <<'END'
main 1 1
once 10 10
wait_for_ever 1 11
END
table runs mlmon.out >got
same got want

# What is counted while sampling is stopped counts for nobody, whatever is open then.
cat >stops.c <<'END'
#include "ccprof.h"
static volatile int sink;
__attribute__((noinline)) static void leaf(void) { sink++; }
__attribute__((noinline)) static void calls(int stop)
{
    leaf();
    if (stop)
        ccprof_stop();
    leaf();
    ccprof_start();
    leaf();
    sink++;
}
int main(void)
{
    calls(0);
    calls(1);
    calls(0);
    return 0;
}
END
pcc -O2 "$kind" "$SWITCH" -I"$SRC/rt" stops.c -o stops
./stops
cat >want <<'END'
calls 3 11
leaf 8 8
main 1 12
END
table stops mlmon.out >got
same got want

# A function that calls from a loop, on some ways through it, and returns out of it, is
# entered once, where it begins: what is subtracted there is added where it is left.
cat >loop.c <<'END'
static volatile int sink;
__attribute__((noinline)) static void one(void) { sink++; }
__attribute__((noinline)) static void two(void) { sink--; }
__attribute__((noinline)) static void runs(const char *code)
{
    for (;; code++)
        switch (*code) {
        case 'a':
            one();
            break;
        case 'b':
            two();
            break;
        case 'c':
            sink = 2;
            break;
        case 0:
            return;
        }
}
int main(void)
{
    runs("abcabacccc");
    runs("");
    return 0;
}
END
cat >want <<'END'
main 1 8
one 3 3
runs 2 7
two 2 2
END
for level in -O0 -O2 -Os "-O2 -fPIC"; do
    # shellcheck disable=SC2086
    pcc $level "$kind" "$SWITCH" loop.c -o loop
    ./loop
    table loop mlmon.out >got
    same got want
done
if [ "$cpu" = x86_64 ]; then
    pcc -O2 "$kind" "$SWITCH" loop.c -o loop
    objdump -d --no-show-raw-insn loop | sed -n '/<runs>:/,/^$/p' >code
    [ "$(grep -c '[[:space:]]sub .*,0x28(' code)" = 1 ] || fail "the function is entered at more than one place"
fi
