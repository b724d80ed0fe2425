/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the direct callers of functions (-callers), their callees (-callees), or both
   in one table around each function (-peek). The first half of the file makes the
   columns, and the rows for data formats, which contain all pairs of caller and
   callee. The second half makes the rows for the terminal, which contain the
   neighbours of one function at a time. */

#define _GNU_SOURCE
#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/groups.h"
#include "mlprof/base/index.h"
#include "mlprof/base/text.h"
#include "mlprof/view/views.h"

#include <stdlib.h>

/* The function of a pair that the terminal names. In -peek, the row of the function
   itself is a pair of the function with itself. */
enum named { NAMED_CALLER, NAMED_CALLEE, NAMED_ITSELF };

struct pair {
    uint32_t caller, callee; /* rows, STACKS_NONE (outside) or ARCS_OTHERS (several) */
    uint64_t weight;         /* samples during these calls */
    struct arcs_calls calls; /* counted calls */
    bool counted;
    enum named named;
};

/* The context of the columns. */
struct context {
    const struct view *view;
    bool peek;      /* -peek: show a function between its callers and callees */
    bool estimated; /* a row has bounds instead of an exact count */
};

#define OUTSIDE   "<outside>"
#define NOT_KNOWN "<not known>"

static uint32_t named(const struct pair *row)
{
    return row->named == NAMED_CALLER ? row->caller : row->callee;
}

/* Returns the name of ROW as a value of a data format, null if ROW is outside of the
   profile. */
static struct table_value name_in(const struct view *view, uint32_t row)
{
    return row == ARCS_OTHERS ? table_text(ARCS_OTHERS_NAME)
                              : view_value_name(view, view_row(view, row));
}

/* Returns the cell of the self share, which is empty except in the row of the function
   itself. */
static char *cur_text(const struct view *view, const struct pair *row)
{
    return row->named == NAMED_ITSELF
               ? view_percent(view, rows_whole(&view->rows->rows[row->caller]))
               : buf_copy("");
}

static char *relation_text(enum named named)
{
    static const char *const relations[] = {
        [NAMED_CALLER] = "from", [NAMED_CALLEE] = "to", [NAMED_ITSELF] = ""};
    return buf_copy(relations[named]);
}

#define OF_ROW                                                                           \
    const struct view *view = ((const struct context *)of)->view;                        \
    const struct pair *row = at;                                                         \
    (void)view

VIEW_VALUE(caller, name_in(view, row->caller))
VIEW_VALUE(caller_file, view_value_file(view_row(view, row->caller)))
VIEW_VALUE(caller_line, view_value_line(view_row(view, row->caller)))
VIEW_VALUE(callee, name_in(view, row->callee))
VIEW_VALUE(callee_file, view_value_file(view_row(view, row->callee)))
VIEW_VALUE(callee_line, view_value_line(view_row(view, row->callee)))
VIEW_VALUE(samples, view_value_samples(view, true, row->weight))
VIEW_VALUE(time, view_value_time(view, true, row->weight))
VIEW_VALUE(bytes, view_value_bytes(view, true, row->weight))
VIEW_VALUE(events, view_value_events(view, true, row->weight))
VIEW_VALUE(calls, table_integer_if(row->counted, row->calls.count))
VIEW_CELL(calls, view_calls_cell(row->calls))
VIEW_VALUE(least, table_integer_if(row->counted, row->calls.least))
VIEW_CELL(least, text_commas((double)row->calls.least, 0))
VIEW_VALUE(most, table_integer_if(row->counted, row->calls.most))
VIEW_CELL(most, text_commas((double)row->calls.most, 0))
VIEW_CELL(sure, view_certainty_cell(row->calls))
VIEW_CELL(cur, cur_text(view, row))
VIEW_CELL(stack, view_percent(view, row->weight))
VIEW_CELL(amount, view_amount_cell(view, row->weight))
VIEW_CELL(relation, relation_text(row->named))

/* Whether a column is shown on the terminal. If calls were counted, counts are shown
   instead of samples. */
