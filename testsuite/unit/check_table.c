/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The order of a table's rows, unknown values, and columns of a series. The layout of
   tables: the golden texts of testsuite/views, and testsuite/formats. */

#include "mlprof/base/buf.h"
#include "mlprof/columns/table.h"
#include "testsuite/unit/tests.h"

#include <math.h>

struct fruit {
    const char *name;
    uint64_t count;
    double weight; /* 0: unknown */
};

static const struct fruit fruits[] = {{"pear", 3, 0.25}, {"apple", 1234, 0}, {"", 3, 2}};

#define VALUE(name, expression)                                                          \
    TABLE_VALUE(name, const struct fruit *fruit = at, expression)

VALUE(name, table_text(fruit->name))
VALUE(count, table_integer(fruit->count))
VALUE(weight, table_number_if(fruit->weight > 0, fruit->weight))

static bool is_counted(const void *of, unsigned which)
{
    (void)which;
    return *(const bool *)of;
}

enum { BY_NAME = 1, BY_COUNT, BY_WEIGHT, BY_NONE };

static const struct table_column columns[] = {
    {"name", NULL, name, .sort = BY_NAME},
    {"count", NULL, count, .present = is_counted, .sort = BY_COUNT},
    {"weight", NULL, weight, .sort = BY_WEIGHT},
    {0}};

static const struct table_view view = {.name = "fruits", .columns = columns};
static const bool counted = true, uncounted = false;

/* The order of the fruits. Rows with equal values keep their order, and unknown values
   count as 0. */
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

static size_t day_count(const void *of)
{
    (void)of;
    return 2;
}

static const char *day_head(const void *of, size_t nth)
{
    (void)of;
    return nth ? "tuesday" : "monday";
}

static char *day_cell(const void *of, const void *row, size_t nth)
{
    (void)of;
    return buf_format("%d", (int)(((const struct fruit *)row)->count - nth));
}

static void name_put(const void *of, struct sheet *sheet, const void *row)
{
    (void)of;
    sheet_put(sheet, buf_copy(((const struct fruit *)row)->name));
}

static const struct table_view by_day = {.name = "fruits",
                                         .columns = columns,
                                         .names = {"fruit", name_put},
                                         .series = {day_count, day_head, day_cell}};

TEST(columns_of_a_series)
{
    struct table table = {.view = &by_day, .of = &counted};
    FILE *out = print_begin();
    table_add(&table, &fruits[0]);
    table_print(out, &table, false);
    print_end(out, "monday  tuesday  fruit\n     3        2  pear\n");
    table_free(&table);
}
