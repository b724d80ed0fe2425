/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* A table of three rows, as each renderer prints it: what has an id and what has a head,
   the order of each, what is not there and what is not known; and columns of which there
   are as many as was measured.  */

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

#define VALUE(name, expression)                                                          \
    TABLE_VALUE(name, const struct fruit *fruit = at, expression)

VALUE(name, table_text(*fruit->name || fruit->ripe ? fruit->name : NULL))
VALUE(count, table_integer(fruit->count))
VALUE(many, table_integer_if(fruit->count > 3, fruit->count))
VALUE(weight, table_number_if(fruit->weight > 0, fruit->weight))
VALUE(ripe, table_bool(fruit->ripe))

static char *count_cell(const void *of, const void *row)
{
    (void)of;
    return buf_format("%d", (int)((const struct fruit *)row)->count);
}

static char *half_cell(const void *of, const void *row)
{
    (void)of;
    return buf_format("%.1f", (double)((const struct fruit *)row)->count / 2);
}

static char *ripe_cell(const void *of, const void *row)
{
    (void)of;
    return buf_copy(((const struct fruit *)row)->ripe ? "yes" : "no");
}

/* OF is a bool.  */
static bool is_there(const void *of)
{
    return *(const bool *)of;
}

static const char *head(const void *of)
{
    return is_there(of) ? "fruit" : "name";
}

static void put(const void *of, struct sheet *sheet, const void *row)
{
    (void)of;
    sheet_put(sheet, buf_copy(((const struct fruit *)row)->name));
}

enum { BY_NAME = 1, BY_COUNT, BY_WEIGHT, BY_NONE };

static const struct table_column columns[] = {
    {"name", "what it is called", name, .sort = BY_NAME},
    {"count", "how many", count, "count", 20, .cell = count_cell, .there = is_there,
     .sort = BY_COUNT},
    {.head = "half", .cell = half_cell, .place = 10},
    TABLE_DATA("many", NULL, many),
    {"weight", NULL, weight, .sort = BY_WEIGHT},
    {"ripe", NULL, ripe, "ripe", 30, .cell = ripe_cell, .side = SHEET_TEXT},
    {0}};

static const struct table_view view = {
    .name = "fruits", .columns = columns, .names = {head, put}};

static const char *fruit_head(const void *of)
{
    (void)of;
    return "fruit";
}

/* A text in the middle, which MLton's layout has behind the names, and a column that it
   has before them.  */
static const struct table_column placed_columns[] = {
    {.head = "half", .cell = half_cell, .place = 10},
    {.head = "ripe", .cell = ripe_cell, .place = 30, .side = SHEET_TEXT, .mlton = -1},
    {.head = "count", .cell = count_cell, .place = 20, .mlton = -2},
    {0}};

static const struct table_view placed = {.name = "placed",
                                         .columns = placed_columns,
                                         .names = {fruit_head, put},
                                         .names_mlton = -1};

/* How many are left after each of two days, OF, on which one is sold.  */
static size_t days(const void *of)
{
    return *(const size_t *)of;
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
    return buf_format("%zu", (size_t)((const struct fruit *)row)->count - nth);
}

static const struct table_column day_columns[] = {
    {"count", "how many", count, .cell = half_cell, .head = "half"}, {0}};

/* As many columns as there are days, on the terminal alone.  */
static const struct table_view days_view = {.name = "days",
                                            .columns = day_columns,
                                            .names = {fruit_head, put},
                                            .series = {days, day_head, day_cell}};

static const bool yes = true, no = false; /* whether the counts are there */
static const size_t two = 2, none = 0;

/* The fruits from FIRST to before END.  */
static struct table make(const struct table_view *of_view, const void *of, size_t first,
                         size_t end)
{
    struct table table = {.view = of_view, .of = of};
    for (size_t i = first; i < end; i++)
        table_add(&table, &fruits[i]);
    return table;
}

enum renderer { CSV, JSON, TERMINAL, MLTON };

static const struct {
    const struct table_view *view;
    const void *of;
    size_t first, end;
    enum renderer renderer;
    const char *printed;
} rows[] = {
    /* Data formats have a column whether it is there or not.  */
    {&view, &no, 0, 3, CSV,
     "name,count,many,weight,ripe\r\n"
     "\"pear, \"\"late\"\"\",3,,0.25,true\r\n"
     "apple,1234,1234,,false\r\n"
     ",3,,2,false\r\n"},
    {&view, &no, 0, 0, CSV, "name,count,many,weight,ripe\r\n"},
    {&view, &no, 0, 2, JSON,
     "[{\"name\": \"pear, \\\"late\\\"\", \"count\": 3, \"many\": null, "
     "\"weight\": 0.25, \"ripe\": true}, {\"name\": \"apple\", \"count\": 1234, "
     "\"many\": 1234, \"weight\": null, \"ripe\": false}]"},
    {&view, &yes, 0, 3, TERMINAL,
     " half  count  ripe  fruit\n"
     "  1.5      3  yes   pear, \"late\"\n"
     "617.0   1234  no    apple\n"
     "  1.5      3  no\n"},
    {&view, &no, 0, 1, TERMINAL, "half  ripe  name\n 1.5  yes   pear, \"late\"\n"},
    {&days_view, &two, 1, 2, TERMINAL,
     " half  monday  tuesday  fruit\n617.0    1234     1233  apple\n"},
    {&days_view, &none, 1, 2, TERMINAL, " half  fruit\n617.0  apple\n"},
    {&days_view, &two, 1, 2, CSV, "count\r\n1234\r\n"},
    {&placed, &yes, 0, 3, TERMINAL,
     " half  count  ripe  fruit\n"
     "  1.5      3  yes   pear, \"late\"\n"
     "617.0   1234  no    apple\n"
     "  1.5      3  no\n"},
    {&placed, &yes, 0, 2, MLTON,
     "count    fruit     ripe half \n"
     "----- ------------ ---- -----\n"
     "3     pear, \"late\"  yes   1.5\n"
     "1234         apple   no 617.0\n"},
};

TEST_ROWS(printed, rows)
{
    struct table table = make(rows[_i].view, rows[_i].of, rows[_i].first, rows[_i].end);
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
    const bool *counted;
    unsigned sort;
    size_t count, order[3];
} sorts[] = {
    {&yes, BY_COUNT, 3, {1, 0, 2}}, {&yes, BY_WEIGHT, 3, {2, 0, 1}},
    {&no, BY_COUNT, 3, {0, 1, 2}},  {&yes, BY_NONE, 3, {0, 1, 2}},
    {&yes, 0, 3, {0, 1, 2}},        {&yes, BY_NAME, 2, {1, 0}},
};

TEST_ROWS(sorted, sorts)
{
    struct table table = make(&view, sorts[_i].counted, 0, sorts[_i].count);
    table_sort(&table, sorts[_i].sort);
    for (size_t i = 0; i < sorts[_i].count; i++)
        ck_assert_ptr_eq(table.rows[i], &fruits[sorts[_i].order[i]]);
    table_free(&table);
}

static unsigned released;

static void release(void *own)
{
    released += *(unsigned *)own;
}

TEST(own)
{
    unsigned five = 5;
    struct table table = {.view = &view, .of = &yes, .own = &five, .release = release};
    table_free(&table);
    ck_assert_uint_eq(released, 5);
}
