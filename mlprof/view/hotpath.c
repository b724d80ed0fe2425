/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the hot path, for -hot-path. The path starts at the outermost function with
   the largest share. It continues to a callee as long as the callee has more than
   half of its caller's share. A recursion is printed as one line. */

#include "mlprof/base/buf.h"
#include "mlprof/base/cxxname.h"
#include "mlprof/base/terminal.h"
#include "mlprof/rows/calltree.h"
#include "mlprof/view/views.h"

#include <inttypes.h>
#include <stdlib.h>

/* A function on the path, with its measurements on this path only. */
struct step {
    const struct rows_row *row;
    uint64_t level; /* number of its callers on the path */
    uint64_t cur, stack;
    /* As in tree.h. */
    uint32_t depth;
    bool deeper, estimated, count_estimated;
};

/* The maximum number of callees printed at the end of the path, and the width of their
   names. */
#define NEXT       3
#define NAME_WIDTH 40

struct path {
    const struct view *view;
    struct tree tree;
    struct step *steps;
    /* The callees of the last function with the largest shares, and the number of all
       its callees. */
    struct step next[NEXT];
    size_t next_count;
    bool recursive; /* a function on the path calls itself */
};

#define OF_ROW                                                                           \
    const struct view *view = ((const struct path *)of)->view;                           \
    const struct step *step = at;                                                        \
    (void)view

VIEW_VALUE(level, table_integer(step->level))
VIEW_VALUE(function, view_value_name(view, step->row))
VIEW_VALUE(file, view_value_file(step->row))
VIEW_VALUE(line, view_value_line(step->row))
VIEW_VALUE(samples, view_value_samples(view, true, step->cur))
VIEW_VALUE(time, view_value_time(view, true, step->cur))
VIEW_VALUE(stack_samples, view_value_samples(view, true, step->stack))
VIEW_VALUE(stack_time, view_value_time(view, true, step->stack))
VIEW_VALUE(bytes, view_value_bytes(view, true, step->cur))
VIEW_VALUE(stack_bytes, view_value_bytes(view, true, step->stack))
VIEW_VALUE(events, view_value_events(view, true, step->cur))
VIEW_VALUE(stack_events, view_value_events(view, true, step->stack))
VIEW_VALUE(depth, table_integer(step->depth))
VIEW_VALUE(deeper, table_bool(step->deeper))
VIEW_VALUE(estimated, table_bool(step->estimated))
VIEW_CELL(cur, view_percent_about(view, step->cur, step->count_estimated))
VIEW_CELL(stack, view_percent_about(view, step->stack, step->estimated))
VIEW_CELL(depth, step->depth > 1
                     ? buf_format("%s%" PRIu32, step->deeper ? ">" : "", step->depth)
                     : buf_format("-"))

TABLE_PRESENT(is_recursive, const struct path *path, path->recursive)

static const struct table_column columns[] = {
    TABLE_DATA("level", "functions around it on the path", level),
    TABLE_DATA("function", "called by the one with a level less", function),
    TABLE_DATA("file", "where the function is", file),
    TABLE_DATA("line", "where the function starts", line),
    {"stack_samples", "of it and of what it called, on this path", stack_samples, "total",
     .cell = stack_cell},
    TABLE_DATA("stack_time_ns", "of these samples", stack_time),
    TABLE_DATA("bytes", "allocated by the function itself, on this path", bytes),
    TABLE_DATA("stack_bytes", "allocated by it and by what it called, on this path",
               stack_bytes),
    {"samples", "of the function itself, on this path", samples, "self",
     .cell = cur_cell},
    TABLE_DATA("time_ns", "of these samples", time),
    {"depth", "how often the function is on the stack at once, at most, by recursion",
     depth, "depth", .present = is_recursive, .cell = depth_cell},
    TABLE_DATA("deeper", "calls were left out of deep stacks, so that it may be deeper",
               deeper),
    TABLE_DATA(
        "events",
        "instructions of the function itself, or what else -measure shows, on this "
        "path",
        events),
    TABLE_DATA("stack_events", "the same with what it called or what is inlined into it",
               stack_events),
    TABLE_DATA("estimated", "stack_events is divided among the callers of a function",
               estimated),
    {0}};

static void put_path_name(const void *of, struct sheet *sheet, const void *at)
{
    view_put_name(((const struct path *)of)->view, sheet, ((const struct step *)at)->row);
}

static const struct table_view path_table = {
    .name = "hot_path", .columns = columns, .names = {"function", put_path_name}};

/* Returns the child of NODE with the largest weight, or TREE_EMPTY if every child has
   weight 0. */
