/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chains of calls: chain WAY [NUMBER] prints one on standard output. The tests find the
   lines by the words in the comments at their ends. */

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/time.h>

#include "ccprof.h"

#define NOINLINE __attribute__((noinline, noclone))

static volatile int work;

static inline void innermost(int way)
{
    work++;
    if (way)
        ccprof_chain_print(1); // print
}

static inline void middle(int way)
{
    innermost(way); // middle
    work++;
}

NOINLINE static int compare(const void *one, const void *other)
{
    middle(*(const int *)one > 0); // compare
    return *(const int *)one - *(const int *)other;
}

NOINLINE static void sort(void)
{
    int numbers[2] = {1, 0};
    qsort(numbers, 2, sizeof *numbers, compare); // sort
    work++;
}

NOINLINE static void recurse(int n)
{
    if (n == 0)
        ccprof_chain_print(1); // bottom
    else
        recurse(n - 1); // recurse
    work++;
}

NOINLINE static void last(void)
{
    ccprof_chain_print(1); // last
}

static void handle(int number)
{
    work += number;
    ccprof_chain_print(1); // handle
}

static void handle_context(int number, siginfo_t *info, void *context)
{
    work += number + info->si_code;
    ccprof_chain_print_at(context, 1);
    _exit(3);
}

static inline void write_to(int *address)
{
    *address = 1; // write
}

NOINLINE static void crash(int *address)
{
    write_to(address); // crash
    work++;
}

/* What the handlers of two signals use themselves: SIGPROF may come meanwhile. */
#define STACK_SIZE 4608

/* A stack as small as they can be: the kernel puts all registers there for each signal,
   which is up to 5,120 bytes on aarch64 and more than 3,000 with AVX-512. */
static void on_stack(void (*handler)(int, siginfo_t *, void *))
{
    size_t size = 2 * getauxval(AT_MINSIGSTKSZ) + STACK_SIZE;
    stack_t stack = {.ss_sp = malloc(size), .ss_size = size};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
}

/* The chain of this function, again and again. */
NOINLINE static int check(int *failed)
{
    struct ccprof_frame frames[3];
    int count = ccprof_chain(frames, 3); // check
    if (count != 3 || !frames[0].function || strcmp(frames[0].function, "check") != 0 ||
        !frames[1].function || strcmp(frames[1].function, "thread") != 0 ||
        frames[0].line == 0 || frames[0].inlined)
        ++*failed;
    return count;
}

static void *thread(void *argument)
{
    int failed = 0;
    for (int i = 0; i < 2000; i++)
        work += check(&failed);
    *(int *)argument = failed;
    return NULL;
}

/* Handlers that ask for chains while the thread does so, too. */
static volatile int handled, handled_wrong;

static void tick(int number)
{
    struct ccprof_frame frames[2];
    int count = ccprof_chain(frames, 2);
    handled += number != 0;
    handled_wrong += count != 2 || !frames[0].function ||
                     strcmp(frames[0].function, "tick") != 0 ||
                     strcmp(frames[1].function, "<signal>") != 0;
}

static void threads(void)
{
    struct itimerval timer = {{0, 1000}, {0, 1000}};
    pthread_t number[4];
    int failed[4], sum = 0;
    signal(SIGVTALRM, tick);
    setitimer(ITIMER_VIRTUAL, &timer, NULL);
    for (int i = 0; i < 4; i++)
        pthread_create(&number[i], NULL, thread, &failed[i]);
    for (int i = 0; i < 4; i++) {
        pthread_join(number[i], NULL);
        sum += failed[i];
    }
    signal(SIGVTALRM, SIG_IGN);
    printf("%d %d %d\n", sum, handled > 0, handled_wrong);
}

static void room(void)
{
    struct ccprof_frame frames[2];
    memset(frames, 0x55, sizeof frames);
    printf("%d", ccprof_chain(frames, 0));
    printf(" %d", ccprof_chain(frames, -1));
    printf(" %d", ccprof_chain(frames, 1));
    printf(" %s %d\n", frames[0].function, frames[1].inlined == 0x55555555);
}

/* The stack overflows. On x86-64 the call itself writes to the stack, elsewhere what it
 * has called begins with that. */
NOINLINE static int deeper(int n)
{                                                 // begins
    int sum = n > 1000000000 ? 0 : deeper(n + 1); // deeper
    return sum + ++work;
}

static void *deep_thread(void *unused)
{
    work = deeper(0); // thread
    return unused;
}

static void *brief(void *unused)
{
    return unused;
}

/* The stack of a thread overflows, behind a hundred others. */
static void deep_in_thread(void)
{
    pthread_t number;
    for (int i = 0; i <= 100; i++) {
        pthread_create(&number, NULL, i < 100 ? brief : deep_thread, NULL);
        pthread_join(number, NULL);
    }
}

NOINLINE static void trap(void)
{
    __builtin_trap(); // trap
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    int number = argc > 2 ? atoi(argv[2]) : 0;
    void (*volatile nothing)(void) = NULL;
    int *volatile unmapped = (int *)8;

    if (strcmp(way, "inlined") == 0)
        sort(); // main
    else if (strcmp(way, "recurse") == 0)
        recurse(number); // main-recurse
    else if (strcmp(way, "last") == 0)
        last(); // main-last
    else if (strcmp(way, "threads") == 0)
        threads();
    else if (strcmp(way, "room") == 0)
        room();
    else if (strcmp(way, "segv") == 0)
        on_stack(handle_context);
    if (strcmp(way, "signal") == 0) {
        signal(SIGUSR1, handle);
        raise(SIGUSR1); // main-signal
    }
    if (strcmp(way, "abort") == 0)
        abort(); // main-abort
    if (strcmp(way, "segv") == 0 || strcmp(way, "crash") == 0)
        crash(unmapped); // main-crash
    if (strcmp(way, "null") == 0)
        nothing(); // main-null
    if (strcmp(way, "term") == 0)
        raise(SIGTERM);
    if (strcmp(way, "trap") == 0)
        trap(); // main-trap
    if (strcmp(way, "deep-thread") == 0)
        deep_in_thread();
    if (strcmp(way, "deep") == 0)
        return deeper(0); // main-deep
    return 0;
}
