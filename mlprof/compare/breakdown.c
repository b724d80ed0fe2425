/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores the values of lines and expressions, and those of stacks as nodes of a tree that
   all runs of a side share. breakdown_join merges the trees of two sides for the page. */

#include "mlprof/compare/breakdown.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

/* Stacks with a smaller share on both sides are omitted. */
#define LEAST_STACK 0.001

/* Returns the number of a node. Adds the node if it is missing. */
static uint32_t put_node(struct breakdown *breakdown, struct breakdown_node node)
{
    bool fresh;
    uint32_t number = index_put(&breakdown->index, node.parent, node.function, 0, &fresh);
    if (!fresh)
        return number;
    BUF_PUSH(breakdown->nodes) = node;
    return number;
}

/* Returns for each row of ROWS the number of its function in SIDE, or BREAKDOWN_NONE
   for a branch. The caller frees the array. */
static uint32_t *number_rows(struct runset *side, const struct rows *rows)
{
    uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < rows->count; i++)
        numbers[i] = rows->rows[i].branch
                         ? BREAKDOWN_NONE
                         : runset_put(side, &rows->rows[i].source, rows->rows[i].shown);
    return numbers;
}

/* Adds the stacks of ROWS below ROOT. NUMBERS has the numbers of the functions of ROWS.
   Returns, for each node of the stacks of ROWS, its node in BREAKDOWN, or
   BREAKDOWN_NONE if it has no weight. The caller frees the array. */
static uint32_t *put_stacks(struct breakdown *breakdown, uint32_t root,
                            const struct rows *rows, const uint32_t *numbers)
{
    const struct stacks *stacks = &rows->stacks;
    uint32_t *places = buf_alloc((stacks->nodes.count + 1) * sizeof *places);
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        const struct stacks_node *node = &stacks->nodes.list[i];
        uint32_t source = stacks_source_of(stacks, i);
        uint32_t row =
            source < rows->source_count ? rows->of_source[source] : STACKS_NONE;
        uint32_t parent = node->parent == STACKS_NONE ? root : places[node->parent];
        uint32_t function = row == STACKS_NONE ? BREAKDOWN_NONE : numbers[row];
        places[i] = node->weight
                        ? put_node(breakdown, (struct breakdown_node){parent, function})
                        : BREAKDOWN_NONE;
    }
    return places;
}

/* Adds a run of REPORT with two columns by node: the values of the stacks, and the
   values including all stacks below. PLACES has the node of each stack of REPORT. */
static void add_run(struct breakdown *breakdown, const struct report *report,
                    const uint32_t *places)
{
    const struct stacks *stacks = &report->rows.stacks;
    struct runset_run *run =
        runset_add_run(&breakdown->stacks, report, breakdown->nodes.count);
    runset_add_column(run, (struct runset_measure){run->main, RUNSET_OWN});
    runset_add_column(run, (struct runset_measure){run->main, RUNSET_STACK})->total =
        report->rows.total;
    uint64_t *self = run->columns[0].values, *stack = run->columns[1].values;
    for (uint32_t i = 0; i < stacks->nodes.count; i++)
        if (places[i] != BREAKDOWN_NONE)
            self[places[i]] += stacks->nodes.list[i].count;
    for (size_t i = run->count; i-- > 0;) {
        uint32_t parent = breakdown->nodes.list[i].parent;
        stack[i] += self[i];
        if (parent != BREAKDOWN_NONE)
            stack[parent] += stack[i];
    }
    breakdown->stacks.of_stacks = true;
}

/* Adds the confidence intervals of the last run, whose heap values are estimates. PLACES
   as for add_run. */
static void add_ranges(struct breakdown *breakdown, const struct report *report,
                       const uint32_t *places)
{
    struct measured *measured = measured_new(NULL, NULL, breakdown->nodes.count);
    amounts_find(measured, &report->rows.stacks, &report->profile->heap, places);
    measured_stand_alone(measured);
    for (size_t i = breakdown->nodes.count; i-- > 0;)
        if (breakdown->nodes.list[i].parent != BREAKDOWN_NONE)
            measured_add_called(measured, breakdown->nodes.list[i].parent, (uint32_t)i);
    runset_add_ranges(&breakdown->stacks, measured, NULL);
    measured_free(measured);
}

