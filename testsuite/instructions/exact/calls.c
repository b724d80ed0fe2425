// SPDX-License-Identifier: GPL-3.0-or-later
// All ways into and out of calls, for inclusive instructions: recursion, callbacks,
// longjmp, jumps in tail position, signal handlers, threads that end in a callee.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline, noclone))
static volatile int sink;
NOINLINE static int leaf(int n)
{
    int s = n;
    while (n > 0)
        s += n--;
    return s;
}
NOINLINE static int even(int n);
NOINLINE static int odd(int n)
{
    if (n == 0)
        return 0;
    sink += leaf(n);
    return even(n - 1) + 1;
}
NOINLINE static int even(int n)
{
    if (n == 0)
        return 1;
    return odd(n - 1) + leaf(2);
}
NOINLINE static int fib(int n)
{
    return n < 2 ? leaf(n) : fib(n - 1) + fib(n - 2);
}
NOINLINE static int tail(int n)
{
    return n % 3 ? leaf(n) : fib(n);
}
static int compare(const void *a, const void *b)
{
    sink += leaf(3);
    return *(const int *)a - *(const int *)b;
}
static jmp_buf where;
NOINLINE static void deep(int n)
{
    if (n == 0)
        longjmp(where, 1);
    deep(n - 1);
    sink++;
}
NOINLINE static int land(int n)
{
    volatile int s = 0;
    if (setjmp(where) == 0) {
        s += leaf(n);
        deep(n);
    }
    s += leaf(n);
    return s;
}
NOINLINE static int recurse_and_land(int n)
{
    if (n == 0)
        return 0;
    int s = land(n);
    return s + recurse_and_land(n - 1) + leaf(n);
}
static int (*volatile pointers[])(int) = {leaf, fib, tail, even};
NOINLINE static int indirect(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += pointers[i & 3](i);
    return s;
}
static void handler(int number)
{
    sink += leaf(number);
    sink += fib(4);
}
NOINLINE static void raises(int n)
{
    if (n) {
        raise(SIGUSR1);
        sink += leaf(n);
        raises(n - 1);
    }
}
NOINLINE static void quits(int n)
{
    if (n == 0)
        pthread_exit(NULL);
    quits(n - 1);
    sink++;
}
static void *thread(void *of)
{
    sink += fib(5);
    quits((int)(long)of);
    return NULL;
}
int main(void)
{
    int list[20], s = 0;
    for (int i = 0; i < 20; i++)
        list[i] = (i * 7) % 20;
    qsort(list, 20, sizeof *list, compare);
    signal(SIGUSR1, handler);
    s += odd(9) + even(6) + fib(9);
    for (int i = 0; i < 10; i++)
        s += tail(i);
    s += recurse_and_land(5) + indirect(13);
    raises(4);
    for (long i = 0; i < 3; i++) {
        pthread_t t;
        pthread_create(&t, NULL, thread, (void *)i);
        pthread_join(t, NULL);
    }
    printf("%d %d\n", s, sink);
    return 0;
}
