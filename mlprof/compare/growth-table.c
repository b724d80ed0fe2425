/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/growth.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/match.h"
#include "mlprof/view/allocview.h"

#include <math.h>
#include <stdlib.h>

/* A row: a function and, for data formats, one of its points, each of which has a
   row.  */
struct at {
    const struct growth_row *grown;
    const struct growth_point *point;
    struct source_files *files;
    bool places; /* it is no function */
};

/* The context of the columns.  */
struct of {
    const struct growth *growth;
    bool sampled;
    bool *alike;      /* by row of the match */
    char **sizes;     /* the heads of columns for sizes */
    struct at *lines; /* the table's rows */
};

/* The text of a number; `-' if it is unknown.  */
static char *known_text(double value)
{
    /* A small negative number is 0.00, not -0.00.  */
    return isnan(value) ? buf_copy("-")
                        : buf_format("%.2f", fabs(value) < 0.005 ? 0 : value);
}

/* Declares the variables of the expressions below.  */
#define OF_LINE                                                                          \
    const struct at *line = at;                                                          \
    const struct side_function *function = line->grown->function;                        \
    const struct growth_fit *fit = &line->grown->fit;                                    \
    (void)function, (void)fit

#define VALUE(name, expression) TABLE_VALUE(name, OF_LINE, expression)

/* Defines value and cell of a number that may be unknown.  */
#define KNOWN(name, number)                                                              \
    VALUE(name, table_number_if(true, number))                                           \
    TABLE_CELL(name, OF_LINE, known_text(number))

VALUE(name, table_text(function->shown))
VALUE(symbol, line->places ? table_null() : table_text(function->key))
VALUE(file, table_text(function->file))
VALUE(source_line, table_integer_if(function->line, function->line))
VALUE(place, table_text_freed(function->place ? text_plain(function->place) : NULL))
VALUE(text, table_text_freed(match_names_text(line->files, function)))
VALUE(type, allocs_table_known(function->allocation->type))
TABLE_CELL(type, OF_LINE, buf_copy(function->allocation->type))
VALUE(allocator, allocs_table_known(function->allocation->allocator))
TABLE_CELL(allocator, OF_LINE, buf_copy(function->allocation->allocator))
VALUE(size, table_number(line->point->size))
VALUE(value, table_number(line->point->value))
KNOWN(exponent, fit->exponent)
KNOWN(error, fit->error)
KNOWN(last, fit->last)

static bool has_allocations(const void *of)
{
    return ((const struct of *)of)->growth->input.sides[0]->allocs;
}

static bool has_sites(const void *of)
{
    return side_is_of_calls(((const struct of *)of)->growth->input.sides[0]);
}

static const struct table_column columns[] = {
    TABLE_DATA("function", "the name, as the table has it", name),
    TABLE_DATA("symbol", "for the assembler", symbol),
    TABLE_DATA("file", "where the function is", file),
    TABLE_DATA("line", "where the function starts", source_line),
    TABLE_DATA("size", "of the input", size),
    TABLE_DATA("value", "of the mean run of that size", value),
    {"exponent", "k, where the function grows as n^k", exponent, "exponent", 10,
     .cell = exponent_cell},
    {"exponent_error", "half of its interval of 95 %", error, "+-", 20,
     .cell = error_cell},
    {"exponent_last",
     "between the two greatest sizes: if it is greater than exponent, the function grows "
     "faster than by a power",
     last, "last", 30, .cell = last_cell},
    TABLE_DATA("place", "of a line or expression, with -by", place),
    TABLE_DATA("text", "of that line in the source, if it may be shown", text),
    {"type", "of what is allocated, with -allocs, if it is known", type, "type", 50,
     has_sites, type_cell, .side = SHEET_TEXT, .in_data = has_allocations},
    {"allocator", "the function that is called, with -allocs", allocator, "called", 40,
     has_sites, allocator_cell, .side = SHEET_TEXT, .in_data = has_allocations},
    {0}};

