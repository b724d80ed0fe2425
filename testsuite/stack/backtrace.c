/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A handler unwinds the stack that it has interrupted, in whatever instruction: prints
   how many of 300 stacks do not come to main. */

#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

#define MOST 64

static volatile int stacks, cut;
static void *volatile outermost; /* in main, or what has called it */
void (*volatile hook)(int);
int table[256];

static void handler(int signal)
{
    void *address[MOST];
    int depth = backtrace(address, MOST), i = depth;
    (void)signal;
    while (i > 0 && address[i - 1] != outermost)
        i--;
    stacks++;
    cut += i == 0;
}

static inline int step(int x)
{
    return table[x & 255]++;
}

__attribute__((noinline)) static int descend(int n)
{
    if (n == 0) {
        if (hook)
            hook(n);
        return 1;
    }
    return step(n) + descend(n - 1) + step(n * 3);
}

int main(void)
{
    struct itimerval often = {{0, 2000}, {0, 2000}};
    void *address[MOST];
    long sum = 0;

    /* Who has called main is at the end of every stack, and one more. */
    outermost = address[backtrace(address, MOST) - 1];
    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &often, NULL);
    while (stacks < 300)
        sum += descend(20);
    signal(SIGALRM, SIG_IGN);
    printf("%d\n", cut);
    return sum == 0;
}
