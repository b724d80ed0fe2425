// SPDX-License-Identifier: GPL-3.0-or-later
// Indirect calls for instructions-inclusive: virtual functions, pointers in memory and on
// the stack, recursion through them, callees that are left by exceptions and by longjmp,
// callbacks of libc, a signal handler, threads, and exit in a callee.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile int sink;
static jmp_buf back;

struct shape {
    virtual int area(int n) = 0;
    virtual ~shape()
    {
    }
};

NOINLINE static int work(int n)
{
    int sum = 0;
    while (n-- > 0)
        sum += sink + n;
    return sum;
}

struct square : shape {
    NOINLINE int area(int n) override
    {
        return work(n) + n;
    }
};

struct group : shape {
    shape *first, *second;
    group(shape *one, shape *two) : first(one), second(two)
    {
    }
    NOINLINE int area(int n) override
    {
        return n <= 0 ? 0 : first->area(n) + second->area(n - 1);
    }
};

struct thrower : shape {
    NOINLINE int area(int n) override
    {
        if (work(n) >= 0 && n % 3 == 0)
            throw n;
        return n;
    }
};

struct guard {
    ~guard()
    {
        sink = work(2) & 0;
    }
};

NOINLINE static int guarded(shape *with, int n)
{
    guard here;
    return with->area(n);
}

NOINLINE static int caught(shape *with, int n)
{
    try {
        return guarded(with, n);
    } catch (int thrown) {
        return work(thrown) + with->area(1);
    }
}

typedef int (*function)(int);

NOINLINE static int jumps(int n)
{
    if (n == 0)
        longjmp(back, 1);
    return work(n);
}

NOINLINE static int through(function *table, int n)
{
    return table[n & 1](n) + 1;
}

NOINLINE static int deep(int n)
{
    function table[] = {jumps, deep};
    return n < 3 ? through(table, n - 1) : work(n) + through(table, n | 1 ? n - 2 : 0);
}

NOINLINE static int lands(int n)
{
    function table[] = {work, deep};
    if (setjmp(back))
        return work(1);
    return through(table, n);
}

static int compare(const void *one, const void *other)
{
    return work(3) * 0 + *(const int *)one - *(const int *)other;
}

static function from_handler = work;

static void handler(int)
{
    sink = from_handler(4) & 0;
}

static void *thread(void *with)
{
    for (int i = 1; i < 4; i++)
        sink = ((shape *)with)->area(i) & 0;
    return NULL;
}

static void ends(int n)
{
    work(n);
    exit(0);
}

static void (*volatile leaves)(int) = ends;

int main()
{
    square one;
    thrower two;
    group three(&one, &one), four(&three, &one), five(&four, &four);
    shape *all[] = {&one, &two, &three, &four, &five};
    int sum = 0, numbers[] = {3, 1, 2};
    pthread_t threads[2];

    five.second = &five;
    for (int i = 0; i < 20; i++)
        sum += caught(all[i % 5], i);
    for (int i = 0; i < 6; i++)
        sum += lands(i);
    qsort(numbers, 3, sizeof *numbers, compare);
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    for (pthread_t &id : threads)
        pthread_create(&id, NULL, thread, &five);
    for (pthread_t &id : threads)
        pthread_join(id, NULL);
    printf("%d\n", sum);
    leaves(5);
}
