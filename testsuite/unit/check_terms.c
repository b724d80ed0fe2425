/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/terms.c */
/* Terms of counters against bytes that were worked out by hand from doc/tables.md.  */

#include "plugin/tables/terms.h"
#include "runner.h"

#include <check.h>

struct bytes {
    unsigned char bytes[64];
    size_t count;
};

static void put(void *data, unsigned char byte)
{
    struct bytes *bytes = data;
    bytes->bytes[bytes->count++] = byte;
}

static void assert_bytes(struct terms_term *terms, size_t count,
                         const unsigned char *expected, size_t size)
{
    struct bytes bytes = {.count = 0};
    terms_sort(terms, count);
    for (size_t i = 0; i < count; i++)
        terms_put(put, &bytes, &terms[i], i ? &terms[i - 1] : NULL);
    ck_assert_mem_eq(bytes.bytes, expected, size);
    ck_assert_uint_eq(bytes.count, size);
}

/* Those of the page's example.  */
START_TEST(the_example)
{
    struct terms_term terms[] = {{.flow = 5, .of = 4, .counter = 2},
                                 {.flow = 5, .of = 0, .counter = 0},
                                 {.flow = 5, .of = 1, .counter = 1}};
    static const unsigned char expected[] = {0, 0, 2, 1, 6, 1};
    assert_bytes(terms, 3, expected, sizeof expected);
}
END_TEST

/* Sources 1: + counter 300, - counter 300; 1000: + counter 0.  */
START_TEST(of_sources)
{
    struct terms_term terms[] = {{.of = 1000, .counter = 0},
                                 {.of = 1, .counter = 300, .negative = true},
                                 {.of = 1, .counter = 300}};
    /* 2, 300; 1, 0; 2 * 999 = 1998 = 15 * 128 + 78, -300 = -3 * 128 + 84 */
    static const unsigned char expected[] = {2, 0xac, 2, 1, 0, 0xce, 15, 0xd4, 0x7d};
    assert_bytes(terms, 3, expected, sizeof expected);
}
END_TEST

/* Edges are counted anew in each flow graph, counters go on.  */
START_TEST(of_two_flow_graphs)
{
    struct terms_term terms[] = {
        {.flow = 0xffffffffffffffff, .of = 3, .counter = 7},
        {.flow = 1, .of = 0xffffffff, .counter = 0xffffffff, .negative = true}};
    /* 2 * (2^32 - 1) + 1 = 2^33 - 1, 2^32 - 1; 6, 8 - 2^32 */
    static const unsigned char expected[] = {0xff, 0xff, 0xff, 0xff, 0x1f, 0xff,
                                             0xff, 0xff, 0xff, 0x0f, 6,    0x88,
                                             0x80, 0x80, 0x80, 0x70};
    assert_bytes(terms, 2, expected, sizeof expected);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("terms");
    TCase *tests = tcase_create("terms");
    tcase_add_test(tests, the_example);
    tcase_add_test(tests, of_sources);
    tcase_add_test(tests, of_two_flow_graphs);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
