// SPDX-License-Identifier: GPL-3.0-or-later
// The predictors of predictions.h, in the plainest way.
#include "predictions.h"

#include <stdio.h>

#define MOST     100
#define OUTCOMES 100

struct condition {
    int history[2], counters[2][2][2][2];
    int is_known;
};

struct choice {
    int last, behind[OUTCOMES];
};

static __thread struct condition conditions[MOST];
static __thread int all[2];
static __thread struct choice choices[MOST];
static int missed[MOST], seen[MOST];

static void miss(int number)
{
    __atomic_add_fetch(&missed[number], 1, __ATOMIC_RELAXED);
}

// 0 and 1 predict that the condition is false, 2 and 3 that it is true; 1 at first.
void expect_condition(int number, int outcome)
{
    struct condition *c = &conditions[number];
    int *h = c->history;

    if (!c->is_known) {
        int *counter = &c->counters[0][0][0][0];
        for (int i = 0; i < 16; i++)
            counter[i] = 1;
        c->is_known = 1;
    }
    int *counter = &c->counters[all[1]][all[0]][h[1]][h[0]];
    seen[number] = 1;
    if ((*counter >= 2) != outcome)
        miss(number);
    if (outcome && *counter < 3)
        ++*counter;
    if (!outcome && *counter > 0)
        --*counter;
    h[1] = h[0];
    h[0] = outcome;
    all[1] = all[0];
    all[0] = outcome;
}

// Outcomes from 1 on. Nothing is predicted before the first one.
void expect_switch(int number, int value)
{
    struct choice *c = &choices[number];
    int outcome = value < 3 ? value + 1 : 4;

    seen[number] = 1;
    if (!c->last || c->behind[c->last] != outcome)
        miss(number);
    if (c->last)
        c->behind[c->last] = outcome;
    c->last = outcome;
}

void expect_print(void)
{
    for (int i = 0; i < MOST; i++)
        if (seen[i])
            printf("%d %d\n", i, missed[i]);
}
