/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the fields that only the page of a comparison or of -growth has. They refer to
   the functions of the page by row (find_rows). */

#include "mlprof/base/buf.h"
#include "mlprof/compare/change.h"
#include "mlprof/compare/compare-output.h"
#include "mlprof/compare/growth.h"
#include "mlprof/page/page.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* For each function of a side: its row in the page's table. */
struct page_rows {
    int64_t *row; /* the owner of struct page_rows frees it */
    size_t count;
};

/* Finds the row of each function. PLACES: the functions of SIDE are lines or
   expressions. */
static struct page_rows find_rows(struct runset *side, const struct rows *rows,
                                  bool places)
{
    BUF_OWN uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < rows->count; i++) {
        const struct rows_row *row = &rows->rows[i];
        numbers[i] = row->branch ? MATCH_NONE
                     : places    ? runset_put_place(side, row)
                                 : runset_put(side, &row->source, row->shown);
    }
    struct page_rows found = {.count = side->functions.count};
    found.row = buf_alloc((found.count + 1) * sizeof *found.row);
    for (size_t i = 0; i < found.count; i++)
        found.row[i] = DATACOLUMNS_NONE;
    for (size_t i = 0; i < rows->count; i++)
        if (numbers[i] != MATCH_NONE)
            found.row[numbers[i]] = (int64_t)i;
    return found;
}

/* Returns the row of a function, or DATACOLUMNS_NONE if the page does not have it. */
static int64_t row_of(const struct page_rows *rows, uint32_t function)
{
    return function < rows->count ? rows->row[function] : DATACOLUMNS_NONE;
}

static void print_side(struct json *json, const char *program, const struct runset *side,
                       struct runset_measure measure, double size, double total)
{
    BUF_OWN char *of_heap = change_text_of_heap(side, measure);
    json_open(json);
    json_text_field(json, "program", program);
    json_unsigned_field(json, "runs", side->runs.count);
    json_number_field(json, "size", size > 0 ? size : NAN);
    json_number_field(json, "total", total);
    json_text_field(json, "of_heap", of_heap);
    json_close(json);
}

/* Prints the columns that all tables have: the name and the place of each of COUNT
   rows, and its row in the page. PLACES: the rows are lines or expressions. */
static void print_names(struct datacolumns *columns,
                        const struct runset_function **functions, const int64_t *rows,
                        size_t count, bool places)
{
    struct json *json = &columns->json;
    json_open_list_field(json, "row");
    for (size_t i = 0; i < count; i++)
        json_signed(json, rows[i]);
    json_close_list(json);
    json_open_list_field(json, "name");
    for (size_t i = 0; i < count; i++)
        json_signed(json, datacolumns_text(columns, functions[i]->shown));
    json_close_list(json);
    json_open_list_field(json, "place");
    for (size_t i = 0; i < count; i++) {
        const struct runset_function *function = functions[i];
        char *place = places ? buf_copy(function->key)
                      : function->file
                          ? buf_format("%s: %u", function->file, (unsigned)function->line)
                          : NULL;
        json_signed(json, datacolumns_text_of(columns, place));
    }
    json_close_list(json);
}

static const struct table_page_column change_columns[] = {
    {"before", "before"},      {"after", "after"},
    {"change_least", "least"}, {"change_most", "most"},
    {"exact", "exact"},        {"chance", "chance"},
    {"certain", "certain"},    {0}};
static const struct table_page_column formula_columns[] = {{"value", "value"}, {0}};

/* Prints the field NAME: the changes between the sides of VIEW, each with its row in
   the page. PLACES: the rows are lines or expressions. */
