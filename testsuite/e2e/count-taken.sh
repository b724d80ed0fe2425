#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Counts are complete where time cannot be measured: SIGPROF is taken before the runtime starts
# or by the program, or there is no timer. One line says so.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/count/count.sh"

cat >taker.c <<'C'
#include <signal.h>
static void handle(int number) { (void)number; }
__attribute__((constructor)) static void take(void) { signal(SIGPROF, handle); }
C
"$CC" -shared -fPIC taker.c -o taker.so
"$CC" -O1 "$SRC/testsuite/rt/refuse.c" -o refuse
# One call of work, and one more for each argument; the first names a module to be loaded.
cat >prog.c <<'C'
#include <dlfcn.h>
#include <stdlib.h>
static void *volatile block;
__attribute__((noinline)) static void work(void) { block = malloc(7); free(block); }
int main(int argc, char **argv)
{
    void *module = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    void (*call)(void) = module ? (void (*)(void))dlsym(module, "call") : work;
    for (int i = 0; i < argc; i++)
        call();
    return 0;
}
C
cat >module.c <<'C'
static volatile int sink;
__attribute__((noinline)) static void step(void) { sink++; }
void call(void) { step(); step(); }
C

# line TEXT: it says this and nothing else.
line() {
    echo "$1" >line
    same err line
}

WITH=-fplugin-arg-ccprof-profile
pcc -O2 $WITH=time prog.c -o time
pcc -O2 $WITH=time,count prog.c -o both
pcc -O2 $WITH=time,alloc prog.c -o blocks
for kind in time count; do
    pcc -O2 -fPIC -shared $WITH=$kind module.c -o $kind.so
done
printf 'main 1\nwork 1\n' >both.want
printf 'call 2\nstep 4\n' >module.want

# with WHY COMMAND...: nothing can be sampled. What is counted alone, and later, is there.
with() {
    why=$1
    shift
    rm -f mlmon.out
    run 0 "$@" ./time
    line "ccprof: $why: the program runs unprofiled"
    [ ! -e mlmon.out ] || fail "$why: a profile of nothing"

    run 0 "$@" ./both
    line "ccprof: $why: there are counts alone"
    has mlmon.out '^kind count$'
    counted both.want both mlmon.out

    rm -f mlmon.out
    run 0 "$@" ./blocks
    line "ccprof: $why: there are counts alone"
    has mlmon.out '^kind alloc$'
    run 0 "$MLPROF" blocks mlmon.out
    has out '  work$'

    # The first module wants nothing but samples, the next one counts.
    rm -f mlmon.out
    run 0 "$@" ./time ./count.so
    line "ccprof: $why: the program runs unprofiled"
    has mlmon.out '^kind count$'
    counted module.want time mlmon.out

    # It is tried, and told of, once.
    rm -f mlmon.out
    run 0 "$@" ./both ./time.so
    line "ccprof: $why: there are counts alone"
    run 0 "$@" ./time ./time.so
    line "ccprof: $why: the program runs unprofiled"
}

with 'SIGPROF is in use' env LD_PRELOAD="$PWD/taker.so"
if ./refuse -- /bin/true; then
    with 'Operation not permitted: no timer' ./refuse perf_event_open timer_create --
else
    echo 'not tested: system calls that are refused, since filters are not allowed here'
fi

# The program takes SIGPROF, and the child of a fork counts on, from nothing.
cat >forks.c <<'C'
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int sink;
static void handle(int number) { (void)number; }
__attribute__((noinline)) static void work(void) { sink++; }
int main(int argc, char **argv)
{
    int (*take)(int, const struct sigaction *, struct sigaction *) = sigaction;
    struct sigaction action = {.sa_handler = handle};
    (void)argv;
    work();
    if (argc > 1)
        *(void **)&take = dlsym(RTLD_DEFAULT, "sigaction");
    take(SIGPROF, &action, NULL);
    pid_t child = fork();
    for (int i = 0; child == 0 && i < 3; i++)
        work();
    waitpid(child, NULL, 0);
    work();
    return 0;
}
C
printf 'main 0\nwork 4\n' >child
pcc -O2 $WITH=time,count -fplugin-arg-ccprof-exclude-function=handle forks.c -o forks
for way in '' behind-its-back; do
    rm -f mlmon.out*
    # shellcheck disable=SC2086
    run 0 ./forks $way
    line 'ccprof: the program has taken SIGPROF: samples are missing'
    has mlmon.out '^kind time,count$'
    run 0 "$MLPROF" forks mlmon.out
    table_rows calls <out | sed -n 's/^work //p' >got
    [ "$(cat got)" = 2 ] || fail "$way: calls of work are $(cat got), not 2"
    has "$(echo mlmon.out.*)" '^kind count$'
    counted child forks mlmon.out.*
done
