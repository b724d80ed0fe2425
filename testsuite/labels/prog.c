// SPDX-License-Identifier: GPL-3.0-or-later
// Calls each wrapper for its own time, and says what that was: on standard output each
// function, and the CPU time that it and what it has called in the C library took, in
// percent.

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// wrappers.c.
void clear(void *to, size_t size);
void copy(void *to, const void *from, size_t size);
size_t length(const char *text);
void order(void *base, size_t count, size_t size);
void reset(void *to, size_t size); // calls wipe
void either(void *to, const void *from, size_t size);

#define NOIPA __attribute__((noipa))
#define SIZE  16384
#define INTS  8192

static char one[SIZE], other[SIZE];
static int numbers[INTS];

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

enum { CLEAR, COPY, LENGTH, ORDER, WIPE, EITHER, ITSELF, KINDS };
static const char *const names[KINDS] = {"clear", "copy",   "length", "order",
                                         "wipe",  "either", "itself"};

// Not in tail position; clear is called here, too, for next to nothing.
NOIPA static int itself(int n)
{
    int sum = 0;
    clear(one, 1);
    for (int i = 0; i < n; i++) {
        memset(one, i, SIZE);
        sum += one[i % SIZE];
    }
    clear(one, 1);
    return sum;
}

static size_t call(int kind)
{
    size_t sum = 0;
    switch (kind) {
    case ITSELF:
        return (size_t)itself(2000);
    case ORDER:
        for (uint32_t i = 0; i < INTS; i++)
            numbers[i] = (int)(i * 2654435761u >> 1);
        order(numbers, INTS, sizeof *numbers);
        return 0;
    }
    for (int i = 0; i < 2000; i++) {
        switch (kind) {
        case CLEAR:
            clear(one, SIZE);
            break;
        case COPY:
            copy(one, other, SIZE);
            break;
        case LENGTH:
            sum += length(other);
            break;
        case WIPE:
            reset(one, SIZE);
            break;
        case EITHER:
            either(one, i & 1 ? other : NULL, SIZE);
            break;
        }
    }
    return sum;
}

int main(void)
{
    double spent[KINDS] = {0}, all = 0;
    volatile size_t sum = 0;
    memset(other, 1, SIZE - 1);
    while (all < 1.1)
        for (int kind = 0; kind < KINDS; kind++) {
            double start = now();
            do
                sum += call(kind);
            while (now() - start < 0.01);
            double took = now() - start;
            spent[kind] += took;
            all += took;
        }
    for (int kind = 0; kind < KINDS; kind++)
        printf("%s %.3f\n", names[kind], 100 * spent[kind] / all);
    return 0;
}
