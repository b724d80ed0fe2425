/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/breakdown.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

static uint32_t put_node(struct breakdown *breakdown, uint32_t parent, uint32_t function)
{
    bool fresh;
    uint32_t number = index_put(&breakdown->index, parent, function, 0, &fresh);
    if (!fresh)
        return number;
    breakdown->nodes = buf_grow(breakdown->nodes, &breakdown->node_capacity,
                                breakdown->node_count + 1, sizeof *breakdown->nodes);
    breakdown->nodes[breakdown->node_count++] = (struct breakdown_node){parent, function};
    return number;
}

/* By row of ROWS, the number of its function in SIDE, or BREAKDOWN_NONE for a branch;
   to be freed.  */
static uint32_t *number_rows(struct side *side, const struct rows *rows)
{
    uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < rows->count; i++)
        numbers[i] = rows->rows[i].branch
                         ? BREAKDOWN_NONE
                         : side_put(side, &rows->rows[i].source, rows->rows[i].shown);
    return numbers;
}

/* By node of the stacks of ROWS, its node in the tree, or BREAKDOWN_NONE if it has no
   weight; to be freed.  */
static uint32_t *place_nodes(struct breakdown *breakdown, struct side *side,
                             const struct rows *rows)
{
    const struct stacks *stacks = &rows->stacks;
    uint32_t *numbers = number_rows(side, rows);
    uint32_t *places = buf_alloc((stacks->node_count + 1) * sizeof *places);
    uint32_t root = put_node(breakdown, BREAKDOWN_NONE, BREAKDOWN_NONE);
    for (uint32_t i = 0; i < stacks->node_count; i++) {
        const struct stacks_node *node = &stacks->nodes[i];
        uint32_t source = stacks_source_of(stacks, i);
        uint32_t row =
            source < rows->source_count ? rows->of_source[source] : STACKS_NONE;
        uint32_t around = node->parent == STACKS_NONE ? root : places[node->parent];
        places[i] = !node->weight
                        ? BREAKDOWN_NONE
                        : put_node(breakdown, around,
                                   row == STACKS_NONE ? BREAKDOWN_NONE : numbers[row]);
    }
    free(numbers);
    return places;
}

/* Adds the ranges of the nodes of the run that was added last, PLACES being by node of its
   stacks.  On the root are all.  */
static void add_ranges(struct breakdown *breakdown, const struct evaluate_result *result,
                       const uint32_t *places)
{
    struct side *side = &breakdown->stacks;
    size_t count = breakdown->node_count;
    struct values values;
    uint32_t *numbers = buf_alloc((count + 1) * sizeof *numbers);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = i;
    values_find(&values, &result->rows.stacks, &result->profile->heap, places, count);
    side_add_ranges(side, &(struct side_estimates){&values, numbers});
    struct side_ranges *ranges = &side->runs[side->run_count - 1].ranges;
    ranges->by_function[put_node(breakdown, BREAKDOWN_NONE, BREAKDOWN_NONE)].stack =
        ranges->all.stack;
    values_free(&values);
    free(numbers);
}

void breakdown_add(struct breakdown *breakdown, struct side *side,
                   const struct evaluate_result *result)
{
    const struct stacks *stacks = &result->rows.stacks;
    side_add_places(&breakdown->lines, result, &result->groups[ROWS_LINES]);
    side_add_places(&breakdown->expressions, result, &result->groups[ROWS_EXPRESSIONS]);
    uint32_t *places = place_nodes(breakdown, side, &result->rows);
    size_t count = breakdown->node_count;
    struct side_values *values = buf_alloc((count + 1) * sizeof *values);
    for (uint32_t i = 0; i < stacks->node_count; i++)
        if (places[i] != BREAKDOWN_NONE)
            values[places[i]].of[SIDE_TIME] += stacks->nodes[i].count;
    for (size_t i = count; i-- > 0;) {
        uint32_t parent = breakdown->nodes[i].parent;
        values[i].of[SIDE_STACK] += values[i].of[SIDE_TIME];
        if (parent != BREAKDOWN_NONE)
            values[parent].of[SIDE_STACK] += values[i].of[SIDE_STACK];
    }
    breakdown->stacks.of_stacks = true;
    side_add_values(&breakdown->stacks, result, values, count);
    if (side_is_estimated(side))
        add_ranges(breakdown, result, places);
    free(places);
}

void breakdown_free(struct breakdown *breakdown)
{
    side_free(&breakdown->lines);
    side_free(&breakdown->expressions);
    side_free(&breakdown->stacks);
    free(breakdown->nodes);
    index_free(&breakdown->index);
    memset(breakdown, 0, sizeof *breakdown);
}

/* The share, 0 to 1, that a node has of all runs together.  */
static double share_of(const struct side *stacks, uint32_t node)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < stacks->run_count; i++) {
        sum += (double)side_value(&stacks->runs[i], node, SIDE_STACK);
        total += (double)stacks->runs[i].totals[SIDE_STACK];
    }
    return total > 0 ? sum / total : 0;
}

/* Adds a side's nodes to the joined ones.  */
static void join_side(struct breakdown_tree *tree, struct breakdown *joined,
                      const struct breakdown *of, size_t side, const struct match *match)
{
    size_t count;
    uint32_t *rows = match_rows(match, side, &count);
    uint32_t *places = buf_alloc((of->node_count + 1) * sizeof *places);
    for (uint32_t i = 0; i < of->node_count; i++) {
        const struct breakdown_node *node = &of->nodes[i];
        uint32_t around =
            node->parent == BREAKDOWN_NONE ? BREAKDOWN_NONE : places[node->parent];
        uint32_t row = node->function < count ? rows[node->function] : BREAKDOWN_NONE;
        places[i] = put_node(joined, around, row);
        uint32_t *cells = &tree->match.functions[2 * (size_t)places[i]];
        if (places[i] >= tree->match.count) {
            cells[0] = cells[1] = MATCH_NONE;
            tree->match.count = (size_t)places[i] + 1;
        }
        cells[side] = i;
    }
    free(places);
    free(rows);
}

/* Drops nodes with a share of less than LEAST on both sides, and with them all nodes
   below, which have no more.  */
static void drop_small(struct breakdown_tree *tree,
                       const struct breakdown *const sides[2], double least)
{
    uint32_t *places = buf_alloc((tree->match.count + 1) * sizeof *places);
    uint32_t kept = 0;
    for (size_t i = 0; i < tree->match.count; i++) {
        uint32_t *cells = &tree->match.functions[2 * i];
        bool any = false;
        for (size_t s = 0; s < 2; s++)
            any |=
                cells[s] != MATCH_NONE && share_of(&sides[s]->stacks, cells[s]) >= least;
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
    free(places);
}

void breakdown_join(struct breakdown_tree *tree, const struct breakdown *const sides[2],
                    const struct match *match, double least)
{
    struct breakdown joined = {0};
    size_t most = sides[0]->node_count + sides[1]->node_count;
    *tree = (struct breakdown_tree){.match = {.sides = 2}};
    tree->match.functions = buf_alloc((2 * most + 2) * sizeof *tree->match.functions);
    for (size_t s = 0; s < 2; s++)
        join_side(tree, &joined, sides[s], s, match);
    tree->nodes = joined.nodes;
    index_free(&joined.index);
    drop_small(tree, sides, least);
}

void breakdown_tree_free(struct breakdown_tree *tree)
{
    free(tree->nodes);
    match_free(&tree->match);
}