TABLE_PRESENT(is_peek, const struct context *context, context->peek)
TABLE_PRESENT(is_counted, const struct context *context, context->view->rows->has_arcs)
TABLE_PRESENT(has_bounds, const struct context *context,
              is_counted(context, 0) && context->estimated)
TABLE_PRESENT(is_sampled, const struct context *context, !is_counted(context, 0))
TABLE_PRESENT(has_cur, const struct context *context,
              is_sampled(context, 0) && context->peek)
TABLE_PRESENT(has_amounts, const struct context *context,
              is_sampled(context, 0) && view_has_amounts(context->view))

TABLE_HEAD(self_head, const struct context *context, view_self_head(context->view))
TABLE_HEAD(total_head, const struct context *context, view_total_head(context->view))
TABLE_HEAD(amount_head, const struct context *context, view_amount_head(context->view))

/* The order of columns with an ID is part of the data formats. Tables do not sort the
   rows; the code below has sorted them, because -peek has three groups of rows. */
static const struct table_column columns[] = {
    TABLE_DATA("caller", "null: outside of the profile, or not known", caller),
    TABLE_DATA("caller_file", "where the caller is", caller_file),
    TABLE_DATA("caller_line", "where the caller starts", caller_line),
    {"callee", "null: outside of the profile, or not known", callee, .sort = VIEW_NAME},
    TABLE_DATA("callee_file", "where the callee is", callee_file),
    TABLE_DATA("callee_line", "where the callee starts", callee_line),
    TABLE_DATA("samples", "while the caller had called the callee", samples),
    TABLE_DATA("time_ns", "of these samples", time),
    TABLE_DATA("bytes", "allocated while the caller had called the callee", bytes),
    TABLE_SHOWN(NULL, self_head, "of the function itself", has_cur, cur_cell),
    TABLE_SHOWN(NULL, total_head, "of all samples, those with such a call on the stack",
                is_sampled, stack_cell),
    TABLE_SHOWN(NULL, amount_head, NULL, has_amounts, amount_cell),
    {"calls", "counted; an estimate between the next two if these differ", calls, "calls",
     .present = is_counted, .cell = calls_cell},
    {"calls_least", "no fewer calls than this", least, "least", .present = has_bounds,
     .cell = least_cell},
    {"calls_most", "no more calls than this", most, "most", .present = has_bounds,
     .cell = most_cell},
    TABLE_DATA("events",
               "instructions while the caller had called the callee, or what else "
               "-measure shows",
               events),
    TABLE_SHOWN("sure", NULL, "how much of most is certain", has_bounds, sure_cell),
    {.head = "",
     .present = is_peek,
     .cell = relation_cell,
     .side = SHEET_TEXT,
     .mlton = -1},
    {0}};

static void put_neighbour_name(const void *of, struct sheet *sheet, const void *at)
{
    const struct view *view = ((const struct context *)of)->view;
    uint32_t row = named(at);
    if (row == STACKS_NONE)
        sheet_put(sheet, buf_copy(view->profile->sampling.stack || view->rows->has_arcs
                                      ? OUTSIDE
                                      : NOT_KNOWN));
    else if (row == ARCS_OTHERS)
        sheet_put(sheet, buf_copy(ARCS_OTHERS_NAME));
    else
        view_put_name(view, sheet, &view->rows->rows[row]);
}

static const struct table_view pairs_table = {.name = "calls",
                                              .columns = columns,
                                              .names = {"function", put_neighbour_name},
                                              .names_mlton = -1};

/* The pairs of a table for data formats, and the context of its columns. */
struct pairs {
    struct context of;
    struct pair *list;
    size_t count, capacity;
    struct index index;
};

static struct pair *put_pair(struct pairs *pairs, uint32_t caller, uint32_t callee)
{
    bool fresh;
    uint32_t number = index_put(&pairs->index, caller, callee, 0, &fresh);
    if (fresh)
        BUF_NEXT(pairs->list, pairs->count, pairs->capacity) =
            (struct pair){.caller = caller, .callee = callee};
    return &pairs->list[number];
}

