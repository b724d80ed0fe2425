#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A process that SIGKILL ends leaves what every=SECONDS has written by then; its children, too, and
# threads go on being sampled.
. "$SRC/testsuite/lib.sh"

cat >killed.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static volatile unsigned long sink;
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}
static void *work(void *end)
{
    while (now() < *(double *)end)
        for (int i = 0; i < 100000; i++)
            sink += i;
    return NULL;
}
int main(int count, char **words)
{
    double end = now() + atof(words[1]);
    pthread_t thread;
    if (count > 2 && fork() != 0) {
        wait(NULL);
        return 0;
    }
    pthread_create(&thread, NULL, work, &end);
    work(&end);
    pthread_join(thread, NULL);
    kill(getpid(), SIGKILL);
}
END
pcc -O1 -pthread killed.c -o killed

# seconds FILE: how long it had run when the file was written.
seconds() {
    awk '/^wall / { printf "%.2f", $2 / 1e9 }' "$1"
}

# written FILE LEAST MOST: it is whole; whether it was written in that time.  What is due in the other thread while a file is
# written is lost (rt/process/write.h): two samples for each of two files, if who writes waits 20 ms for a processor.
written() {
    run 0 "$MLPROF" ./killed "$1"
    has out '%  *work$'
    lies 0 "$(sed -n 's/^lost //p' "$1")" 4 "lost samples of $1" &&
        lies "$2" "$(seconds "$1")" "$3" "the second in which $1 is written"
}

# killed FILE LEAST MOST STATUS COMMAND...: in another run, too.
killed() {
    rm -f mlmon.out*
    file=$1 least=$2 most=$3
    shift 3
    run "$@"
    # The name of a child's file has its number.
    for file in $file; do
        written "$file" "$least" "$most" || return
    done
}

run 137 sh -c './killed 1.5'
[ ! -f mlmon.out ] || fail 'without every= there is a file'
# Due after 1 and 1 + 2 seconds, or each second; and with the next sample, which may come late.
decide killed mlmon.out 2.9 3.4 137 sh -c 'CCPROF=every=60 ./killed 3.4'
decide killed mlmon.out 1.9 2.5 137 sh -c 'CCPROF=every=1 ./killed 2.5'
echo 'A child'
decide killed 'mlmon.out.*' 0.9 1.5 0 env CCPROF=every=1 ./killed 1.5 fork
[ -f mlmon.out ] || fail "the parent has no file"
echo 'A process that has a rank does so by itself'
decide killed mlmon.out.7 0.9 1.5 137 sh -c 'PMI_RANK=7 ./killed 1.5'
rm mlmon.out.7
run 137 sh -c 'PMI_RANK=7 CCPROF=every=no ./killed 1.5'
[ ! -f mlmon.out.7 ] || fail 'every=no writes'
[ -z "$(find . -name '*.tmp')" ] || fail 'a temporary file is left'
