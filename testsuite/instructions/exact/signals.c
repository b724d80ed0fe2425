// SPDX-License-Identifier: GPL-3.0-or-later
// Signals in the middle of a block: handlers that return, and handlers that leave with
// siglongjmp, for instructions that fault and for a signal that the program sends to
// itself. A block that a signal has ended is executed in part.

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static sigjmp_buf env;
static volatile sig_atomic_t seen;
static char *page;
int sum;

static void on_fault(int number)
{
    seen += number;
    siglongjmp(env, number);
}

// The instruction is executed again, now with success.
static void on_retry(int number)
{
    seen += number;
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

static void on_user(int number)
{
    seen += number * 2;
    if (seen % 3 == 0)
        siglongjmp(env, 1);
}

// Loads, arithmetic and stores of one block; the load of *PLACE faults.
NOINLINE static int block(const int *values, volatile int *place, int *out)
{
    int a = values[0] * 3 + values[1];
    out[0] = a;
    int b = a ^ *place;
    out[1] = b + values[2];
    out[2] = b * 5;
    return b;
}

NOINLINE static int divide(int a, int b, int *out)
{
    out[0] = a + b;
    int c = a / b;
    out[1] = c;
    return c * 3;
}

NOINLINE static void send(int i)
{
    sum += i;
    raise(SIGUSR1);
    sum += 2;
}

static void handle(int number, void (*handler)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_NODEFER;
    sigaction(number, &action, NULL);
}

int main(void)
{
    static const int values[] = {3, 5, 7};
    int out[3] = {0};
    volatile int here = 11;
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    handle(SIGSEGV, on_fault);
    handle(SIGFPE, on_fault);
    for (volatile int i = 0; i < 9; i++)
        if (sigsetjmp(env, 1) == 0) {
            sum += block(values, i % 3 == 2 ? (volatile int *)page : &here, out);
            sum += divide(i * 100, i % 4, out);
        } else
            sum += out[0];
    handle(SIGSEGV, on_retry);
    sum += block(values, (volatile int *)page, out);
    handle(SIGUSR1, on_user);
    for (volatile int i = 0; i < 9; i++)
        if (sigsetjmp(env, 1) == 0)
            send(i);
    printf("%d %d\n", sum, (int)seen);
    return 0;
}