BUF_COMPARE(by_rows, struct pair,
            BUF_ORDER(a->caller, b->caller) ?: BUF_ORDER(a->callee, b->callee))

static void add_counted(struct pairs *pairs, const struct arcs *arcs)
{
    struct arcs_neighbours neighbours;
    arcs_neighbours_begin(&neighbours, arcs);
    for (uint32_t i = 0; i < arcs->function_count; i++) {
        arcs_neighbours_find(&neighbours, arcs, i, ARCS_CALLERS);
        for (size_t k = 0; k < neighbours.count; k++) {
            struct pair *pair = put_pair(pairs, neighbours.list[k].row, i);
            pair->calls = neighbours.list[k].calls;
            pair->counted = true;
        }
    }
    arcs_neighbours_free(&neighbours);
}

static void release_pairs(void *own)
{
    free(((struct pairs *)own)->list);
    free(own);
}

/* Makes the table of all pairs whose caller or callee matches PATTERN: the callee if
   CALLERS, otherwise the caller. */
static void fill_neighbours(struct table *table, const struct view *view,
                            const struct pattern *pattern, bool callers)
{
    const struct rows *rows = view->rows;
    struct pairs *pairs = buf_alloc(sizeof *pairs);
    *pairs = (struct pairs){.of.view = view};
    size_t count;
    const struct rows_edge *edges = rows_edges(rows, &count);
    for (size_t i = 0; i < count; i++)
        put_pair(pairs, edges[i].caller, edges[i].callee)->weight = edges[i].weight;
    if (view->report->arcs.function_count)
        add_counted(pairs, &view->report->arcs);
    index_free(&pairs->index);
    BUF_SORT(pairs->list, pairs->count, by_rows);
    *table = (struct table){
        .view = &pairs_table, .of = &pairs->of, .own = pairs, .release = release_pairs};
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair *pair = &pairs->list[i];
        if (view_matches_any(view, pattern,
                             view_row(view, callers ? pair->callee : pair->caller)))
            table_add(table, pair);
    }
}

static void fill_callers(struct table *table, const struct view *view,
                         const struct pattern *pattern)
{
    fill_neighbours(table, view, pattern, true);
}

static void fill_callees(struct table *table, const struct view *view,
                         const struct pattern *pattern)
{
    fill_neighbours(table, view, pattern, false);
}

enum side { CALLERS, CALLEES };

/* The callers or the callees of one function. */
struct neighbours {
    const struct view *view;
    enum side side;
    /* Sorted by name or by decreasing weight, as the style says. */
    struct pair *found;
    size_t count;
    /* All edges, grouped by callee if SIDE is CALLERS, otherwise by caller. */
    struct groups edges;
    struct arcs_neighbours arcs; /* used instead of EDGES if calls were counted */
};

static uint32_t other_of(const struct neighbours *neighbours, const struct pair *pair)
{
    return neighbours->side == CALLERS ? pair->caller : pair->callee;
}

static bool has_name(uint32_t row)
{
    return row != STACKS_NONE && row != ARCS_OTHERS;
}

/* For qsort_r: sorts by name or by decreasing weight, as the style says. ARCS_OTHERS
   comes last. */
static int by_order(const void *one, const void *other, void *neighbours)
{
    const struct pair *a = one, *b = other;
    const struct view *view = ((const struct neighbours *)neighbours)->view;
    uint32_t row = other_of(neighbours, a), than = other_of(neighbours, b);
    bool by_name = view->style.order == VIEW_NAME;
    return BUF_ORDER(row == ARCS_OTHERS, than == ARCS_OTHERS)
           ?: (by_name ? BUF_ORDER(has_name(than), has_name(row)) : 0)
           ?: (by_name && has_name(row)
                   ? view_by_name(&view->rows->rows[row], &view->rows->rows[than])
                   : 0)
           ?: BUF_ORDER(b->weight, a->weight) ?: BUF_ORDER(row, than);
}