static void print_changes(struct datacolumns *columns, const char *name,
                          const struct changes_view *view, const struct changes *changes,
                          const struct formula *formula, const struct page_rows *rows,
                          bool places)
{
    struct json *json = &columns->json;
    struct table table = changes_table_make(view, changes, formula);
    BUF_OWN const struct runset_function **functions =
        buf_alloc((changes->count + 1) * sizeof *functions);
    BUF_OWN int64_t *numbers = buf_alloc((changes->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < changes->count; i++) {
        size_t row = changes->changes[i].row;
        functions[i] = match_function(view->match, view->sides, row);
        numbers[i] = row_of(rows, view->match->functions[2 * row + 1]);
    }
    json_open_field(json, name);
    print_names(columns, functions, numbers, changes->count, places);
    table_print_columns(json, &table, change_columns);
    if (formula)
        table_print_columns(json, &table, formula_columns);
    json_unsigned_field(json, "tested", changes->tested);
    json_close(json);
    table_free(&table);
}

/* Prints the changes of lines or of expressions. */
static void print_places(struct datacolumns *columns,
                         const struct compare_page_changes *about, const char *name,
                         const struct runset *old, struct runset *new,
                         const struct rows *page)
{
    const struct runset *const sides[2] = {old, new};
    struct match match;
    struct changes changes;
    match_find(&match, sides, 2);
    changes_find(&changes, &match, sides, about->changes->measure,
                 about->changes->of_share);
    struct page_rows rows = find_rows(new, page, true);
    struct changes_view view = *about->view;
    view.match = &match;
    view.sides[0] = old, view.sides[1] = new;
    print_changes(columns, name, &view, &changes, about->formula, &rows, true);
    free(rows.row);
    changes_free(&changes);
    match_free(&match);
}

/* Prints the tree of stacks: the values before and after of each node, including all
   nodes below it. */
static void print_stacks(struct datacolumns *columns,
                         const struct compare_page_changes *about)
{
    struct json *json = &columns->json;
    struct breakdown_tree tree;
    struct changes changes;
    const struct runset *const sides[2] = {&about->breakdowns[0]->stacks,
                                           &about->breakdowns[1]->stacks};
    breakdown_join(&tree, about->breakdowns, about->view->match);
    changes_find(&changes, &tree.match, sides,
                 (struct runset_measure){about->changes->measure.base, RUNSET_STACK},
                 about->changes->of_share);
    struct changes_view view = {.match = &tree.match, .sides = {sides[0], sides[1]}};
    struct table table = changes_table_make(&view, &changes, NULL);
    /* Sorting by name puts the rows into the order of the nodes. Each node has a row,
       because each node has a value on at least one side. */
    table_sort(&table, VIEW_NAME);
    json_open_field(json, "stacks");
    json_open_list_field(json, "parent");
    for (size_t i = 0; i < tree.match.count; i++)
        json_signed(json, tree.nodes[i].parent == BREAKDOWN_NONE ? DATACOLUMNS_NONE
                                                                 : tree.nodes[i].parent);
    json_close_list(json);
    json_open_list_field(json, "function");
    for (size_t i = 0; i < tree.match.count; i++)
        json_signed(json, tree.nodes[i].function == BREAKDOWN_NONE
                              ? DATACOLUMNS_NONE
                              : tree.nodes[i].function);
    json_close_list(json);
    table_print_columns(json, &table, change_columns);
    json_close(json);
    table_free(&table);
    changes_free(&changes);
    breakdown_tree_free(&tree);
}

/* Prints the functions by row of the match. The stacks refer to these rows. */
static void print_match(struct datacolumns *columns, const struct match *match,
                        const struct runset *const *sides, const struct page_rows *rows)
{
    struct json *json = &columns->json;
    json_open_field(json, "matched");
    json_open_list_field(json, "name");
    for (size_t row = 0; row < match->count; row++)
        json_signed(json,
                    datacolumns_text(columns, match_function(match, sides, row)->shown));
    json_close_list(json);
    json_open_list_field(json, "row");
    for (size_t row = 0; row < match->count; row++)
        json_signed(json, row_of(rows, match->functions[2 * row + 1]));
    json_close_list(json);
    json_close(json);
}

/* Prints the measure and its unit. */
static void print_heading(struct json *json, const struct runset *side,
                          struct runset_measure measure, bool of_share)
{
    bool sampled = measure.base->sampled;
    json_text_field(json, "unit", of_share ? "share" : sampled ? "seconds" : "count");
    BUF_OWN char *unit = runset_unit(side, measure);
    json_text_field(json, "words", unit);
}

static void print_all(struct json *json, const struct changes *changes)
{
    const struct change *all = &changes->all;
    json_open_field(json, "all");
    json_bool_field(json, "seconds", changes->sampled);
    json_number_field(json, "before", all->before);
    json_number_field(json, "after", all->after);
    json_number_field(json, "least", change_least(all));
    json_number_field(json, "most", change_most(all));
    json_bool_field(json, "exact", all->exact);
    json_bool_field(json, "certain", all->verdict.certain);
    json_number_field(json, "drift", changes_common_factor(changes));
    json_close(json);
}

static void print_compared(struct datacolumns *columns,
                           const struct compare_page_changes *about)
{
    const struct changes_view *view = about->view;
    const struct changes *changes = about->changes;
    struct json *json = &columns->json;
    struct page_rows rows = find_rows(about->after, &about->page->rows, false);
    json_open_field(json, "compare");
    table_print_meanings(json, "means", &changes_table);
    print_heading(json, view->sides[0], changes->measure, changes->of_share);
    json_text_field(json, "formula", about->formula ? about->formula->text : NULL);
    json_bool_field(json, "same", about->same_program);
    json_open_list_field(json, "sides");
    for (size_t s = 0; s < 2; s++)
        print_side(json, view->programs[s], view->sides[s], changes->measure,
                   view->sizes[s], s ? changes->all.after : changes->all.before);
    json_close_list(json);
    print_all(json, changes);
    print_changes(columns, "functions", view, changes, about->formula, &rows, false);
    if (about->same_program) {
        print_places(columns, about, "lines", &about->breakdowns[0]->lines,
                     &about->after_breakdown->lines,
                     report_rows(about->page, ROWS_LINES));
        print_places(columns, about, "expressions", &about->breakdowns[0]->expressions,
                     &about->after_breakdown->expressions,
                     report_rows(about->page, ROWS_EXPRESSIONS));
    }
    print_match(columns, view->match, view->sides, &rows);
    if (about->main)
        print_stacks(columns, about);
    json_close(json);
    free(rows.row);
}

/* Prints the values of each region on a side, summed over its runs; null if the side
   does not have the region. */
static void print_region_side(struct json *json, const char *name,
                              const struct compare_page_regions *about, size_t side)
{
    struct report *all = about->all[side];
    const struct regionrows *rows = report_regions(all, about->sides[side]->key);
    BUF_OWN const struct regionrows_row **by_region =
        regionside_rows(about->sides[side], rows);
    json_open_list_field(json, name);
    for (size_t i = 0; i < about->changes->count; i++) {
        uint32_t region = about->changes->changes[i].regions[side];
        if (region == MATCH_NONE || !by_region[region])
            json_text(json, NULL);
        else
            page_regions_print_row(json, all->profile, rows, by_region[region]);
    }
    json_close_list(json);
}

static void print_regions(struct datacolumns *columns,
                          const struct compare_page_regions *about)
{
    struct json *json = &columns->json;
    const struct regionchanges *changes = about->changes;
    json_open_field(json, "region_changes");
    json_text_field(json, "by",
                    about->sides[0]->key == REGIONROWS_PATHS ? "paths" : "regions");
    json_number_field(json, "tick", changes->tick);
    json_open_list_field(json, "sides");
    for (size_t s = 0; s < 2; s++) {
        json_open(json);
        json_text_field(json, "program", changes->programs[s]);
        json_unsigned_field(json, "runs", changes->runs[s]);
        json_close(json);
    }
    json_close_list(json);
    json_open_list_field(json, "name");
    for (size_t i = 0; i < changes->count; i++)
        json_signed(json, datacolumns_text(columns, changes->changes[i].name));
    json_close_list(json);
    json_open_list_field(json, "certain");
    for (size_t i = 0; i < changes->count; i++)
        json_bool(json, changes->changes[i].verdict.certain);
    json_close_list(json);
    struct table table = regionchanges_table(changes);
    json_name(json, "table");
    table_print_page(json, &table);
    table_free(&table);
    print_region_side(json, "regions_before", about, 0);
    print_region_side(json, "regions_after", about, 1);
    json_unsigned_field(json, "tested", changes->tested);
    json_close(json);
}

void compare_page_changes(struct datacolumns *columns, const void *data)
{
    const struct compare_page_changes *about = data;
    if (about->view)
        print_compared(columns, about);
    if (about->regions)
        print_regions(columns, about->regions);
}

/* Prints the names of functions or, if PLACES, of lines or expressions, with their
   rows in PAGE. The page shows GREATEST, the side with the greatest size. */
static void print_grown_names(struct datacolumns *columns, const struct growth *growth,
                              struct runset *greatest, const struct rows *page,
                              bool places)
{
    struct page_rows rows = find_rows(greatest, page, places);
    const struct runset_function *first = greatest->functions.list;
    BUF_OWN const struct runset_function **functions =
        buf_alloc((growth->count + 1) * sizeof *functions);
    BUF_OWN int64_t *numbers = buf_alloc((growth->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < growth->count; i++) {
        const struct runset_function *function = growth->rows[i].function;
        bool known = function >= first && function < first + greatest->functions.count;
        functions[i] = function;
        numbers[i] =
            known ? row_of(&rows, (uint32_t)(function - first)) : DATACOLUMNS_NONE;
    }
    print_names(columns, functions, numbers, growth->count, places);
    free(rows.row);
}

/* Prints for each row the list of its values by size or, if ERRORS, of their relative
   errors. */
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
                        const struct growth_input *input, struct runset *greatest,
                        const struct rows *page, bool places)
{
    struct json *json = &columns->json;
    struct growth growth;
    growth_find(&growth, input);
    json_open_field(json, name);
    print_grown_names(columns, &growth, greatest, page, places);
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
    json_open_list_field(json, "sides");
    for (size_t i = 0; i < input->count; i++) {
        const struct runset *side = input->sides[i];
        double total = 0;
        for (size_t k = 0; k < side->runs.count; k++)
            total += input->measure.base->sampled
                         ? side->runs.list[k].seconds
                         : (double)runset_total(&side->runs.list[k], input->measure);
        print_side(json, about->program, side, input->measure, input->sizes[i],
                   total / (double)side->runs.count);
    }
    json_close_list(json);
}

/* Prints the growth of lines or of expressions. OFFSET is the position of their
   runset in struct breakdown. */
static void print_grown_places(struct datacolumns *columns,
                               const struct compare_page_growth *about, const char *name,
                               size_t offset, const struct rows *page)
{
    BUF_OWN const struct runset **sides = buf_alloc(about->input->count * sizeof *sides);
    for (size_t i = 0; i < about->input->count; i++)
        sides[i] = (const void *)((const char *)about->breakdowns[i] + offset);
    struct growth_input input = *about->input;
    input.sides = sides;
    print_grown(columns, name, &input, (void *)((char *)about->breakdown + offset), page,
                true);
}

void compare_page_growth(struct datacolumns *columns, const void *data)
{
    const struct compare_page_growth *about = data;
    struct json *json = &columns->json;
    struct report *page = about->page;
    json_open_field(json, "growth");
    table_print_meanings(json, "means", &growth_table);
    print_heading(json, about->input->sides[0], about->input->measure, false);
    print_sizes(json, about);
    print_grown(columns, "functions", about->input, about->side, &page->rows, false);
    print_grown_places(columns, about, "lines", offsetof(struct breakdown, lines),
                       report_rows(page, ROWS_LINES));
    print_grown_places(columns, about, "expressions",
                       offsetof(struct breakdown, expressions),
                       report_rows(page, ROWS_EXPRESSIONS));
    json_close(json);
}
