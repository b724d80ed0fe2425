/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lmd -lz -lm */
/* How often changes are found, where there are any and where there are none, between runs
   that are drawn at random. */

#include "testsuite/unit/random.h"
#include "testsuite/unit/sides.h"

#include <math.h>

#define FUNCTIONS 200

/* How runs are drawn: as balls from an urn. */
struct urn {
    unsigned balls[FUNCTIONS]; /* of each function */
    uint64_t samples;          /* in a run */
    unsigned rare;             /* functions of 3 in 10 balls besides */
    /* By how many percent at most runs differ by themselves. */
    unsigned speed;    /* all functions alike */
    unsigned restless; /* each other function for itself */
    unsigned seventh;  /* that one */
};

/* At random, from 1 - PERCENT % to 1 + PERCENT %. */
static double about_one(unsigned percent)
{
    return 1 + ((double)random_below(20001) / 1e4 - 1) * percent / 100;
}

static void add_drawn_run(struct runset *side, const struct urn *urn)
{
    uint64_t counts[FUNCTIONS] = {0};
    double upto[FUNCTIONS], all = 0, sum = 0;
    for (size_t i = 0; i < FUNCTIONS; i++) {
        double balls = i >= FUNCTIONS - urn->rare ? 0.3 : urn->balls[i];
        sum += balls;
        upto[i] = all += balls * about_one(i % 2 ? urn->restless : 0) *
                         about_one(i == 6 ? urn->seventh : 0);
    }
    double samples = (double)urn->samples * about_one(urn->speed) * all / sum;
    for (uint64_t n = 0; n < (uint64_t)samples; n++) {
        double ball = (double)random_below(1u << 30) / (1u << 30) * all;
        size_t function = 0;
        while (ball >= upto[function])
            function++;
        counts[function]++;
    }
    add_run(side, (uint64_t)samples, counts, FUNCTIONS);
}

struct drawn {
    size_t rows, certain; /* of all pairs, but for the function that has changed */
    size_t any;           /* pairs with a certain row, but for that one */
    size_t found;         /* pairs in which it is certain */
};

/* Compares PAIRS of RUNS a side. CHANGED: functions from the third one on, which are the
   ones that differ. */
static struct drawn draw(size_t pairs, size_t runs, const struct urn *before_urn,
                         const struct urn *after_urn, uint32_t changed)
{
    struct drawn drawn = {0};
    for (size_t n = 0; n < pairs; n++) {
        forget();
        begin();
        for (uint32_t i = 0; i < FUNCTIONS; i++) {
            char name[8] = {'f', (char)('a' + i / 26), (char)('a' + i % 26)};
            add_function(before, name, "m.c", 1);
            add_function(after, name, "m.c", 1);
        }
        for (size_t i = 0; i < runs; i++) {
            add_drawn_run(before, before_urn);
            add_drawn_run(after, after_urn);
        }
        compare(own_of(CCPROF_KIND_TIME), false);
        size_t certain = changes.certain;
        for (uint32_t i = 2; i < 2 + changed; i++) {
            const struct change *change = change_of(0, i);
            bool found = change && change->verdict.certain;
            drawn.found += found;
            certain -= found;
        }
        drawn.rows += changes.count - changed;
        drawn.certain += certain;
        drawn.any += certain > 0;
    }
    return drawn;
}

/* A share of PAIRS, and the amount that chance adds to it in 999 of 1,000 such tests:
   3.1 standard deviations. */
static size_t most_of(double share, size_t pairs)
{
    double mean = share * (double)pairs;
    return (size_t)(mean + 3.1 * sqrt(mean * (1 - share)));
}

/* Equal builds; and a twentieth of all more in a function that had a twentieth. */
#define URN(...)                                                                         \
    {                                                                                    \
        .balls = {300, 200, 100, 150, 100, 100, 45, 5}, __VA_ARGS__                      \
    }
#define SAME(...) URN(__VA_ARGS__), URN(__VA_ARGS__), 0
#define SLOWER(many)                                                                     \
    {.balls = {300, 200, 50, 100, 100, 50, 50, 100}, .samples = 1000, .rare = many},     \
        {.balls = {300, 200, 100, 100, 100, 50, 50, 100},                                \
         .samples = 1050,                                                                \
         .rare = many},                                                                  \
        1

/* The least share of the PAIRS of RUNS per side in which the CHANGED function is FOUND,
   and the largest share in which another function is found. */
static const struct {
    struct urn before, after;
    uint32_t changed;
    size_t runs, pairs, found;
    double share;
} cases[] = {
    /* The rate is 5 of 100, independently of the difference between runs, but 8 if some
       functions vary, others do not, and two runs per side must show which. */
    {SAME(.samples = 1000), 1, 600, 0, 0.05},
    {SAME(.samples = 4000, .seventh = 60), 5, 200, 0, 0.05},
    {SAME(.samples = 20000, .speed = 10), 2, 150, 0, 0.05},
    {SAME(.samples = 5000, .restless = 20), 2, 300, 0, 0.08},
    /* With 1,000 samples per side (10 s) the change is found in nine of ten pairs, also
       if many other functions have one sample or none. Two runs must also estimate
       their variation, which reduces the rate. */
    {SLOWER(0), 1, 200, 180, 0.05},
    {SLOWER(190), 1, 200, 180, 0.05},
    {SLOWER(0), 2, 200, 140, 0.05},
    /* Where half of the functions have changed, the others are called so no more often.
     */
    {{.balls = {150, 150, 100, 100, 100, 100, 150, 150}, .samples = 2000},
     {.balls = {150, 150, 200, 200, 200, 200, 150, 150}, .samples = 2800},
     4,
     1,
     500,
     2000,
     0.05},
};

TEST_ROWS(how_often, cases)
{
    struct drawn drawn = draw(cases[_i].pairs, cases[_i].runs, &cases[_i].before,
                              &cases[_i].after, cases[_i].changed);
    ck_assert_uint_ge(drawn.found, cases[_i].found);
    ck_assert_uint_le(drawn.any, most_of(cases[_i].share, cases[_i].pairs));
    if (cases[_i].changed == 0)
        ck_assert_uint_le(20 * drawn.certain, drawn.rows);
}
