// SPDX-License-Identifier: GPL-3.0-or-later
// Functions whose last act is a call of the C library: a jump. The program calls each
// for its own time, and prints of each the CPU time that it and what it has called in the
// C library took, in percent. -DALONE: no program, -DPROGRAM: the program alone.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOIPA __attribute__((noipa))

void clear(void *to, size_t size);
void order(void *base, size_t count, size_t size);
void wipe(void *to, size_t size);
void reset(void *to, size_t size);
void either(void *to, const void *from, size_t size);

#ifndef PROGRAM

NOIPA void clear(void *to, size_t size)
{
    memset(to, 0, size);
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

NOIPA void order(void *base, size_t count, size_t size)
{
    qsort(base, count, size, compare);
}

NOIPA void wipe(void *to, size_t size)
{
    memset(to, 2, size);
}

NOIPA void reset(void *to, size_t size)
{
    wipe(to, size);
}

NOIPA void either(void *to, const void *from, size_t size)
{
    if (from)
        memcpy(to, from, size);
    else
        memset(to, 3, size);
}

#endif

#ifndef ALONE

#define SIZE 16384
#define INTS 8192

static char one[SIZE], other[SIZE];
static int numbers[INTS];

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Not in tail position; clear is called here, too, for next to nothing.
NOIPA static void itself(int n)
{
    static volatile int sum;
    clear(one, 1);
    for (int i = 0; i < n; i++) {
        memset(one, i, SIZE);
        sum += one[i % SIZE];
    }
    clear(one, 1);
}

enum { CLEAR, ORDER, WIPE, EITHER, ITSELF, KINDS };
static const char *const names[KINDS] = {"clear", "order", "wipe", "either", "itself"};

static void call(int kind)
{
    if (kind == ITSELF)
        itself(2000);
    if (kind == ORDER) {
        for (uint32_t i = 0; i < INTS; i++)
            numbers[i] = (int)(i * 2654435761u >> 1);
        order(numbers, INTS, sizeof *numbers);
    }
    for (int i = 0; i < 2000; i++) {
        if (kind == CLEAR)
            clear(one, SIZE);
        if (kind == WIPE)
            reset(one, SIZE);
        if (kind == EITHER)
            either(one, i & 1 ? other : NULL, SIZE);
    }
}

int main(void)
{
    double spent[KINDS] = {0}, all = 0;
    while (all < 1.1)
        for (int kind = 0; kind < KINDS; kind++) {
            double start = now();
            do
                call(kind);
            while (now() - start < 0.01);
            double took = now() - start;
            spent[kind] += took;
            all += took;
        }
    for (int kind = 0; kind < KINDS; kind++)
        printf("%s %.3f\n", names[kind], 100 * spent[kind] / all);
    return 0;
}

#endif
