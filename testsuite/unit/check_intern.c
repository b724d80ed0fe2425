/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Interning of strings and keys: numbers are assigned in the order of the first use. */

#include "mlprof/base/index.h"
#include "testsuite/unit/tests.h"

/* Enough entries to make the tables grow. Keys differ in one of their three numbers. */
TEST(numbers)
{
    struct intern intern = {0};
    struct index index = {0};
    char text[32];
    uint32_t number;
    for (int round = 0; round < 2; round++)
        for (unsigned i = 0; i < 50000; i++) {
            bool fresh;
            snprintf(text, sizeof text, "a rather long name %u", i);
            ck_assert_uint_eq(intern_put(&intern, text), i);
            ck_assert_uint_eq(
                index_put(&index, i & 7, i >> 3 & 7, (uint64_t)(i >> 6) << 32, &fresh),
                i);
            ck_assert_int_eq(fresh, round == 0);
        }
    ck_assert_str_eq(intern_text(&intern, 49999), text);
    ck_assert(index_get(&index, 1, 2, 0, &number));
    ck_assert_uint_eq(number, 2 << 3 | 1);
    ck_assert(!index_get(&index, 8, 0, 0, &number));
    intern_free(&intern);
    index_free(&index);
    ck_assert(!index_get(&index, 0, 0, 0, &number));
}

/* Bytes with NULs, and the same bytes in other sizes, are different. */
TEST(bytes_with_nul)
{
    static const char bytes[4] = {'a', '\0', 'b', '\0'};
    struct intern intern = {0};
    for (unsigned round = 0; round < 2; round++)
        for (unsigned size = 0; size <= sizeof bytes; size++)
            ck_assert_uint_eq(intern_put_bytes(&intern, bytes, size), size);
    ck_assert_uint_eq(intern_put(&intern, ""), 0);
    ck_assert_uint_eq(intern_put(&intern, "a"), 1);
    ck_assert_uint_eq(intern.items[3].size, 3);
    ck_assert_mem_eq(intern.items[4].text, bytes, 4);
    intern_free(&intern);
}
