/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/distinct.c plugin/tables/memory.c plugin/tables/part.c */
/* links: plugin/tables/unit.c */
/* The plugin's interning, and what is built on it.  */

#include "plugin/tables/distinct.h"
#include "plugin/tables/part.h"
#include "plugin/tables/unit.h"
#include "testsuite/unit/tests.h"

#include <signal.h>
#include <stdint.h>

#define KEYS 3000

/* Each NUMBER is another key, of up to 7 bytes of three values, NUL among them: keys
   start with one another.  Returns the size.  */
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

/* These pairs have the same FNV-1a hash; in the second the shorter key is empty.  */
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

/* A string has its NUL in the key, and the key is a copy.  */
TEST(strings)
{
    struct distinct table = {0};
    char text[] = "abc\0d";
    ck_assert_uint_eq(distinct_string(&table, text), 1);
    text[4] = 'e';
    ck_assert_uint_eq(distinct_string(&table, text), 1);
    text[0] = 'x';
    ck_assert_uint_eq(distinct_string(&table, text), 2);
    ck_assert_str_eq(distinct_get(&table, 1), "abc");
    ck_assert_uint_eq(distinct_string(&table, ""), 3);
    ck_assert_uint_eq(distinct_add(&table, "", 0), 4);
    distinct_free(&table);
}

/* Everything in a copy or a point tells it from others.  */
TEST(parts)
{
    struct part part = {0};
    static const struct part_position position = {1, 2, 3, 4, 5, 6, 7};
    ck_assert_uint_eq(part_copy(&part, 0, 1, 2, 3, 4), 1);
    ck_assert_uint_eq(part_copy(&part, 1, 1, 2, 3, 4), 2);
    ck_assert_uint_eq(part_copy(&part, 0, 2, 2, 3, 4), 3);
    ck_assert_uint_eq(part_copy(&part, 0, 1, 3, 3, 4), 4);
    ck_assert_uint_eq(part_copy(&part, 0, 1, 2, 4, 4), 5);
    ck_assert_uint_eq(part_copy(&part, 0, 1, 2, 3, 5), 6);
    ck_assert_uint_eq(part_copy(&part, 0, 1, 2, 3, 4), 1);
    ck_assert_uint_eq(part_point(&part, 0, &position), 1);
    ck_assert_uint_eq(part_point(&part, 1, &position), 2);
    for (unsigned i = 0; i < 7; i++) {
        struct part_position other = position;
        ((unsigned *)&other)[i]++;
        ck_assert_uint_eq(part_point(&part, 0, &other), i + 3);
    }
    ck_assert_uint_eq(part_point(&part, 0, &position), 1);
    part_enter(&part, 10, 1);
    ck_assert_uint_eq(part.count, 1);
    part_clear(&part);
    ck_assert_uint_eq(part.count, 0);
    ck_assert_uint_eq(part_copy(&part, 0, 9, 9, 9, 9), 1);
    ck_assert_uint_eq(part_point(&part, 1, &position), 1);
    for (unsigned i = 0; i < 1000; i++)
        part_enter(&part, 2 * i, 1);
    for (unsigned i = 0; i < 1000; i++)
        ck_assert_uint_eq(part.entries[i].label, 2 * i);
    part_free(&part);
}

TEST_RAISES(points_are_made_first, SIGABRT)
{
    struct part part = {0};
    part_enter(&part, 1, 1);
}

/* Files, and sources that differ in one thing each.  */
TEST(units)
{
    struct unit unit = {0};
    ck_assert_uint_eq(unit_file(&unit, "a.c"), 1);
    unsigned f = unit_string(&unit, "f"), a = unit_string(&unit, "a.c");
    const struct unit_source sources[] = {
        {.name = f, .file = 1, .line = 10},
        {.name = f, .file = 1, .line = 11},
        {.name = f, .file = 0, .line = 10},
        {.name = a, .file = 1, .line = 10},
        {.name = a, .symbol = a, .file = 1, .line = 10},
        {.name = a, .symbol = a, .file = 1, .line = 10, .flags = CCPROF_SOURCE_SPLIT},
        {.name = a,
         .symbol = a,
         .file = 1,
         .line = 10,
         .flags = CCPROF_SOURCE_SPLIT,
         .column = 3},
    };
    for (int round = 0; round < 2; round++)
        for (unsigned i = 0; i < LENGTH(sources); i++)
            ck_assert_uint_eq(unit_source(&unit, &sources[i]), i + 1);
    ck_assert_uint_eq(unit_file(&unit, "f"), 2);
    ck_assert_uint_eq(unit_file(&unit, "a.c"), 1);
    ck_assert_uint_eq(unit.strings.count, 2);
    ck_assert_str_eq(unit_get_string(&unit, unit_get_file(&unit, 2)), "f");
    ck_assert_str_eq(unit_get_string(&unit, unit_get_source(&unit, 4)->name), "a.c");
    ck_assert_uint_eq(unit_get_source(&unit, 2)->line, 11);
    unit_free(&unit);
}
