/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The list of measures: which measured one is shown, and how options find each by its
   name. */

#include "mlprof/measure/measure.h"
#include "testsuite/unit/tests.h"

#include <stdlib.h>
#include <string.h>

static const struct shown {
    unsigned kinds;
    const char *word;
} shown[] = {
    {0, "time"},
    {CCPROF_KIND_TIME, "time"},
    {CCPROF_KIND_FIELD | CCPROF_KIND_COUNT | CCPROF_KIND_ALLOC, "time"},
    {CCPROF_KIND_COUNT | CCPROF_KIND_ALLOC, "bytes"},
    {CCPROF_KIND_ALLOC, "bytes"},
    {CCPROF_KIND_COUNT, "calls"},
    {CCPROF_KIND_INSTRUCTIONS, "instructions"},
    {CCPROF_KIND_INSTRUCTIONS | CCPROF_KIND_COUNT, "instructions"},
    {CCPROF_KIND_INSTRUCTIONS | CCPROF_KIND_ALLOC, "bytes"},
    {CCPROF_KIND_INSTRUCTIONS | CCPROF_KIND_TIME, "time"},
    {CCPROF_KIND_REGION, "time"},
    {CCPROF_KIND_REGION | CCPROF_KIND_COUNT, "time"},
};

TEST_ROWS(main_measure, shown)
{
    const struct shown *row = &shown[_i];
    ck_assert_str_eq(measure_of_kinds(row->kinds)->word, row->word);
}

TEST(words_of_options)
{
    char *words = measure_words(false), *heap = measure_words(true);
    ck_assert_int_eq(strncmp(heap, "{live|peak|", 11), 0);
    ck_assert_ptr_nonnull(strstr(words, heap + 1));
    ck_assert_int_eq(
        strncmp(words, "{main|total|time|calls|bytes|blocks|instructions|", 49), 0);
    free(words);
    free(heap);
    for (const struct measure *m = measure_all; m->word; m++) {
        ck_assert_ptr_eq(measure_of_word(m->word, !m->kinds), m);
        ck_assert(m->kinds || measure_of_heap(m->heap.number) == m);
    }
    ck_assert_str_eq(measure_of_word("blocks", false)->word, "bytes");
    ck_assert_str_eq(measure_of_word("total", true)->word, "allocated");
    ck_assert_ptr_null(measure_of_word("total", false));
    ck_assert_ptr_null(measure_of_word("time", true));
    ck_assert_ptr_null(measure_of_word("", true));
}

/* The numbers of measures are bits of sets, in the order of the list. */
TEST(measures_of_instructions)
{
    unsigned count = 0;
    for (const struct measure *m = measure_all; m->word; m++) {
        if (!m->weigh)
            continue;
        ck_assert_ptr_eq(measure_of_event(count), m);
        ck_assert_uint_eq(m->kinds, CCPROF_KIND_INSTRUCTIONS);
        ck_assert(measure_is_counted(m) && m->stacks && !m->sampled && !m->inclusive);
        count++;
    }
    ck_assert_uint_eq(count, MEASURE_EVENTS);
    ck_assert_str_eq(measure_of_event(0)->word, "instructions");
    ck_assert_str_eq(measure_of_event(MEASURE_EVENTS - 1)->word, "vector512");
}

TEST(leaks_are_compared_as_live)
{
    ck_assert_ptr_null(measure_compared(NULL));
    for (const struct measure *m = measure_all; m->word; m++) {
        bool leaks = !m->kinds && m->heap.number == HEAPDATA_LEAKED;
        ck_assert_str_eq(measure_compared(m)->word, leaks ? "live" : m->word);
    }
}
