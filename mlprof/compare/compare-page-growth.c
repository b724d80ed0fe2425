/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/compare/compare-page-inside.h"
#include "mlprof/compare/growth-table.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Prints the names of functions or, if PLACES, of lines or expressions, with their rows
   in PAGE, which shows GREATEST, the side of the greatest size.  */
static void print_names(struct datacolumns *columns, const struct growth *growth,
                        struct side *greatest, const struct rows *page, bool places)
{
    struct compare_page_rows rows = compare_page_rows(greatest, page, places);
    const struct side_function *first = greatest->functions;
    const struct side_function **of = buf_alloc((growth->count + 1) * sizeof *of);
    int64_t *numbers = buf_alloc((growth->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < growth->count; i++) {
        const struct side_function *function = growth->rows[i].function;
        bool known = function >= first && function < first + greatest->function_count;
        of[i] = function;
        numbers[i] = known ? compare_page_row(&rows, (uint32_t)(function - first))
                           : DATACOLUMNS_NONE;
    }
    compare_page_names(columns, of, numbers, growth->count, places);
    free(of);
    free(numbers);
    free(rows.row);
}

/* Prints a list for each row: its values by size or, if ERRORS, their relative
   errors.  */
static void print_points(struct json *json, const char *name, const struct growth *growth,
                         bool errors)
{
    json_open_list_field(json, name);
    for (size_t i = 0; i < growth->count; i++) {
        json_open_list(json);
        for (size_t k = 0; k < growth->input.count; k++) {
            const struct growth_point *point = &growth->rows[i].points[k];
            json_number(json, errors ? sqrt(point->variance) : point->value);
        }
        json_close_list(json);
    }
    json_close_list(json);
}

static void print_fits(struct json *json, const char *name, const struct growth *growth,
                       size_t offset)
{
    json_open_list_field(json, name);
    for (size_t i = 0; i < growth->count; i++)
        json_number(json, *(const double *)((const char *)&growth->rows[i].fit + offset));
    json_close_list(json);
}

static void print_grown(struct datacolumns *columns, const char *name,
                        const struct growth_input *input, struct side *greatest,
                        const struct rows *page, bool places)
{
    struct json *json = &columns->json;
    struct growth growth;
    growth_find(&growth, input);
    json_open_field(json, name);
    print_names(columns, &growth, greatest, page, places);
    print_fits(json, "exponent", &growth, offsetof(struct growth_fit, exponent));
    print_fits(json, "error", &growth, offsetof(struct growth_fit, error));
    print_fits(json, "last", &growth, offsetof(struct growth_fit, last));
    print_fits(json, "sampling", &growth, offsetof(struct growth_fit, sampling));
    print_points(json, "values", &growth, false);
    print_points(json, "errors", &growth, true);
    json_close(json);
    growth_free(&growth);
}

static void print_sizes(struct json *json, const struct compare_page_growth *about)
{
    const struct growth_input *input = about->input;
    size_t *order = growth_order(input);
    json_open_list_field(json, "sides");
    for (size_t i = 0; i < input->count; i++) {
        const struct side *side = input->sides[order[i]];
        double total = 0;
        for (size_t k = 0; k < side->run_count; k++)
            total += side_is_sampled(side, input->measure)
                         ? side->runs[k].seconds
                         : (double)side->runs[k].totals[input->measure];
        compare_page_side(json, about->program, side, input->measure,
                          input->sizes[order[i]], total / (double)side->run_count);
    }
    json_close_list(json);
    free(order);
}

/* Prints the growth of lines or of expressions: the sides at OFFSET in the
   breakdowns.  */
static void print_grown_places(struct datacolumns *columns,
                               const struct compare_page_growth *about, const char *name,
                               size_t offset, const struct rows *page)
{
    const struct side **sides = buf_alloc(about->input->count * sizeof *sides);
    for (size_t i = 0; i < about->input->count; i++)
        sides[i] = (const void *)((const char *)about->breakdowns[i] + offset);
    struct growth_input input = *about->input;
    input.sides = sides;
    print_grown(columns, name, &input, (void *)((char *)about->breakdown + offset), page,
                true);
    free(sides);
}

void compare_page_growth(struct datacolumns *columns, const void *data)
{
    const struct compare_page_growth *about = data;
    struct json *json = &columns->json;
    const struct evaluate_result *page = about->page;
    json_open_field(json, "growth");
    table_print_meanings(json, "means", &growth_table);
    compare_page_heading(json, about->input->sides[0], about->input->measure, false);
    print_sizes(json, about);
    print_grown(columns, "functions", about->input, about->side, &page->rows, false);
    print_grown_places(columns, about, "lines", offsetof(struct breakdown, lines),
                       &page->groups[ROWS_LINES]);
    print_grown_places(columns, about, "expressions",
                       offsetof(struct breakdown, expressions),
                       &page->groups[ROWS_EXPRESSIONS]);
    json_close(json);
}
