#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# CCPROF_REGION in C: a region ends on every way out of its block, the program does what it
# does without it, and where nothing is measured there is nothing.
. "$SRC/testsuite/plugin/plugin.sh"
need nm

WATCH=$SRC/testsuite/watch

set -- -Wall -Wextra -Wno-implicit-fallthrough -Werror -I"$SRC/rt" -I"$WATCH"
export CCPROF=off

for options in -O0 -O1 -O2 '-O3 -fPIC' '-O2 -g' '-O2 -flto' '-O2 -fexceptions' '-Og -std=gnu99'; do
    echo "$options"
    # shellcheck disable=SC2086
    pcc $options "$@" "$WATCH/blocks.c" -o prog
    run 0 ./prog
    same out /dev/null
    same err /dev/null
done
pcc -O2 "$@" "$WATCH/blocks.c" -fplugin-arg-ccprof-profile=count -o prog
run 0 ./prog
nm prog >names
hasnot names ccprof_region_block

echo 'Preprocessed text.'
pcc -O2 "$@" "$WATCH/blocks.c" -E -o blocks.i
pcc -O2 "$@" blocks.i -o prog
run 0 ./prog
pcc -O2 "$@" -fplugin-arg-ccprof-profile=drop blocks.i -o prog
nm prog >names
hasnot names ccprof_region_block

echo 'Nothing without the plugin, nor with profile=drop or no.'
"$CC" -O2 "$@" "$WATCH/blocks.c" -c -o plain.o
for profile in drop no; do
    pcc -O2 "$@" -fplugin-arg-ccprof-profile=$profile "$WATCH/blocks.c" -c -o it.o
    cmp it.o plain.o
done
"$CC" plain.o -o prog
run 0 ./prog
same out /dev/null

echo 'An exception goes through C; regions of C++ have the same name and form.'
cat >through.c <<'END'
#include "ccprof.h"
void thrower(int x);
int through(int x);
int through(int x)
{
    int r = 1;
    CCPROF_REGION("c") thrower(x);
    return r;
}
END
cat >catch.cc <<'END'
#include "stand-in.h"
extern "C" int through(int);
extern "C" void thrower(int);
void thrower(int x)
{
    if (x)
        throw x;
}
static int loop()
{
    for (int i = 0; i < 3; i++)
        CCPROF_REGION("l")
        {
            if (i == 1)
                continue;
            if (i == 2)
                return i;
        }
    return 0;
}
int main()
{
    stand_in_start();
    CCPROF_REGION("outer")
    {
        CCPROF_REGION("cc")
        try {
            through(1);
        } catch (int) {
        }
        through(0);
    }
    HAPPENED("(outer (cc (c c) cc) (c c) outer)");
    if (loop() != 2)
        return 1;
    HAPPENED("(l l) (l l) (l l)");
    return stand_in_failed;
}
END
for options in -O0 -O2 -O3 '-O2 -flto'; do
    # shellcheck disable=SC2086
    {
        pcc $options "$@" -fexceptions -c through.c
        pcxx $options "$@" catch.cc through.o -o prog
    }
    run 0 ./prog
    same out /dev/null
done

echo 'In the bodies of OpenMP.'
cat >openmp.c <<'END'
#include "ccprof.h"
#include <stdio.h>
static int opened, ended, failed;
static unsigned long begin(struct ccprof_region *region)
{
    (void)region;
    return (unsigned long)__atomic_add_fetch(&opened, 1, __ATOMIC_SEQ_CST);
}
/* Each thread ends what it has begun: no token comes twice. */
static char is_ended[1000];
static void cut(unsigned long token)
{
    if (__atomic_exchange_n(&is_ended[token], 1, __ATOMIC_SEQ_CST))
        failed = 1;
    __atomic_add_fetch(&ended, 1, __ATOMIC_SEQ_CST);
}
static struct ccprof_api api;
int main(void)
{
    int sum = 0;
    api.size = sizeof api;
    api.region_begin = begin;
    api.region_cut = cut;
    ccprof_attach_api = &api;
    #pragma omp parallel num_threads(4) reduction(+ : sum)
    CCPROF_REGION("parallel")
    {
        #pragma omp for
        for (int i = 0; i < 100; i++)
            CCPROF_REGION("for")
            {
                if (i == 50)
                    continue;
                sum++;
            }
    }
    #pragma omp parallel num_threads(4)
    {
        #pragma omp single
        #pragma omp task
        CCPROF_REGION("task") sum++;
    }
    if (sum != 100 || opened != 105 || ended != 105 || failed)
        printf("%d %d %d %d\n", sum, opened, ended, failed);
    return 0;
}
END
if pcc -O1 -fopenmp "$@" openmp.c -o prog 2>err; then
    for level in -O0 -O2 -O3; do
        pcc $level -fopenmp "$@" openmp.c -o prog
        run 0 ./prog
        same out /dev/null
    done
else
    leave_out "OpenMP: $(tail -n 1 err)"
fi
