/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the checks of a gate, describes a check in words, and shows the failed checks as
   a table (gate.h). */

#include "mlprof/compare/gate.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void gate_add(struct gate *gate, const struct gate_check *check)
{
    struct gate_check *added =
        &BUF_NEXT(gate->checks, gate->check_count, gate->check_capacity);
    *added = *check;
    added->number = gate->check_count;
    gate->failed += check->failed;
}

BUF_COMPARE(by_size, struct gate_check,
            BUF_ORDER(b->failed, a->failed)
                    ?: (a->failed ? BUF_ORDER(b->size, a->size) : 0)
                    ?: BUF_ORDER(a->number, b->number))

void gate_sort(struct gate *gate)
{
    BUF_SORT(gate->checks, gate->check_count, by_size);
}

void gate_free(struct gate *gate)
{
    for (size_t i = 0; i < gate->objects.count; i++)
        free(gate->objects.list[i].name);
    free(gate->objects.list);
    free(gate->checks);
}

bool gate_has_new_compiler(const struct gate *gate)
{
    const char *const *compilers = gate->compilers;
    return compilers[0] && compilers[1] && strcmp(compilers[0], compilers[1]) != 0;
}

const struct linecounts_list *gate_points(const struct gate_check *check)
{
    return check->points[1] ? check->points[1] : check->points[0];
}

/* Returns the point of a check; NULL if the check is not of a single point, or if the
   position of the point is unknown. */
static const struct linecounts_point *placed_point(const struct gate_check *check)
{
    const struct linecounts_list *points = gate_points(check);
    const struct linecounts_point *point =
        !points || check->nth == GATE_ALL ? NULL : &points->points[check->nth];
    return point && point->line ? point : NULL;
}

uint32_t gate_position(const struct gate_check *check, const char **file)
{
    const struct linecounts_point *point = placed_point(check);
    const struct runset_function *function = check->function;
    *file = point      ? intern_text(check->files, point->file)
            : function ? function->path ? function->path : function->file
                       : NULL;
    if (gate_points(check))
        return point ? point->line : 0;
    return *file ? function->line : 0;
}

char *gate_name(const struct gate_check *check)
{
    const struct linecounts_list *points = gate_points(check);
    const char *name = check->name ? check->name : check->function->shown;
    return points && points->outcome ? buf_format("%s.<case %s>", name, points->outcome)
                                     : buf_copy(name);
}

char *gate_unit(const struct gate_check *check)
{
    const struct linecounts_list *points = gate_points(check);
    const char *unit = points && points->outcome ? "outcomes" : check->word;
    if (!points || check->nth != GATE_ALL)
        return buf_copy(unit);
    return buf_format("%s (%s%zu, now %zu)", unit, points->outcome ? "" : "lines: ",
                      check->points[0] ? check->points[0]->count : 0,
                      check->points[1] ? check->points[1]->count : 0);
}

/* Returns the change from BEFORE, which is not 0, to NOW. Shows the sign of a change
   even if it rounds to 0.00, and does not round to -100.00 unless NOW is 0. */
static char *percent(uint64_t before, uint64_t now)
{
    double growth = 100 * ((double)now / (double)before - 1);
    if (growth > -0.005 && growth < 0.005)
        return buf_copy(now < before ? "-0.00%" : "+0.00%");
    return buf_format("%+.2f%%", growth > -99.99 || !now ? growth : -99.99);
}

/* Returns the excess over the limit in percent, or a word such as `new' instead. */
static char *excess(const struct gate_check *check)
{
    static const char *const words[] = {
        [GATE_NO_FUNCTION] = "gone", [GATE_NO_VALUE] = "unset", [GATE_NO_LINE] = "new"};
    if (check->reason)
        return buf_copy(words[check->reason]);
    return check->limited && check->limit ? percent(check->limit, check->now)
                                          : buf_copy("-");
}

/* Returns the change in percent, or a word. */
static char *change_of(const struct gate_check *check)
{
    if (!check->measured)
        return buf_copy("-");
    if (!check->before)
        return buf_copy(check->now ? "new" : "-");
    return check->now ? percent(check->before, check->now) : buf_copy("gone");
}

/* Returns `, NOUN VALUE MORE (CHANGE)', where CHANGE leads from VALUE to NOW. */
static char *compared(const char *noun, uint64_t value, const char *more, uint64_t now)
{
    BUF_OWN char *number = text_count(value);
    BUF_OWN char *change = value && now ? percent(value, now) : NULL;
    return change ? buf_format(", %s %s%s (%.*s %%)", noun, number, more,
                               (int)strlen(change) - 1, change)
                  : buf_format(", %s %s%s", noun, number, more);
}

