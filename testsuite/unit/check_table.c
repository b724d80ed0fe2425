/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* A table of three rows, as each renderer prints it: columns with an id are in CSV and
   JSON, those with a head on the terminal, in the order of either.  */

#define _GNU_SOURCE
#include "mlprof/base/buf.h"
#include "mlprof/table/table.h"
#include "testsuite/unit/tests.h"

struct fruit {
    const char *name;
    uint64_t count;
    double weight; /* 0: not known */
    bool ripe;
};

static const struct fruit fruits[] = {
    {"pear, \"late\"", 3, 0.25, true}, {"apple", 1234, 0, false}, {"", 3, 2, false}};

/* What was measured: counts, and on how many days one was sold.  */
struct measured {
    bool counts;
    size_t days;
};

static const struct measured all = {true, 0}, nothing = {false, 0}, days = {true, 2};

#define VALUE(name, expression)                                                          \
    TABLE_VALUE(name, const struct fruit *fruit = at, expression)
#define CELL(name, ...)                                                                  \
    TABLE_CELL(name, const struct fruit *fruit = at, buf_format(__VA_ARGS__))

VALUE(name, table_text(*fruit->name || fruit->ripe ? fruit->name : NULL))
VALUE(count, table_integer(fruit->count))
CELL(count, "%d", (int)fruit->count)
CELL(half, "%.1f", (double)fruit->count / 2)
VALUE(many, table_integer_if(fruit->count > 3, fruit->count))
VALUE(weight, table_number_if(fruit->weight > 0, fruit->weight))
VALUE(ripe, table_bool(fruit->ripe))
CELL(ripe, "%s", fruit->ripe ? "yes" : "no")

static bool is_counted(const void *of)
{
    return ((const struct measured *)of)->counts;
}

static size_t day_count(const void *of)
{
    return ((const struct measured *)of)->days;
}

static const char *day_head(const void *of, size_t nth)
{
    static const char *const heads[] = {"monday", "tuesday"};
    (void)of;
    return heads[nth];
}

static char *day_cell(const void *of, const void *row, size_t nth)
{
    (void)of;
    return buf_format("%d", (int)(((const struct fruit *)row)->count - nth));
}

static const char *name_head(const void *of)
{
    return is_counted(of) ? "fruit" : "name";
}

static void name_put(const void *of, struct sheet *sheet, const void *row)
{
    (void)of;
    sheet_put(sheet, buf_copy(((const struct fruit *)row)->name));
}

enum { BY_NAME = 1, BY_COUNT, BY_WEIGHT, BY_NONE };

/* MLton's layout has counts before the names and the others behind.  */
static const struct table_column columns[] = {
    {"name", "what it is called", name, .sort = BY_NAME},
    {"count", "how many", count, "count", 20, .cell = count_cell, .there = is_counted,
     .sort = BY_COUNT, .mlton = -2},
    {.head = "half", .cell = half_cell, .place = 10},
    TABLE_DATA("many", NULL, many),
    {"weight", NULL, weight, .sort = BY_WEIGHT},
    {"ripe", NULL, ripe, "ripe", 30, .cell = ripe_cell, .side = SHEET_TEXT, .mlton = -1},
    {0}};

static const struct table_view view = {.name = "fruits",
                                       .columns = columns,
                                       .names = {name_head, name_put},
                                       .names_mlton = -1,
                                       .series = {day_count, day_head, day_cell}};

static struct table make(const struct measured *of, size_t count)
{
    struct table table = {.view = &view, .of = of};
    for (size_t i = 0; i < count; i++)
        table_add(&table, &fruits[i]);
    return table;
}

enum renderer { CSV, JSON, TERMINAL, MLTON };

static const struct {
    const struct measured *of;
    size_t count;
    enum renderer renderer;
    const char *printed;
} rows[] = {
    /* Data formats have a column whether it was measured or not.  */
    {&nothing, 3, CSV,
     "name,count,many,weight,ripe\r\n"
     "\"pear, \"\"late\"\"\",3,,0.25,true\r\n"
     "apple,1234,1234,,false\r\n"
     ",3,,2,false\r\n"},
    {&nothing, 2, JSON,
     "[{\"name\": \"pear, \\\"late\\\"\", \"count\": 3, \"many\": null, "
     "\"weight\": 0.25, \"ripe\": true}, {\"name\": \"apple\", \"count\": 1234, "
     "\"many\": 1234, \"weight\": null, \"ripe\": false}]"},
    {&days, 1, TERMINAL,
     "half  count  ripe  monday  tuesday  fruit\n"
     " 1.5      3  yes        3        2  pear, \"late\"\n"},
    {&all, 2, MLTON,
     "count    fruit     ripe half \n"
     "----- ------------ ---- -----\n"
     "3     pear, \"late\"  yes   1.5\n"
     "1234         apple   no 617.0\n"},
};

TEST_ROWS(printed, rows)
{
    struct table table = make(rows[_i].of, rows[_i].count);
    FILE *out = print_begin();
    struct json json = {.out = out};
    if (rows[_i].renderer == CSV)
        table_print_csv(out, &table);
    else if (rows[_i].renderer == JSON)
        table_print_json(&json, &table);
    else
        table_print(out, &table, rows[_i].renderer == MLTON);
    print_end(out, rows[_i].printed);
    table_free(&table);
    ck_assert_ptr_null(table.rows);
}

/* The order of the fruits.  Rows with equal values keep theirs, and what is not known
   is 0.  */
static const struct {
    const struct measured *of;
    unsigned sort;
    size_t count, order[3];
} sorts[] = {
    {&all, BY_COUNT, 3, {1, 0, 2}},     {&all, BY_WEIGHT, 3, {2, 0, 1}},
    {&nothing, BY_COUNT, 3, {0, 1, 2}}, {&all, BY_NONE, 3, {0, 1, 2}},
    {&all, BY_NAME, 2, {1, 0}},
};

TEST_ROWS(sorted, sorts)
{
    struct table table = make(sorts[_i].of, sorts[_i].count);
    table_sort(&table, sorts[_i].sort);
    for (size_t i = 0; i < sorts[_i].count; i++)
        ck_assert_ptr_eq(table.rows[i], &fruits[sorts[_i].order[i]]);
    table_free(&table);
}
