/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/memory.c */
/* The plugin's interning: assigns numbers to keys. (Code that uses it:
   check_round_trip.) */

#include "plugin/tables/memory.h"
#include "testsuite/unit/tests.h"

#include <stddef.h>
#include <stdint.h>

#define KEYS 3000

/* Makes a different key for each NUMBER: up to 7 bytes with three values, including NUL.
   Some keys are beginnings of others. Returns the size. */
static size_t make_key(unsigned number, unsigned char *key)
{
    size_t size = 0;
    for (; number; number = (number - 1) / 3)
        key[size++] = (unsigned char)((number - 1) % 3);
    return size;
}

TEST(numbers_are_in_order_of_first_sight)
{
    struct distinct table = {0};
    unsigned char key[8];
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 0; i < 2 * KEYS; i++) {
            size_t size = make_key(i % KEYS, key);
            ck_assert_uint_eq(distinct_add(&table, key, size), i % KEYS + 1);
        }
        ck_assert_uint_eq(table.count, KEYS);
        for (unsigned i = 0; i < KEYS; i++) {
            const void *kept = distinct_get(&table, i + 1);
            ck_assert_uint_eq((uintptr_t)kept % _Alignof(max_align_t), 0);
            ck_assert_mem_eq(kept, key, make_key(i, key));
        }
        distinct_clear(&table);
        ck_assert_uint_eq(table.count, 0);
    }
    distinct_free(&table);
    ck_assert_uint_eq(distinct_add(&table, "x", 1), 1);
    distinct_free(&table);
}

/* The keys of each pair have the same FNV-1a hash. In the second pair the shorter key is
   empty. */
TEST(equal_hashes)
{
    struct distinct table = {0};
    for (int round = 0; round < 2; round++) {
        ck_assert_uint_eq(distinct_add(&table, "declinate", 9), 1);
        ck_assert_uint_eq(distinct_add(&table, "macallums", 9), 2);
        ck_assert_uint_eq(distinct_add(&table, "\x72\x32\x3f\0\xad", 5), 3);
        ck_assert_uint_eq(distinct_add(&table, "", 0), 4);
    }
    distinct_free(&table);
}
