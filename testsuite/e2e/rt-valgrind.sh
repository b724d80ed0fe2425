#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Valgrind's memcheck finds nothing in a program that is sampled: no error, no system call that it does not
# know, and threads end as they do without it.
. "$SRC/testsuite/mlprof.sh"
need valgrind

cat >prog.c <<'EOF'
#include <pthread.h>
#include <string.h>
__attribute__((noipa)) static unsigned leaf(unsigned x, char *bytes)
{
    for (int i = 0; i < 200; i++) {
        x = x * 1664525u + 1013904223u;
        bytes[x % 64]++;
    }
    return x;
}
__attribute__((noipa)) static unsigned middle(unsigned x)
{
    char bytes[64];
    memset(bytes, 0, sizeof bytes);
    return leaf(x, bytes) + (unsigned)bytes[3];
}
static void *work(void *result)
{
    unsigned x = 1;
    for (int i = 0; i < 10000; i++)
        x = middle(x);
    *(unsigned *)result = x;
    return NULL;
}
int main(void)
{
    pthread_t threads[2];
    unsigned results[2], own;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &results[i]);
    work(&own);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return own != results[0] || own != results[1];
}
EOF
# quiet SETTINGS PROGRAM: nothing is found, in several runs: samples come where they come.
quiet() {
    for run in 1 2; do
        rm -f mlmon.out
        CCPROF=$1 valgrind --error-exitcode=9 "$2" >out 2>err || fail "$1, run $run: status $?: $(cat err)"
        has err 'ERROR SUMMARY: 0 errors from 0 contexts'
        hasnot err 'how. field\|[Ww]arning\|Invalid\|uninitialised\|unaddressable'
    done
}

pcc -O2 -pthread prog.c -o prog
quiet '' ./prog
quiet rate=1000 ./prog
# The samples have their stacks.
"$MLPROF" prog mlmon.out >table
has table ' [1-9][0-9.]*%  middle$'
for settings in rate=1000,times=yes rate=1000,chain=yes; do
    quiet "$settings" ./prog
done
pcc -O2 -pthread -fplugin-arg-ccprof-profile=time,count prog.c -o counts
quiet rate=1000 ./counts
