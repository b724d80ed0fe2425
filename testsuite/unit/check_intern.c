/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Interning: strings and keys as numbers.  */

#include "mlprof/base/index.h"
#include "mlprof/base/intern.h"
#include "testsuite/unit/tests.h"

TEST(strings)
{
    struct intern intern = {0};
    ck_assert_uint_eq(intern_put(&intern, "one"), 0);
    ck_assert_uint_eq(intern_put(&intern, ""), 1);
    ck_assert_uint_eq(intern_put(&intern, "ones"), 2);
    ck_assert_uint_eq(intern_put(&intern, "one"), 0);
    ck_assert_str_eq(intern_text(&intern, 0), "one");
    ck_assert_str_eq(intern_text(&intern, 2), "ones");
    ck_assert_uint_eq(intern.count, 3);
    intern_free(&intern);
}

TEST(keys)
{
    struct index index = {0};
    bool fresh;
    ck_assert_uint_eq(index_put(&index, 0, 0, 0, &fresh), 0);
    ck_assert(fresh);
    ck_assert_uint_eq(index_put(&index, 0, 0, 1, &fresh), 1);
    ck_assert_uint_eq(index_put(&index, 0, 1, 0, &fresh), 2);
    ck_assert_uint_eq(index_put(&index, 1, 0, 0, &fresh), 3);
    ck_assert_uint_eq(index_put(&index, UINT64_MAX, 0, 0, &fresh), 4);
    ck_assert(fresh);
    ck_assert_uint_eq(index_put(&index, 0, 1, 0, &fresh), 2);
    ck_assert(!fresh);
    uint32_t number;
    ck_assert(index_get(&index, 1, 0, 0, &number));
    ck_assert_uint_eq(number, 3);
    ck_assert(!index_get(&index, 2, 0, 0, &number));
    ck_assert_uint_eq(index.count, 5);
    index_free(&index);
    ck_assert(!index_get(&index, 0, 0, 0, &number));
}

/* So many that the tables grow.  */
TEST(many)
{
    struct intern intern = {0};
    struct index index = {0};
    char text[32];
    for (int round = 0; round < 2; round++)
        for (unsigned i = 0; i < 50000; i++) {
            bool fresh;
            snprintf(text, sizeof text, "a rather long name %u", i);
            ck_assert_uint_eq(intern_put(&intern, text), i);
            ck_assert_uint_eq(index_put(&index, i & 7, (uint64_t)i << 32, i >> 3, &fresh),
                              i);
            ck_assert_int_eq(fresh, round == 0);
        }
    intern_free(&intern);
    index_free(&index);
}
