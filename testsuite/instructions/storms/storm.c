/* SPDX-License-Identifier: GPL-3.0-or-later */
/* storm THROWS JUMPS [SIGNALS MICROSECONDS] [left] [alternate] [thread]: executes rounds
   of exceptions and of longjmps. With SIGNALS it repeats them, and 1000 steps, until a
   timer has sent so many signals. Their handler calls functions of the program: on a
   stack of its own with `alternate', and with `left' some that an exception or a longjmp
   may just have left. With `thread' all this is not in the first thread.

   Signals arrive only in the function work. The last line tells, as shell variables, how
   many exceptions, longjmps, steps and signals there were, and how many of the signals
   arrived in which part of a step. */

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include "storms.h"

/* Where the program is: surely outside of step; in it, but not in shared; in shared; else
   in between. */
enum { BETWEEN, OUTSIDE, STEP, SHARED, PLACES };

static volatile int sink, where = OUTSIDE;
static volatile long arrived[PLACES], signals;
static long steps, throw_count, jump_count, signal_count;
static int microseconds, calls_left;
static char alternate[1 << 16] __attribute__((aligned(16)));
static __thread jmp_buf back;

NOINLINE static void inside_shared(int n)
{
    while (n-- > 0)
        sink += n;
}

/* Always executes the same. */
NOINLINE static void shared(int place)
{
    int before = where;
    where = place;
    inside_shared(20);
    inside_shared(30);
    where = before;
}

NOINLINE static void mark(int n)
{
    for (int i = 0; i < n; i++)
        sink += i;
}

NOINLINE static void note(void)
{
    mark(7);
    sink++;
}

NOINLINE static void back_2(int n)
{
    longjmp(back, n);
}

NOINLINE static void back_1(int n)
{
    back_2(n);
    sink++;
}

NOINLINE static void hop(void)
{
    if (setjmp(back) == 0)
        back_1(1);
}

NOINLINE static void handler(int number)
{
    (void)number;
    signals++;
    arrived[where]++;
    note();
    shared(where);
    hop();
    if (calls_left) {
        frame_15(0);
        jump_15(0);
    }
    sink++;
}

NOINLINE static void step(void)
{
    where = STEP;
    for (int i = 0; i < 100; i++)
        sink++;
    where = BETWEEN;
    shared(SHARED);
    where = STEP;
    for (int i = 0; i < 100; i++)
        sink++;
    where = BETWEEN;
}

NOINLINE static void turn(long number)
{
    for (int i = 0; i < number; i++) {
        where = BETWEEN;
        step();
        where = OUTSIDE;
        steps++;
    }
    for (long i = 0; i < throw_count; i++)
        throws((int)(i % 21));
    for (long i = 0; i < jump_count; i++)
        jumps((int)(i % 21));
}

NOINLINE static void work(void)
{
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
    do
        turn(signal_count ? 1000 : 0);
    while (signals < signal_count);
    pthread_sigmask(SIG_BLOCK, &alarm, NULL);
}

NOINLINE static void *run(void *on)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = on ? SA_ONSTACK : 0};
    struct itimerval every = {{0, microseconds}, {0, microseconds}},
                     none = {{0, 0}, {0, 0}};
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
    if (on)
        sigaltstack(&stack, NULL);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    work();
    setitimer(ITIMER_REAL, &none, NULL);
    return NULL;
}

/* Takes the word from the end of the arguments. */
NOINLINE static int has_word(int *count, char **arguments, const char *word)
{
    if (strcmp(arguments[*count - 1], word) != 0)
        return 0;
    --*count;
    return 1;
}

int main(int count, char **arguments)
{
    int own = has_word(&count, arguments, "thread");
    void *on = has_word(&count, arguments, "alternate") ? alternate : NULL;
    pthread_t thread;
    sigset_t alarm;

    calls_left = has_word(&count, arguments, "left");
    throw_count = strtol(arguments[1], NULL, 10);
    jump_count = strtol(arguments[2], NULL, 10);
    if (count > 4) {
        signal_count = strtol(arguments[3], NULL, 10);
        microseconds = (int)strtol(arguments[4], NULL, 10);
    }
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm, NULL);
    if (own) {
        pthread_create(&thread, NULL, run, on);
        pthread_join(thread, NULL);
    } else {
        run(on);
    }
    printf("caught=%ld passed_on=%ld landed=%ld steps=%ld signals=%ld between=%ld "
           "outside=%ld in_step=%ld in_shared=%ld\n",
           caught, passed_on, landed, steps, signals, arrived[BETWEEN], arrived[OUTSIDE],
           arrived[STEP], arrived[SHARED]);
    return 0;
}
