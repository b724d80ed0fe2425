/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/compare/compare-page-inside.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Rows of growth, as they come.  */
struct grown {
    const struct side *greatest;
    const struct compare_page_rows *rows;
    size_t sizes;
    const struct side_function **of;
    int64_t *row;
    struct growth_fit *fits;
    struct growth_point *points;
    size_t count, of_capacity, row_capacity, fit_capacity, point_capacity;
};

static void add_grown(void *data, const struct growth_row *row)
{
    struct grown *grown = data;
    size_t at = grown->count++, points = grown->sizes;
    const struct side_function *first = grown->greatest->functions;
    bool known =
        row->function >= first && row->function < first + grown->greatest->function_count;
    grown->of = buf_grow(grown->of, &grown->of_capacity, at + 1, sizeof *grown->of);
    grown->row = buf_grow(grown->row, &grown->row_capacity, at + 1, sizeof *grown->row);
    grown->fits =
        buf_grow(grown->fits, &grown->fit_capacity, at + 1, sizeof *grown->fits);
    grown->points = buf_grow(grown->points, &grown->point_capacity, (at + 1) * points,
                             sizeof *grown->points);
    grown->of[at] = row->function;
    grown->row[at] =
        known ? compare_page_row(grown->rows, (uint32_t)(row->function - first))
              : DATACOLUMNS_NONE;
    grown->fits[at] = row->fit;
    memcpy(&grown->points[at * points], row->points, points * sizeof *row->points);
}

/* A list for each row: its values, or their errors as parts of them, by size.  */
static void print_points(struct json *json, const char *name, const struct grown *grown,
                         bool errors)
{
    json_open_list_field(json, name);
    for (size_t i = 0; i < grown->count; i++) {
        json_open_list(json);
        for (size_t k = 0; k < grown->sizes; k++) {
            const struct growth_point *point = &grown->points[i * grown->sizes + k];
            json_number(json, errors ? sqrt(point->variance) : point->value);
        }
        json_close_list(json);
    }
    json_close_list(json);
}

static void print_fits(struct json *json, const char *name, const struct grown *grown,
                       size_t offset)
{
    json_open_list_field(json, name);
    for (size_t i = 0; i < grown->count; i++)
        json_number(json, *(const double *)((const char *)&grown->fits[i] + offset));
    json_close_list(json);
}

static void print_grown(struct datacolumns *columns, const char *name,
                        const struct growth_input *input, struct side *greatest,
                        const struct rows *page, bool places)
{
    struct json *json = &columns->json;
    struct compare_page_rows rows = compare_page_rows(greatest, page, places);
    struct grown grown = {.greatest = greatest, .rows = &rows, .sizes = input->count};
    growth_each(input, add_grown, &grown);
    json_open_field(json, name);
    compare_page_names(columns, grown.of, grown.row, grown.count, places);
    print_fits(json, "exponent", &grown, offsetof(struct growth_fit, exponent));
    print_fits(json, "error", &grown, offsetof(struct growth_fit, error));
    print_fits(json, "last", &grown, offsetof(struct growth_fit, last));
    print_fits(json, "sampling", &grown, offsetof(struct growth_fit, sampling));
    print_points(json, "values", &grown, false);
    print_points(json, "errors", &grown, true);
    json_close(json);
    free(grown.of);
    free(grown.row);
    free(grown.fits);
    free(grown.points);
    free(rows.row);
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
        compare_page_side(json, about->program, side, input->sizes[order[i]],
                          total / (double)side->run_count);
    }
    json_close_list(json);
    free(order);
}

/* Of the breakdowns' lines or expressions.  */
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
