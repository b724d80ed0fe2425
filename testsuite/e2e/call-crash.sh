#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# CCPROF=chain=yes prints the chain of calls when a signal ends the program, also when its stack
# overflows. The program ends as it would without, and the data file is written.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/call/call.sh"
cp "$CALL/chain.c" .
# shellcheck disable=SC3045
ulimit -c 0

frames chain.c write_to:write crash:crash main:main-crash >crash
frames chain.c main:main-abort >abort
frames chain.c main:main-null >null

# ends STATUS SIGNAL WANT WAY...: the shell's status of the program, and what is printed.
ends() {
    status=$1 signal=$2 want=$3
    shift 3
    got=0
    ./prog "$@" >out 2>err || got=$?
    [ "$got" -eq "$status" ] || fail "status $got, not $status: $(cat err)"
    has err "^ccprof: $signal, at these calls, the innermost first:\$"
    printed err "$want"
}

pcc "$KIND" -O2 -pthread -I"$SRC/rt" chain.c -o prog
export CCPROF=chain=yes
ends 139 SIGSEGV crash crash
ends 134 SIGABRT abort abort
ends 139 SIGSEGV null null
[ ! -e mlmon.out ] || fail 'a data file'

echo 'Not unless it is set.'
for setting in '' chain=no; do
    status=0
    CCPROF=$setting ./prog crash >out 2>err || status=$?
    [ $status -eq 139 ] || fail "status $status"
    hasnot err 'ccprof'
done
run 0 env CCPROF=chain=perhaps ./prog inlined
has err "^ccprof: CCPROF: chain=perhaps is not understood; right is: chain=yes or chain=no$"

echo 'Signals that the program handles, or ignores, are its own.'
run 3 ./prog segv
same err /dev/null

echo 'With other kinds: the data file too, but for signals=no.'
pcc -O2 -pthread -I"$SRC/rt" chain.c -o prog
ends 139 SIGSEGV crash crash
[ -s mlmon.out ] || fail 'no data file'
rm mlmon.out
CCPROF=chain=yes,signals=no
ends 139 SIGSEGV crash crash
[ ! -e mlmon.out ] || fail 'a data file with signals=no'
CCPROF=chain=yes
# Others than those of errors print nothing.
cat >term.c <<'END'
#include <signal.h>
int main(void) { raise(SIGTERM); }
END
pcc -O2 term.c -o term
status=0
./term 2>err || status=$?
[ $status -eq 143 ] || fail "status $status"
hasnot err 'ccprof'
[ -s mlmon.out ] || fail 'no data file'

echo 'The stack is full.'
begins=deeper:begins
[ "$cpu" != x86_64 ] || begins=
# On x86-64 the call itself writes to the stack, elsewhere what it has called begins with that.
cat >deep.c <<'END'
static volatile int work;
__attribute__((noinline)) static int deeper(int n)
{ // begins
    int sum = n > 1000000000 ? 0 : deeper(n + 1); // deeper
    return sum + ++work;
}
int main(void) { return deeper(0); } // main
END
for options in '' '-static -L. -lccprof'; do
    ln -sf "$O/rt/libccprof.a" .
    # shellcheck disable=SC2086
    pcc "$KIND" -O1 deep.c -o prog $options
    status=0
    ./prog >out 2>err || status=$?
    [ $status -eq 139 ] || fail "status $status"
    has err '^\.\.\. ([0-9]* calls left out)$'
    source_of err | without_columns | sort -u >got
    frames deep.c $begins deeper:deeper main:main >want
    same got want
done

echo 'That of a thread.'
cat >deep-thread.c <<'END'
#include <pthread.h>
static volatile int work;
__attribute__((noinline)) static int deeper(int n)
{ // begins
    int sum = n > 1000000000 ? 0 : deeper(n + 1); // deeper
    return sum + ++work;
}
static void *thread(void *x)
{
    work = deeper(0); // thread
    return x;
}
static void *brief(void *x) { return x; }
int main(void)
{
    pthread_t number;
    for (int i = 0; i < 100; i++) {
        pthread_create(&number, NULL, brief, NULL);
        pthread_join(number, NULL);
    }
    pthread_create(&number, NULL, thread, NULL);
    pthread_join(number, NULL);
    return 0;
}
END
for kind in "$KIND" -fplugin-arg-ccprof-profile=time,call; do
    pcc "$kind" -O1 -pthread deep-thread.c -o prog
    status=0
    ./prog >out 2>err || status=$?
    [ $status -eq 139 ] || fail "status $status"
    has err '^\.\.\. ([0-9]* calls left out)$'
    source_of err | without_columns | sort -u >got
    frames deep-thread.c $begins deeper:deeper thread:thread >want
    same got want
done
rm -f mlmon.out

echo 'Floating point, an illegal instruction, in a thread.'
cat >kinds.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static volatile int zero;
__attribute__((noinline)) static void *divide(void *x)
{
    zero = 1000 / zero; // divide
    return x;
}
__attribute__((noinline)) static void trap(void)
{
    __builtin_trap(); // trap
}
int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc > 1)
        trap(); // main-trap
    pthread_create(&thread, NULL, divide, argv);
    pthread_join(thread, NULL);
    return 0;
}
END
pcc "$KIND" -O2 -pthread kinds.c -o prog
frames kinds.c divide:divide >want
# Others divide by 0 and go on, and have a breakpoint where x86 has what is no instruction.
[ "$cpu" != x86_64 ] || ends 136 SIGFPE want
frames kinds.c trap:trap main:main-trap >want
if [ "$cpu" = x86_64 ]; then
    ends 132 SIGILL want trap
else
    ends 133 SIGTRAP want trap
fi
cat >breaks.c <<'END'
#include <signal.h>
int main(void)
{
    raise(SIGTRAP); // main
    return 0;
}
END
pcc "$KIND" -O2 breaks.c -o prog
frames breaks.c main:main >want
ends 133 SIGTRAP want
