/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the calls as a tree that starts with the outermost functions, for -tree. A
   recursion is one function of the tree, as in hotpath.c. */

#include "mlprof/base/buf.h"
#include "mlprof/base/cxxname.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/rows/calltree.h"
#include "mlprof/view/views.h"

#include <inttypes.h>
#include <stdlib.h>

/* The minimum share, in percent, if -thresh is not given. */
#define LEAST 1.0

/* The widths of columns, and the minimum width of a name on a terminal. */
#define PERCENT 6
#define AMOUNT  9
#define NAME    24

struct line {
    uint64_t weight;
    uint32_t node;
    uint32_t level; /* number of its callers in the tree */
};

/* The tree, and the lines to print in their order. */
struct printed {
    const struct view *view;
    struct tree tree;
    uint64_t *weights;
    struct line *lines;
    size_t count, capacity;
    uint32_t deepest; /* the maximum level */
};

static double least_of(const struct view *view)
{
    return view->style.thresh > 0 ? view->style.thresh : LEAST;
}

/* For qsort: by increasing weight. If two lines have the same weight, the line with
   the lower node number comes last. */
BUF_COMPARE(by_weight, struct line,
            BUF_ORDER(a->weight, b->weight) ?: (a->node < b->node) - (a->node > b->node))

/* Appends the children of NODE to show to LINES, a stack with *COUNT elements. The
   child with the largest weight is appended last, so that it is popped first. */
static void push_children(const struct printed *printed, uint32_t node, uint32_t level,
                          struct line **lines, size_t *count, size_t *capacity)
{
    const struct tree_node *nodes = printed->tree.nodes;
    size_t first = *count;
    for (uint32_t child = nodes[node].child; child != TREE_EMPTY;
         child = nodes[child].sibling) {
        uint64_t weight = printed->weights[child];
        if (!weight ||
            rows_percent(weight, printed->view->rows->total) < least_of(printed->view))
            continue;
        BUF_NEXT(*lines, *count, *capacity) = (struct line){weight, child, level};
    }
    if (*count > first)
        BUF_SORT(*lines + first, *count - first, by_weight);
}

static void find_lines(struct printed *printed)
{
    BUF_OWN struct line *open = NULL;
    size_t count = 0, capacity = 0;
    push_children(printed, TREE_EMPTY, 0, &open, &count, &capacity);
    while (count) {
        struct line line = open[--count];
        BUF_NEXT(printed->lines, printed->count, printed->capacity) = line;
        if (line.level > printed->deepest)
            printed->deepest = line.level;
        push_children(printed, line.node, line.level + 1, &open, &count, &capacity);
    }
}

/* Prints the name after INDENT blanks, with the position if the style shows positions.
   ROOM is the available width; 0: unlimited. */
static void print_name(FILE *out, const struct view *view, const struct tree_node *node,
                       size_t indent, size_t room)
{
    const struct rows_row *row = &view->rows->rows[node->row];
    char *name = view_name(view, row), *position = view_position_shown(view, row);
    BUF_OWN char *deep =
        node->depth > 1
            ? buf_format("  (%s%" PRIu32 " deep)", node->deeper ? ">" : "", node->depth)
            : buf_copy("");
    size_t left = room > indent + text_width(deep) ? room - indent - text_width(deep) : 0;
    if (room) {
        size_t behind = position && left > NAME
                            ? text_position(left - 2, text_width(name), position)
                            : 0;
        size_t most = behind ? left - 2 - behind : left;
        char *shorter = cxxname_fit(name, most > 4 ? most : 4);
        free(name);
        name = shorter;
        char *place = behind ? text_path(position, behind) : NULL;
        free(position);
        position = place;
    }
    fprintf(out, "%*s%s%s%s%s\n", (int)indent, "", name, deep, position ? "  " : "",
            position ? position : "");
    free(position);
    free(name);
}

static void print_lines(FILE *out, const struct printed *printed)
{
    const struct view *view = printed->view;
    bool amounts = view_has_amounts(view);
    size_t before = 2 * (PERCENT + 2) + (amounts ? AMOUNT + 2 : 0), room = 0;
    size_t line = view->style.mlton ? 0 : terminal_columns(out);
    if (line)
        room = line > before + NAME ? line - before : NAME;
    /* Indent by 2. If the deepest line would then use more than half of the room on a
       terminal for indentation, indent by 1. */
    size_t step = !room || 2 * printed->deepest <= room / 2 ? 2 : 1;
    fprintf(out, "%*s  %*s  ", PERCENT, "total", PERCENT, "self");
    if (amounts)
        fprintf(out, "%*s  ", AMOUNT, view_amount_head(view));
    fputs("function\n", out);
    for (size_t i = 0; i < view_top(view, printed->count); i++) {
        const struct tree_node *node = &printed->tree.nodes[printed->lines[i].node];
        uint64_t weight = printed->lines[i].weight;
        size_t indent = step * printed->lines[i].level;
        BUF_OWN char *stack = view_percent_about(view, weight, node->estimated);
        BUF_OWN char *cur =
            node->count ? view_percent_about(view, node->count, node->count_estimated)
                        : buf_copy(".");
        fprintf(out, "%*s  %*s  ", PERCENT, stack, PERCENT, cur);
        if (amounts) {
            BUF_OWN char *amount = view_amount_cell(view, weight);
            fprintf(out, "%*s  ", AMOUNT, amount);
        }
        print_name(out, view, node, room && indent > room - NAME ? room - NAME : indent,
                   room);
    }
}

/* Prints how many nodes of the tree are not shown. */
static void print_rest(FILE *out, const struct printed *printed)
{
    size_t all = 0, shown = view_top(printed->view, printed->count);
    for (size_t i = 1; i < printed->tree.count; i++)
        all += printed->weights[i] > 0;
    if (all == shown)
        return;
    BUF_OWN char *number = text_commas((double)(all - shown), 0);
    if (shown < printed->count)
        fprintf(out, "%s more: -top\n", number);
    else
        fprintf(out, "%s more with less than %g %%: -thresh\n", number,
                least_of(printed->view));
}

static void print_tree(FILE *out, const struct view *view)
{
    struct printed printed = {.view = view};
    calltree_of_paths(&printed.tree, view->rows);
    printed.weights = tree_totals(&printed.tree);
    find_lines(&printed);
    print_lines(out, &printed);
    print_rest(out, &printed);
    view_tree_notes(out, view, &printed.tree);
    free(printed.weights);
    free(printed.lines);
    tree_free(&printed.tree);
}

const struct views_entry treeview_entry = {
    .name = "tree",
    .topic = TOPIC_CALLS,
    .use = 5,
    .help = "print the calls as a tree, callers first",
    .details =
        "Each function, inlined ones included, is indented below its caller and has\n"
        "the values measured on this path. Paths with less than 1 % are left out;\n"
        "-thresh changes this. A recursion, direct or through other functions, is\n"
        "one line.",
    .kind = OUTPUTS_CALLS,
    .facts = VIEWS_CALLS,
    .check = view_check_stacks,
    .timed = true,
    .print = print_tree,
};