void breakdown_add(struct breakdown *breakdown, struct runset *side,
                   struct report *report)
{
    runset_add_places(&breakdown->lines, report, report_rows(report, ROWS_LINES));
    runset_add_places(&breakdown->expressions, report,
                      report_rows(report, ROWS_EXPRESSIONS));
    uint32_t root =
        put_node(breakdown, (struct breakdown_node){BREAKDOWN_NONE, BREAKDOWN_NONE});
    BUF_OWN uint32_t *numbers = number_rows(side, &report->rows);
    BUF_OWN uint32_t *places = put_stacks(breakdown, root, &report->rows, numbers);
    add_run(breakdown, report, places);
    if (runset_is_estimated(side))
        add_ranges(breakdown, report, places);
}

void breakdown_free(struct breakdown *breakdown)
{
    runset_free(&breakdown->lines);
    runset_free(&breakdown->expressions);
    runset_free(&breakdown->stacks);
    free(breakdown->nodes.list);
    index_free(&breakdown->index);
    memset(breakdown, 0, sizeof *breakdown);
}

/* Adds the nodes of a side to JOINED. */
static void join_side(struct breakdown_tree *tree, struct breakdown *joined,
                      const struct breakdown *breakdown, size_t side,
                      const struct match *match)
{
    size_t count;
    BUF_OWN uint32_t *rows = match_rows(match, side, &count);
    BUF_OWN uint32_t *places = buf_alloc((breakdown->nodes.count + 1) * sizeof *places);
    for (uint32_t i = 0; i < breakdown->nodes.count; i++) {
        const struct breakdown_node *node = &breakdown->nodes.list[i];
        uint32_t parent =
            node->parent == BREAKDOWN_NONE ? BREAKDOWN_NONE : places[node->parent];
        uint32_t row = node->function < count ? rows[node->function] : BREAKDOWN_NONE;
        places[i] = put_node(joined, (struct breakdown_node){parent, row});
        uint32_t *cells = &tree->match.functions[2 * (size_t)places[i]];
        if (places[i] >= tree->match.count) {
            cells[0] = cells[1] = MATCH_NONE;
            tree->match.count = (size_t)places[i] + 1;
        }
        cells[side] = i;
    }
}

/* Removes nodes with a share of less than LEAST_STACK on both sides. All nodes below have
   no greater share, so they are removed, too. */
static void drop_small(struct breakdown_tree *tree,
                       const struct breakdown *const sides[2])
{
    BUF_OWN uint32_t *places = buf_alloc((tree->match.count + 1) * sizeof *places);
    const struct runset_measure measures[] = {
        {sides[0]->stacks.runs.list[0].main, RUNSET_STACK},
        {sides[1]->stacks.runs.list[0].main, RUNSET_STACK}};
    uint32_t kept = 0;
    for (size_t i = 0; i < tree->match.count; i++) {
        uint32_t *cells = &tree->match.functions[2 * i];
        bool any = false;
        for (size_t s = 0; s < 2; s++)
            any |= cells[s] != MATCH_NONE &&
                   runset_share(&sides[s]->stacks, cells[s], measures[s]) >= LEAST_STACK;
        places[i] = any ? kept : BREAKDOWN_NONE;
        if (!any)
            continue;
        struct breakdown_node node = tree->nodes[i];
        if (node.parent != BREAKDOWN_NONE)
            node.parent = places[node.parent];
        tree->nodes[kept] = node;
        memmove(&tree->match.functions[2 * (size_t)kept], cells, 2 * sizeof *cells);
        kept++;
    }
    tree->match.count = kept;
}

void breakdown_join(struct breakdown_tree *tree, const struct breakdown *const sides[2],
                    const struct match *match)
{
    struct breakdown joined = {0};
    size_t most = sides[0]->nodes.count + sides[1]->nodes.count;
    *tree = (struct breakdown_tree){.match = {.sides = 2}};
    tree->match.functions = buf_alloc((2 * most + 2) * sizeof *tree->match.functions);
    for (size_t s = 0; s < 2; s++)
        join_side(tree, &joined, sides[s], s, match);
    tree->nodes = joined.nodes.list;
    index_free(&joined.index);
    drop_small(tree, sides);
}

void breakdown_tree_free(struct breakdown_tree *tree)
{
    free(tree->nodes);
    match_free(&tree->match);
}
