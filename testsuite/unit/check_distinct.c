/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/distinct.c plugin/tables/memory.c plugin/tables/part.c */
/* links: plugin/tables/unit.c */
/* The plugin's interning against a plain model, and what is built on it.  */

#include "plugin/tables/distinct.h"
#include "plugin/tables/part.h"
#include "plugin/tables/unit.h"
#include "testsuite/unit/random.h"
#include "testsuite/unit/tests.h"

#include <signal.h>
#include <stdint.h>

/* Every key in order of first sight; looked for from the start.  */
struct model {
    struct {
        unsigned char bytes[8];
        size_t size;
    } keys[2000];
    unsigned count;
};

static unsigned model_add(struct model *model, const void *key, size_t size)
{
    for (unsigned i = 0; i < model->count; i++)
        if (model->keys[i].size == size && memcmp(model->keys[i].bytes, key, size) == 0)
            return i + 1;
    memcpy(model->keys[model->count].bytes, key, size);
    model->keys[model->count].size = size;
    return ++model->count;
}

/* Few letters and many lengths, so that keys come again, start with one another, and
   hold NUL bytes.  */
static size_t random_key(unsigned char *key)
{
    size_t size = random_below(9);
    for (size_t i = 0; i < size; i++)
        key[i] = (unsigned char)(random_below(3));
    return size;
}

static void assert_holds(const struct distinct *table, const struct model *model)
{
    ck_assert_uint_eq(table->count, model->count);
    for (unsigned i = 1; i <= model->count; i++) {
        const void *key = distinct_get(table, i);
        ck_assert_uint_eq((uintptr_t)key % _Alignof(max_align_t), 0);
        ck_assert_mem_eq(key, model->keys[i - 1].bytes, model->keys[i - 1].size);
    }
}

TEST_TIMES(as_the_model, 4)
{
    struct distinct table = {0};
    static struct model model;
    random_state = (uint32_t)_i + 1;
    model.count = 0;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 2000; i++) {
            unsigned char key[8];
            size_t size = random_key(key);
            ck_assert_uint_eq(distinct_add(&table, key, size),
                              model_add(&model, key, size));
        }
        assert_holds(&table, &model);
        distinct_clear(&table);
        model.count = 0;
        assert_holds(&table, &model);
    }
    distinct_free(&table);
    ck_assert_uint_eq(table.count, 0);
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
    char text[] = "abc";
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
