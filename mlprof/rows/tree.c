/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges the frames of stacks into nodes by function, and walks the tree in order. */

#include "mlprof/rows/tree.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

uint32_t tree_add(struct tree *tree, uint32_t parent, uint32_t row)
{
    BUF_NEXT(tree->nodes, tree->count, tree->capacity) =
        (struct tree_node){.parent = parent, .row = row, .child = TREE_EMPTY};
    return (uint32_t)tree->count - 1;
}

static uint32_t put_node(struct tree *tree, uint32_t parent, uint32_t row)
{
    bool fresh;
    uint32_t number = index_put(&tree->index, parent, row, 0, &fresh);
    return fresh ? tree_add(tree, parent, row) : number;
}

void tree_begin(struct tree *tree)
{
    *tree = (struct tree){0};
    put_node(tree, STACKS_NONE, STACKS_NONE);
}

void tree_link(struct tree *tree)
{
    for (size_t i = tree->count; i-- > 1;) {
        struct tree_node *node = &tree->nodes[i], *parent = &tree->nodes[node->parent];
        node->sibling = parent->child;
        parent->child = (uint32_t)i;
    }
}

void tree_of_stacks(struct tree *tree, const struct rows *rows)
{
    const struct stacks *stacks = &rows->stacks;
    uint32_t *numbers = buf_alloc((stacks->nodes.count + 1) * sizeof *numbers);
    tree_begin(tree);
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        const struct stacks_node *node = &stacks->nodes.list[i];
        if (node->weight == 0)
            continue;
        uint32_t parent =
            node->parent == STACKS_NONE ? TREE_EMPTY : numbers[node->parent];
        if (stacks->merged >> stacks_what(stacks, i) & 1) {
            numbers[i] = parent;
            continue;
        }
        numbers[i] = put_node(tree, parent, rows_of_node(rows, i));
        tree->nodes[numbers[i]].count += node->count;
    }
    free(numbers);
    tree_link(tree);
}

/* Returns whether the frame represents calls that the runtime left out of the stack. */
static bool is_left_out(const struct stacks *stacks, uint32_t node)
{
    const char *name = stacks->sources.list[stacks_source_of(stacks, node)].name;
    return strcmp(name, STACKS_RECURSION) == 0 || strcmp(name, STACKS_DEEP) == 0;
}

/* Returns the stack PARENT followed by ROW. If ROW is already on the stack, returns
   the stack that ends with its first occurrence. */
static uint32_t put_path(struct tree *tree, uint32_t parent, uint32_t row)
{
    for (uint32_t node = parent; node != TREE_EMPTY; node = tree->nodes[node].parent)
        if (tree->nodes[node].row == row)
            return node;
    return put_node(tree, parent, row);
}

/* Updates the depths of the rows on the stack NODE. TIMES has, for each row, the
   number of its frames on the stack of the samples that are merged into NODE. */
static void note_depths(struct tree *tree, uint32_t node, const uint32_t *times,
                        bool deeper)
{
    for (; node != TREE_EMPTY; node = tree->nodes[node].parent) {
        struct tree_node *entry = &tree->nodes[node];
        entry->depth =
            entry->depth > times[entry->row] ? entry->depth : times[entry->row];
        entry->deeper |= deeper;
    }
}

void tree_of_paths(struct tree *tree, const struct rows *rows)
{
    const struct stacks *stacks = &rows->stacks;
    uint32_t *numbers = buf_alloc((stacks->nodes.count + 1) * sizeof *numbers);
    uint32_t *times = buf_alloc((rows->count + 1) * sizeof *times); /* by row */
    struct stacks_walk walk = {0};
    size_t left_out = 0;
    tree_begin(tree);
    while (stacks_walk_next(stacks, &walk)) {
        const struct stacks_node *frame = &stacks->nodes.list[walk.node];
        /* A function without measured values may have no row. */
        if (frame->weight == 0)
            continue;
        if (stacks->merged >> stacks_what(stacks, walk.node) & 1) {
            numbers[walk.node] =
                frame->parent == STACKS_NONE ? TREE_EMPTY : numbers[frame->parent];
            continue;
        }
        uint32_t row = rows_of_node(rows, walk.node);
        if (walk.leave) {
            left_out -= is_left_out(stacks, walk.node);
            times[row]--;
            continue;
        }
        left_out += is_left_out(stacks, walk.node);
        times[row]++;
        uint32_t parent =
            frame->parent == STACKS_NONE ? TREE_EMPTY : numbers[frame->parent];
        uint32_t number = put_path(tree, parent, row);
        numbers[walk.node] = number;
        tree->nodes[number].count += frame->count;
        if (frame->count)
            note_depths(tree, number, times, left_out > 0);
    }
    free(times);
    free(numbers);
    tree_link(tree);
}

void tree_of_functions(struct tree *tree, const struct rows *rows,
                       const struct measure *measure)
{
    tree_begin(tree);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->rows[i].branch)
            continue;
        uint32_t node = put_node(tree, TREE_EMPTY, i);
        tree->nodes[node].count = rows_amount(&rows->rows[i], measure, false);
    }
    tree_link(tree);
}

void tree_free(struct tree *tree)
{
    free(tree->nodes);
    free(tree->shares.list);
    index_free(&tree->index);
}

uint64_t *tree_weights(const struct tree *tree)
{
    uint64_t *weights = buf_alloc(tree->count * sizeof *weights);
    for (size_t i = tree->count; i-- > 0;) {
        weights[i] += tree->nodes[i].count;
        if (i != TREE_EMPTY)
            weights[tree->nodes[i].parent] += weights[i];
    }
    return weights;
}

uint64_t *tree_totals(const struct tree *tree)
{
    uint64_t *totals = tree_weights(tree);
    for (size_t i = 0; i < tree->shares.count; i++)
        totals[i] = tree->shares.list[i];
    return totals;
}

bool tree_walk_next(const struct tree *tree, struct tree_walk *walk)
{
    const struct tree_node *nodes = tree->nodes;
    if (nodes[walk->node].child != TREE_EMPTY) {
        walk->node = nodes[walk->node].child;
        walk->depth++;
        return true;
    }
    while (walk->node != TREE_EMPTY && nodes[walk->node].sibling == TREE_EMPTY) {
        walk->node = nodes[walk->node].parent;
        walk->depth--;
    }
    if (walk->node != TREE_EMPTY)
        walk->node = nodes[walk->node].sibling;
    return walk->node != TREE_EMPTY;
}