char *gate_sentence(const struct gate_check *check)
{
    static const char *const reasons[] = {
        [GATE_NO_REASON] = "",
        [GATE_NO_FUNCTION] = ": no function matches",
        [GATE_NO_VALUE] = ", but the limit needs a measured value: -gate-update",
        [GATE_NO_LINE] = ", but no line of its own: -gate-update adds it"};
    bool limited = check->limited && !check->reason;
    bool same = limited && check->measured && check->limit == check->before;
    bool counted = check->reason != GATE_NO_FUNCTION;
    BUF_OWN char *unit = gate_unit(check), *now = text_count(check->now);
    BUF_OWN char *limit =
        limited ? compared("limit", check->limit, same ? " as before" : "", check->now)
                : buf_copy("");
    BUF_OWN char *before = check->measured && !same
                               ? compared("before", check->before, "", check->now)
                               : buf_copy("");
    return buf_format("%s%s%s%s%s%s", unit, counted ? " " : "", counted ? now : "",
                      reasons[check->reason], limit, before);
}

static struct table_value file_of(const struct gate_check *row)
{
    const char *file;
    gate_position(row, &file);
    return table_text(sourcefile_name(file));
}

static struct table_value line_of(const struct gate_check *row)
{
    const char *file;
    uint32_t line = gate_position(row, &file);
    return table_integer_if(line, line);
}

static char *number_text(bool known, uint64_t value)
{
    return known ? text_count(value) : buf_copy("-");
}

/* Declares the variables that the expressions below use. */
#define OF_CHECK                                                                         \
    const struct gate_check *row = at;                                                   \
    const struct linecounts_list *points = gate_points(row);                             \
    (void)of, (void)points

#define VALUE(name, expression) TABLE_VALUE(name, OF_CHECK, expression)

#define CELL(name, expression) TABLE_CELL(name, OF_CHECK, expression)

VALUE(name, table_text(row->name ? row->name : row->function->shown))
VALUE(symbol, table_text(row->function ? row->function->key : NULL))
VALUE(file, file_of(row))
VALUE(line, line_of(row))
VALUE(measure, table_text(points && points->outcome ? "outcomes" : row->word))
CELL(measure, gate_unit(row))
VALUE(before, table_integer_if(row->measured, row->before))
CELL(before, number_text(row->measured, row->before))
VALUE(now, table_integer(row->now))
CELL(now, number_text(row->reason != GATE_NO_FUNCTION, row->now))
VALUE(limit, table_integer_if(row->limited, row->limit))
CELL(limit, number_text(row->limited, row->limit))
CELL(over, excess(row))
CELL(percent, change_of(row))
VALUE(outcome, table_text(points ? points->outcome : NULL))

static const struct table_column columns[] = {
    TABLE_DATA("function", "the name, as the table has it", name),
    TABLE_DATA("symbol", "for the assembler", symbol),
    TABLE_DATA("file", "where the function is", file),
    TABLE_DATA("line",
               "where the function starts; of executions and outcomes where these are, "
               "null: a sum",
               line),
    {.id = "before",
     .means = "the count in the budget",
     .value = before,
     .head = "before",
     .cell = before_cell,
     .drop_rank = 1},
    {"now", "the count of this run", now, "now", .cell = now_cell},
    TABLE_DATA("outcome", "of a branch: true, say", outcome),
    {.id = "limit",
     .means = "the limit that the budget has",
     .value = limit,
     .head = "limit",
     .cell = limit_cell},
    TABLE_SHOWN("over", NULL, "the excess in percent of the limit", NULL, over_cell),
    {.head = "in %",
     .means = "the change in percent of before",
     .cell = percent_cell,
     .drop_rank = 2},
    {"measure", "what was counted", measure, "of", .cell = measure_cell,
     .side = SHEET_TEXT},
    {0}};

/* Puts the name of a check, and the position if it is known. */
static void put_check(const void *of, struct sheet *sheet, const void *at)
{
    const struct gate_check *row = at;
    const char *file;
    uint32_t line = gate_position(row, &file);
    BUF_OWN char *name = gate_name(row);
    BUF_OWN char *clean = line ? text_clean(sourcefile_name(file)) : NULL;
    (void)of;
    sheet_put_name(sheet, text_clean(name),
                   clean ? buf_format("%s: %" PRIu32, clean, line) : NULL);
}

const struct table_view gate_table = {
    .name = "differences", .columns = columns, .names = {"function", put_check}};

struct table gate_table_make(const struct gate *gate)
{
    struct table table = {.view = &gate_table, .of = gate};
    for (size_t i = 0; i < gate->failed; i++)
        table_add(&table, &gate->checks[i]);
    return table;
}

void gate_table_print(FILE *out, const struct gate *gate, size_t top)
{
    struct table table = gate_table_make(gate);
    size_t kept = 0;
    for (size_t i = 0; i < table.count; i++)
        if (!((const struct gate_check *)table.rows[i])->of_object)
            table.rows[kept++] = table.rows[i];
    table.count = kept;
    table_cut(&table, top);
    table.counts = true;
    if (table.count)
        table_print(out, &table, false);
    table_free(&table);
}
