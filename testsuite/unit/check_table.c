/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The order of a table's rows, and values that are not known.  How tables look: the
   golden texts of testsuite/views, and testsuite/formats.  */

#include "mlprof/table/table.h"
#include "testsuite/unit/tests.h"

#include <math.h>

struct fruit {
    const char *name;
    uint64_t count;
    double weight; /* 0: not known */
};

static const struct fruit fruits[] = {{"pear", 3, 0.25}, {"apple", 1234, 0}, {"", 3, 2}};

#define VALUE(name, expression)                                                          \
    TABLE_VALUE(name, const struct fruit *fruit = at, expression)

VALUE(name, table_text(fruit->name))
VALUE(count, table_integer(fruit->count))
VALUE(weight, table_number_if(fruit->weight > 0, fruit->weight))

static bool is_counted(const void *of)
{
    return *(const bool *)of;
}

enum { BY_NAME = 1, BY_COUNT, BY_WEIGHT, BY_NONE };

static const struct table_column columns[] = {
    {"name", NULL, name, .sort = BY_NAME},
    {"count", NULL, count, .there = is_counted, .sort = BY_COUNT},
    {"weight", NULL, weight, .sort = BY_WEIGHT},
    {0}};

static const struct table_view view = {.name = "fruits", .columns = columns};
static const bool counted = true, uncounted = false;

/* The order of the fruits.  Rows with equal values keep theirs, and what is not known
   is 0.  */
static const struct {
    const bool *of;
    unsigned sort;
    size_t count, order[3];
} sorts[] = {
    {&counted, BY_COUNT, 3, {1, 0, 2}},   {&counted, BY_WEIGHT, 3, {2, 0, 1}},
    {&uncounted, BY_COUNT, 3, {0, 1, 2}}, {&counted, BY_NONE, 3, {0, 1, 2}},
    {&counted, BY_NAME, 2, {1, 0}},
};

TEST_ROWS(sorted, sorts)
{
    struct table table = {.view = &view, .of = sorts[_i].of};
    for (size_t i = 0; i < sorts[_i].count; i++)
        table_add(&table, &fruits[i]);
    table_sort(&table, sorts[_i].sort);
    for (size_t i = 0; i < sorts[_i].count; i++)
        ck_assert_ptr_eq(table.rows[i], &fruits[sorts[_i].order[i]]);
    table_free(&table);
}

TEST(what_is_not_known)
{
    ck_assert_int_eq(table_number_if(true, 2).kind, TABLE_NUMBER);
    ck_assert_int_eq(table_number_if(false, 2).kind, TABLE_NULL);
    ck_assert_int_eq(table_number_if(true, INFINITY).kind, TABLE_NULL);
}
