/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For the tests of formats and of all views: inlined functions, one of which has code of
   another file, recursion, calls through a pointer, and phases, one inside of the other.
   How often each is called stands behind it. */

#include "ccprof.h"

#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 60

static volatile double sink;
static char *volatile kept;

static inline double square(double x) /* ROUNDS * 2 * 40000 */
{
    return x * x;
}

static double polish(double x) /* ROUNDS * 2 */
{
    for (int i = 0; i < 40000; i++) {
#include "step.h"
    }
    return x;
}

__attribute__((noinline)) static double descend(int depth, double x) /* ROUNDS * 5 */
{
    double y = depth ? descend(depth - 1, x) : polish(x);
    sink = y;
    return y + 1e-9;
}

__attribute__((noinline)) static double other(int depth, double x) /* ROUNDS */
{
    double y = polish(x + depth);
    sink = y;
    return y;
}

int main(void) /* 1 */
{
    double (*const ways[])(int, double) = {descend, other};
    double sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        if (i == ROUNDS / 2)
            ccprof_label_begin("second half");
        for (int way = 0; way < 2; way++) {
            CCPROF_LABEL("way");
            char *memory = malloc(1000); /* ROUNDS * 2 */
            kept = memory;
            sum += ways[way](way ? 0 : 4, i);
            free(memory);
        }
    }
    printf("%d\n", sum > 0);
    return 0;
}