static uint32_t heaviest(const struct tree *tree, const uint64_t *weights, uint32_t node)
{
    uint32_t most = TREE_EMPTY;
    uint64_t weight = 0;
    for (uint32_t child = tree->nodes[node].child; child != TREE_EMPTY;
         child = tree->nodes[child].sibling)
        if (weights[child] > weight) {
            weight = weights[child];
            most = child;
        }
    return most;
}

/* Finds the callees of NODE, the last function of the path. Sets the weights of these
   callees to 0. */
static void find_next(struct path *path, const struct tree *tree, uint64_t *weights,
                      uint32_t node)
{
    uint32_t child;
    for (child = tree->nodes[node].child; child != TREE_EMPTY;
         child = tree->nodes[child].sibling)
        path->next_count += weights[child] > 0;
    for (size_t i = 0; i < NEXT && i < path->next_count; i++) {
        child = heaviest(tree, weights, node);
        path->next[i] =
            (struct step){.row = &path->view->rows->rows[tree->nodes[child].row],
                          .stack = weights[child],
                          .estimated = tree->nodes[child].estimated};
        weights[child] = 0;
    }
}

static void free_path(void *own)
{
    BUF_OWN struct path *path = own;
    free(path->steps);
    tree_free(&path->tree);
}

static void fill_path(struct table *table, const struct view *view,
                      const struct pattern *pattern)
{
    struct path *path = buf_alloc(sizeof *path);
    struct tree *tree = &path->tree;
    calltree_of_paths(tree, view->rows);
    BUF_OWN uint64_t *weights = tree_totals(tree);
    path->view = view;
    path->steps = buf_alloc(tree->count * sizeof *path->steps);
    size_t count = 0;
    uint32_t node = TREE_EMPTY, next;
    (void)pattern;
    while ((next = heaviest(tree, weights, node)) != TREE_EMPTY &&
           (node == TREE_EMPTY || weights[next] > weights[node] / 2)) {
        const struct tree_node *at = &tree->nodes[next];
        path->steps[count] = (struct step){.row = &view->rows->rows[at->row],
                                           .level = count,
                                           .cur = at->count,
                                           .stack = weights[next],
                                           .depth = at->depth,
                                           .deeper = at->deeper,
                                           .estimated = at->estimated,
                                           .count_estimated = at->count_estimated};
        path->recursive |= at->depth > 1;
        table_add(table, &path->steps[count++]);
        node = next;
    }
    if (node != TREE_EMPTY)
        find_next(path, tree, weights, node);
    table->of = path;
    table->own = path;
    table->release = free_path;
}

/* Prints why the path ends with LAST, and the callees of LAST. */
static void print_end(FILE *out, const struct path *path, const struct step *last)
{
    BUF_OWN char *own = view_percent_about(path->view, last->cur, last->count_estimated),
                 *text = NULL;
    size_t size, named = path->next_count < NEXT ? path->next_count : NEXT;
    FILE *end = buf_open(&text, &size);
    fprintf(end, "\nends here: %s is its own, ", own);
    if (!named)
        fputs("and it calls nothing that was measured", end);
    else
        fputs("no callee has more than half; next: ", end);
    for (size_t i = 0; i < named; i++) {
        BUF_OWN char *name = view_name(path->view, path->next[i].row),
                     *share = view_percent_about(path->view, path->next[i].stack,
                                                 path->next[i].estimated),
                     *fitted = terminal_columns(stdout) ? cxxname_fit(name, NAME_WIDTH)
                                                        : buf_copy(name);
        fprintf(end, "%s%s %s", i ? ", " : "", fitted, share);
    }
    if (path->next_count > named)
        fprintf(end, " and %zu more", path->next_count - named);
    putc('\n', end);
    buf_close(end);
    terminal_print(out, text);
}

static void print_path(FILE *out, const struct view *view)
{
    struct table table = {.view = &path_table};
    size_t count = 0;
    fill_path(&table, view, NULL);
    while (count < view_top(view, table.count) &&
           view_reaches(view, ((const struct step *)table.rows[count])->stack))
        count++;
    bool whole = count && count == table.count && !view->style.mlton;
    table.count = count;
    table_print(out, &table, view->style.mlton);
    if (whole)
        print_end(out, table.own, table.rows[count - 1]);
    view_tree_notes(out, view, &((const struct path *)table.own)->tree);
    table_free(&table);
}

const struct views_entry hotpath_entry = {
    .name = "hot-path",
    .topic = TOPIC_CALLS,
    .use = 4,
    .help = "follow the calls with most of the measure",
    .details =
        "Starts at the outermost function and goes on to the callee with more than\n"
        "half of its caller's value, until there is none. All figures are those of\n"
        "this path. A recursion, direct or through other functions, is one line.",
    .kind = OUTPUTS_PATH,
    .facts = VIEWS_CALLS,
    .data = {{&path_table, fill_path}},
    .check = view_check_stacks,
    .timed = true,
    .print = print_path,
};
