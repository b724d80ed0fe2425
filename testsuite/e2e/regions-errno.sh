#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Regions and stopwatches leave errno alone, and so does the counting of indirect calls: where there
# are no files or no memory, and where threads wait for each other.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/regions/regions.sh"

pcc -O2 -pthread -I"$SRC/rt" -fplugin-arg-ccprof-stopwatch=watched "$REGIONS/errno.c" -o prog
for what in files memory threads; do
    run 0 ./prog $what
done

cat >targets.c <<'END'
#include <errno.h>
#include <sys/resource.h>
static int next(int x)
{
    return x + 1;
}
int (*volatile indirect)(int) = next;
int main(void)
{
    struct rlimit none = {0, RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &none) != 0)
        return 2;
    errno = 0;
    return indirect(1) != 2 || errno != 0;
}
END
pcc -O1 -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-targets targets.c -o targets
run 0 ./targets