/* The first size with a column: if there is no room for all, the greatest sizes have
   one.  */
static size_t first_shown(const struct of *about)
{
    /* The columns that are not of sizes.  */
    const size_t others = has_sites(about) ? 6 : 4;
    size_t count = about->growth->input.count;
    return count + others > SHEET_MOST ? count + others - SHEET_MOST : 0;
}

static size_t size_count(const void *of)
{
    const struct of *about = of;
    return about->growth->input.count - first_shown(about);
}

static const char *size_head(const void *of, size_t nth)
{
    const struct of *about = of;
    return about->sizes[first_shown(about) + nth];
}

static char *size_cell(const void *of, const void *at, size_t nth)
{
    const struct of *about = of;
    const struct growth_row *grown = ((const struct at *)at)->grown;
    double value = grown->points[first_shown(about) + nth].value;
    bool whole = !(floor(value) < value);
    BUF_OWN char *number = text_commas(value, about->sampled ? 2 : whole ? 0 : 1);
    return buf_format("%s%s", number, about->sampled ? "s" : "");
}

static const char *noun(const void *of)
{
    return side_noun(((const struct of *)of)->growth->input.sides[0]);
}

static void put_name(const void *of, struct sheet *sheet, const void *at)
{
    const struct of *about = of;
    const struct growth_input *input = &about->growth->input;
    size_t row = ((const struct at *)at)->grown->row;
    match_names_put(sheet, &about->growth->match, input->sides, row,
                    input->show_line || about->alike[row], input->files);
}

const struct table_view growth_table = {.name = "growth",
                                        .columns = columns,
                                        .series = {size_count, size_head, size_cell},
                                        .names = {noun, put_name}};

static void release(void *own)
{
    BUF_OWN struct of *of = own;
    for (size_t i = 0; i < of->growth->input.count; i++)
        free(of->sizes[i]);
    free(of->sizes);
    free(of->alike);
    free(of->lines);
}

/* Makes a table of LINES, which it takes over.  */
static struct table make(const struct growth *growth, struct at *lines, size_t count)
{
    const struct growth_input *input = &growth->input;
    struct of *of = buf_alloc(sizeof *of);
    *of = (struct of){.growth = growth,
                      .sampled = input->measure.of->sampled,
                      .alike = match_names_alike(&growth->match, input->sides),
                      .sizes = buf_alloc(input->count * sizeof *of->sizes),
                      .lines = lines};
    for (size_t i = 0; i < input->count; i++)
        of->sizes[i] = buf_format("n=%g", input->sizes[i]);
    struct table table = {.view = &growth_table, .of = of, .own = of, .release = release};
    for (size_t i = 0; i < count; i++)
        table_add(&table, &lines[i]);
    return table;
}

struct table growth_table_make(const struct growth *growth)
{
    size_t sizes = growth->input.count, count = 0;
    bool places = !side_is_of_functions(growth->input.sides[0]);
    struct at *lines = buf_alloc((growth->count * sizes + 1) * sizeof *lines);
    for (size_t i = 0; i < growth->count; i++)
        for (size_t k = 0; k < sizes; k++)
            lines[count++] = (struct at){&growth->rows[i], &growth->rows[i].points[k],
                                         growth->input.files, places};
    return make(growth, lines, count);
}

void growth_table_print(FILE *out, const struct growth *growth)
{
    const struct growth_input *input = &growth->input;
    struct at *lines = buf_alloc((growth->count + 1) * sizeof *lines);
    size_t count = 0;
    for (size_t i = 0; i < growth->count; i++)
        if (100 * growth->rows[i].share >= input->thresh)
            lines[count++] = (struct at){&growth->rows[i], growth->rows[i].points,
                                         input->files, false};
    struct table table = make(growth, lines, count);
    char *unit = side_unit(input->sides[0], input->measure);
    fprintf(out, "%s grow with the input's size n as n^exponent\n\n", unit);
    free(unit);
    table_cut(&table, input->top);
    table_print(out, &table, false);
    table_free(&table);
}
