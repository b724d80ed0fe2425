/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values stay in vector registers while functions with stopwatches are called that are
   known to leave them alone. Prints a sum. */

#include <stdio.h>
#include <string.h>

typedef double wide __attribute__((vector_size(WIDE)));

#define QUIET(name, factor)                                                              \
    static __attribute__((noinline, noclone)) long name(long x)                          \
    {                                                                                    \
        return x * factor;                                                               \
    }
QUIET(first, 3)
QUIET(second, 5)
QUIET(third, 7)

static volatile wide source[6];

int main(int argc, char **argv)
{
    double sum = 0;
    long n = 0;

    (void)argv;
    for (int i = 0; i < 6; i++) {
        wide value;
        for (unsigned j = 0; j < WIDE / sizeof(double); j++)
            value[j] = i + j + argc;
        source[i] = value;
    }
    for (int i = 0; i < 1000; i++) {
        wide a = source[0], b = source[1], c = source[2], d = source[3], e = source[4];
        n += first(i);
        if (i % 2)
            n += second(i);
        if (i % 10 == 9)
            n += third(i);
        wide all = a + 2 * b + 3 * c + 4 * d + 5 * e;
        for (unsigned j = 0; j < WIDE / sizeof(double); j++)
            sum += all[j];
    }
    printf("%ld %.0f\n", n, sum);
    return 0;
}