/* Adds OTHER as a neighbour of ROW if its weight reaches the threshold. */
static void add_neighbour(struct neighbours *neighbours, uint32_t row, uint32_t other,
                          struct arcs_calls calls)
{
    bool callers = neighbours->side == CALLERS;
    if (view_reaches(neighbours->view, calls.count))
        neighbours->found[neighbours->count++] =
            (struct pair){.caller = callers ? other : row,
                          .callee = callers ? row : other,
                          .weight = calls.count,
                          .calls = calls,
                          .counted = neighbours->view->rows->has_arcs,
                          .named = callers ? NAMED_CALLER : NAMED_CALLEE};
}

static struct neighbours begin(const struct view *view, enum side side)
{
    const struct rows *rows = view->rows;
    struct neighbours neighbours = {.view = view, .side = side};
    /* Enough for all rows, STACKS_NONE and ARCS_OTHERS. */
    neighbours.found = buf_alloc((rows->count + 2) * sizeof *neighbours.found);
    if (rows->has_arcs) {
        arcs_neighbours_begin(&neighbours.arcs, &view->report->arcs);
        return neighbours;
    }
    size_t count;
    const struct rows_edge *edges = rows_edges(rows, &count);
    BUF_OWN uint32_t *keys = buf_alloc((count + 1) * sizeof *keys);
    for (size_t i = 0; i < count; i++)
        keys[i] = side == CALLERS ? edges[i].callee : edges[i].caller;
    groups_make(&neighbours.edges, rows->count, keys, count);
    return neighbours;
}

/* Sets FOUND to the neighbours of ROW. */
static void find_neighbours(struct neighbours *neighbours, uint32_t row)
{
    const struct view *view = neighbours->view;
    struct arcs_neighbours *arcs = &neighbours->arcs;
    bool callers = neighbours->side == CALLERS;
    neighbours->count = 0;
    if (view->rows->has_arcs) {
        arcs_neighbours_find(arcs, &view->report->arcs, row,
                             callers ? ARCS_CALLERS : ARCS_CALLEES);
        for (size_t i = 0; i < arcs->count; i++)
            add_neighbour(neighbours, row, arcs->list[i].row, arcs->list[i].calls);
    } else {
        const struct groups *edges = &neighbours->edges;
        size_t count;
        const struct rows_edge *list = rows_edges(view->rows, &count);
        for (size_t i = edges->first[row]; i < edges->first[row + 1]; i++) {
            const struct rows_edge *edge = &list[edges->members[i]];
            add_neighbour(neighbours, row, callers ? edge->caller : edge->callee,
                          (struct arcs_calls){.count = edge->weight});
        }
    }
    if (neighbours->count)
        qsort_r(neighbours->found, neighbours->count, sizeof *neighbours->found, by_order,
                neighbours);
}

static void end(struct neighbours *neighbours)
{
    arcs_neighbours_free(&neighbours->arcs);
    groups_free(&neighbours->edges);
    free(neighbours->found);
}

/* Prints the neighbours of row NUMBER. If COUNT is 2, SIDES are its callers and
   callees, and the function itself is printed between them. Returns whether a number
   in the table is an estimate. */
static bool print_table(FILE *out, struct neighbours *sides, size_t count,
                        uint32_t number)
{
    const struct view *view = sides->view;
    const struct rows_row *row = &view->rows->rows[number];
    uint64_t calls = rows_calls(row);
    const struct pair itself = {.caller = number,
                                .callee = number,
                                .weight = rows_total(row),
                                .calls = {calls, calls, calls},
                                .named = NAMED_ITSELF};
    struct context of = {.view = view, .peek = count > 1};
    struct table table = {.view = &pairs_table, .of = &of};
    for (size_t s = 0; s < count; s++) {
        find_neighbours(&sides[s], number);
        if (s)
            table_add(&table, &itself);
        for (size_t i = 0; i < view_top(view, sides[s].count); i++)
            table_add(&table, &sides[s].found[i]);
        for (size_t i = 0; i < sides[s].count; i++)
            of.estimated |= sides[s].found[i].calls.least != sides[s].found[i].calls.most;
    }
    if (count == 1)
        table_cut(&table, view->style.top);
    table_print(out, &table, view->style.mlton);
    table_free(&table);
    return of.estimated;
}

