/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lmd -lz -lm */
/* How often changes are found between random runs, both when there are changes and when
   there are none. */

#include "testsuite/unit/random.h"
#include "testsuite/unit/sides.h"

#include <math.h>

#define FUNCTIONS 200

/* Runs are drawn like balls from an urn. */
struct urn {
    unsigned balls[FUNCTIONS]; /* of each function */
    uint64_t samples;          /* in a run */
    unsigned rare;             /* additional functions with 0.3 balls each */
    /* The largest variation between runs, in percent: */
    unsigned speed;    /* all functions alike */
    unsigned restless; /* every second function independently */
    unsigned seventh;  /* the seventh function */
};

/* Returns a random factor from 1 - PERCENT % to 1 + PERCENT %. */
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
    size_t rows, certain; /* in all pairs, except the changed function */
    size_t any;           /* pairs with a certain row other than the changed function */
    size_t found;         /* pairs in which the changed function is certain */
};

/* Compares PAIRS pairs of sides with RUNS runs each. CHANGED functions differ: the third
   one and those after it. */
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

/* Adds to a share of PAIRS the deviation that chance exceeds in only one of 1,000 such
   tests: 3.1 standard deviations. */
static size_t most_of(double share, size_t pairs)
{
    double mean = share * (double)pairs;
    return (size_t)(mean + 3.1 * sqrt(mean * (1 - share)));
}

/* Equal builds; and a function with a twentieth of the samples that gets another
   twentieth. */
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

/* PAIRS comparisons of RUNS per side: the least number in which a CHANGED function is
   FOUND, and the largest share in which another function is found. */
static const struct {
    struct urn before, after;
    uint32_t changed;
    size_t runs, pairs, found;
    double share;
} cases[] = {
    /* The rate of false findings is 5 of 100, independently of the difference between
       runs. It is 8 of 100 if only some functions vary and two runs per side must show
       which ones. */
    {SAME(.samples = 1000), 1, 600, 0, 0.05},
    {SAME(.samples = 4000, .seventh = 60), 5, 200, 0, 0.05},
    {SAME(.samples = 20000, .speed = 10), 2, 150, 0, 0.05},
    {SAME(.samples = 5000, .restless = 20), 2, 300, 0, 0.08},
    /* With 1,000 samples per side (10 s) the change is found in nine of ten pairs, even
       if many other functions have one sample or none. With two runs the variation must
       be estimated as well, which reduces the rate. */
    {SLOWER(0), 1, 200, 180, 0.05},
    {SLOWER(190), 1, 200, 180, 0.05},
    {SLOWER(0), 2, 200, 140, 0.05},
    /* If half of the functions have changed, the others are not found more often. */
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
