// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks that end before their last instruction, since a callee does not return or
// returns twice: longjmp, setjmp, exit in a callee, pthread_exit, a cancelled thread, a
// callee that ends the process or not.

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline, noclone))

static jmp_buf outer, inner;
volatile int zero;
int sum;

NOINLINE static void leave(int i)
{
    if (i % 3 == 0)
        longjmp(outer, i + 1);
    sum += i;
}

// Instructions on both sides of the call are of one block.
NOINLINE static int around(int i)
{
    int a = i * 7 + sum;
    leave(i);
    return a * 3 + i;
}

NOINLINE static _Noreturn void back(int value)
{
    longjmp(inner, value);
}

NOINLINE static int twice(int n)
{
    volatile int rounds = 0;
    int value = setjmp(inner);
    rounds++;
    if (value < n)
        back(value + 1);
    return rounds;
}

NOINLINE static int deep(int n)
{
    if (n == 0 && !zero)
        longjmp(outer, 99);
    return n < 0 ? 0 : deep(n - 1) * 2 + n;
}

NOINLINE static void maybe_exit_thread(int i)
{
    sum += i;
    if (i == 4)
        pthread_exit(NULL);
    sum -= 1;
}

NOINLINE static void *thread(void *data)
{
    for (int i = *(int *)data;; i++) {
        sum += i * 3;
        maybe_exit_thread(i);
        sum += 2;
        if (sum == 0)
            return data;
    }
}

NOINLINE static void clean(void *data)
{
    *(int *)data += 1;
}

NOINLINE static void *cancelled(void *data)
{
    pthread_cleanup_push(clean, data);
    for (int i = 0;; i++) {
        sum += i;
        if (i == 20)
            pthread_cancel(pthread_self());
        pthread_testcancel();
        sum += 1;
    }
    pthread_cleanup_pop(0);
    return NULL;
}

NOINLINE static void at_exit(void)
{
    printf("sum %d\n", sum);
}

NOINLINE static void finish(int i)
{
    sum += i;
    if (i > 10)
        exit(zero);
    sum ^= i;
}

int main(void)
{
    atexit(at_exit);
    for (volatile int i = 0; i < 10; i++) {
        int value = setjmp(outer);
        if (value == 0)
            sum += around(i);
        else
            sum += value;
    }
    sum += twice(5);
    if (setjmp(outer) == 0)
        sum += deep(12);
    pthread_t id;
    int start = 1, cleaned = 0;
    pthread_create(&id, NULL, thread, &start);
    pthread_join(id, NULL);
    pthread_create(&id, NULL, cancelled, &cleaned);
    pthread_join(id, NULL);
    sum += cleaned;
    for (int i = 0;; i++) {
        sum = sum * 3 + i;
        finish(i);
        sum++;
    }
}
