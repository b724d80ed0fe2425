// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that are inlined, cloned, recursive, called by pointer, never called. Each counts its calls
// itself; the program prints the counts.

#include <stdio.h>
#include <stdlib.h>

enum { MAIN, SQUARE, FIB, TAK, SUM, APPLY, TWICE, NEVER, BRANCH, CONSTANT, COMPARE, SCALE, STEP,
       IN_LOOPS, STEPS, FUNCTIONS };

static const char *const names[] = {"main",  "square", "fib",    "tak",      "sum",     "apply",
                                    "twice", "never",  "branch", "constant", "compare", "scale", "step", "in_loops", "steps"};
static unsigned long calls[FUNCTIONS];

#define CALL(number) (void)(calls[number]++)

static inline int square(int x)
{
    CALL(SQUARE);
    return x * x;
}

static int fib(int n)
{
    CALL(FIB);
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static int tak(int x, int y, int z)
{
    CALL(TAK);
    return y >= x ? z : tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y));
}

// A loop for the optimiser.
static long sum(int n, long so_far)
{
    CALL(SUM);
    return n ? sum(n - 1, so_far + n) : so_far;
}

static int twice(int x)
{
    CALL(TWICE);
    return 2 * x;
}

static int apply(int (*function)(int), int x)
{
    CALL(APPLY);
    return function(x);
}

int never(int x)
{
    CALL(NEVER);
    return x + 1;
}

static int branch(int x)
{
    CALL(BRANCH);
    if (x > 1000000)
        return never(x);
    return x & 1 ? square(x) : twice(x);
}

__attribute__((noinline)) static int constant(int kind, int x)
{
    CALL(CONSTANT);
    return kind == 1 ? x + 1 : kind == 2 ? square(x) : x;
}

// Called by libc.
static int compare(const void *a, const void *b)
{
    CALL(COMPARE);
    return *(const int *)a - *(const int *)b;
}

static void scale(double *to, const double *from, int n)
{
    CALL(SCALE);
    for (int i = 0; i < n; i++)
        to[i] = 2 * from[i];
}

// Its counter is in a register in two loops, and not between them. The caller knows its calls by the arguments.
static inline unsigned step(unsigned x) { return x * 3 + 1; }

volatile int sink;

__attribute__((noipa)) static unsigned in_loops(const unsigned *a, unsigned n)
{
    unsigned sum = 0;
    CALL(IN_LOOPS);
    for (unsigned i = 0; i < n; i++)
        sum += step(a[i]);
    if (sum & 1) {
        sink = 1;
        sum = step(sum);
        sink = 2;
    }
    for (unsigned i = 0; i < n; i++)
        sum ^= step(a[i]) << i % 3;
    return sum;
}

static void steps(void)
{
    unsigned a[100];
    CALL(STEPS);
    for (unsigned i = 0; i < 100; i++)
        a[i] = i * i;
    for (unsigned n = 1; n <= 100; n++) {
        // 3 a + 1 is odd where a is even, as its index is.
        calls[STEP] += 2 * n + (n + 1) / 2 % 2;
        sink = (int)in_loops(a, n);
    }
}

int main(void)
{
    CALL(MAIN);
    steps();
    static int numbers[1000];
    static double to[100], from[100];
    long total = 0;
    for (int i = 0; i < 1000; i++) {
        numbers[i] = rand() % 1000;
        total += square(i) + branch(i) + constant(1, i) + constant(2, i);
    }
    qsort(numbers, 1000, sizeof *numbers, compare);
    for (int i = 0; i < 50; i++)
        scale(to, from, 100);
    total += fib(20) + tak(12, 8, 4) + sum(1000, 0);
    for (int i = 0; i < 100; i++)
        total += apply(i & 1 ? twice : square, i);
    fprintf(stderr, "%ld %g %d\n", total, to[7], numbers[500]);
    for (int i = 0; i < FUNCTIONS; i++)
        printf("%s %lu\n", names[i], calls[i]);
    return 0;
}