/* Prints the title of a table: the function's name and its shares. In MLton's layout
   the shares follow the name. */
static void print_head(FILE *out, const struct view *view, const struct rows_row *row,
                       enum side side)
{
    BUF_OWN char *cur = view_percent(view, rows_whole(row));
    BUF_OWN char *stack = view_percent(view, rows_total(row));
    bool mlton = view->style.mlton, has_stack = view->rows->stack;
    const char *name = side == CALLERS ? "callers" : "callees";
    BUF_OWN char *total = buf_format(mlton ? ", stack %s" : ", total %s", stack);
    putc('\n', out);
    if (mlton) {
        BUF_OWN char *label = view_label(view, row);
        fprintf(out, "%s of %s: cur %s%s\n", name, label, cur, has_stack ? total : "");
    } else {
        BUF_OWN char *what =
            buf_format("self %s%s: %s of", cur, has_stack ? total : "", name);
        view_title(out, view, what, row, false);
    }
}

/* Prints, for each selected function, a title and a table of its direct callers or
   callees. Rows below the threshold are omitted. Rows are sorted by the number of
   samples with a call between the two functions on the stack. */
static void print_neighbours(FILE *out, const struct view *view, enum side side)
{
    struct neighbours neighbours = begin(view, side);
    bool estimated = false;
    for (uint32_t i = 0; i < view->rows->count; i++)
        if (view->selected[i]) {
            print_head(out, view, &view->rows->rows[i], side);
            estimated |= print_table(out, &neighbours, 1, i);
        }
    view_print_estimated(out, view, estimated);
    end(&neighbours);
}

static void print_callers(FILE *out, const struct view *view)
{
    print_neighbours(out, view, CALLERS);
}

static void print_callees(FILE *out, const struct view *view)
{
    print_neighbours(out, view, CALLEES);
}

/* Prints the functions in the order of decreasing total share. */
static void print_peek(FILE *out, const struct view *view)
{
    struct neighbours sides[] = {begin(view, CALLERS), begin(view, CALLEES)};
    size_t count;
    BUF_OWN const struct rows_row **matched = view_by_stack(view, view->selected, &count);
    bool estimated = false;
    for (size_t i = 0; i < count; i++) {
        putc('\n', out);
        estimated |=
            print_table(out, sides, 2, (uint32_t)(matched[i] - view->rows->rows));
    }
    view_print_estimated(out, view, estimated);
    end(&sides[0]);
    end(&sides[1]);
}

static bool is_selected(const struct view *view, const struct pattern *pattern,
                        const struct rows_row *row)
{
    return !row->branch && view_matches(view, pattern, row);
}

/* The fields that the three entries share. */
#define LISTS                                                                            \
    .takes = VIEWS_PATTERN, .kind = OUTPUTS_CALLS, .facts = VIEWS_CALLS | VIEWS_BLOCKS,  \
    .timed = true

const struct views_entry callers_entry = {
    .name = "callers",
    .topic = TOPIC_USED,
    .use = 3,
    .help = "list the callers of matching functions",
    .details = VIEWS_PATTERN_DETAILS,
    .data = {{&pairs_table, fill_callers}},
    .selects = is_selected,
    .print = print_callers,
    LISTS,
};

const struct views_entry callees_entry = {
    .name = "callees",
    .topic = TOPIC_USED,
    .use = 4,
    .help = "list the functions that matching functions called",
    .details = VIEWS_PATTERN_DETAILS,
    .data = {{&pairs_table, fill_callees}},
    .selects = is_selected,
    .print = print_callees,
    LISTS,
};

const struct views_entry peek_entry = {
    .name = "peek",
    .topic = TOPIC_CALLS,
    .use = 1,
    .help = "list callers, function and callees in one table",
    .details = "One table for each matching function, as pprof prints it.\n" //
    VIEWS_PATTERN_DETAILS,
    .data = {{&pairs_table, NULL}},
    .print = print_peek,
    LISTS,
};
