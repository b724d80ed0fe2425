/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides what functions executed among their callers, from the outermost functions on.
 */

#include "mlprof/rows/calltree.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/groups.h"
#include "mlprof/base/statistics.h"

#include <stdlib.h>

/* What the function in row FROM executed in the one in row TO. */
struct arc {
    uint32_t from, to;
    uint64_t amount;
    bool divided; /* of a cycle (profile/called.h) */
};

struct division {
    const struct rows *rows;
    struct tree *tree;
    BUF_VECTOR(struct arc) arcs;
    struct groups by_caller;
    struct index index;   /* key: FROM, TO */
    uint64_t *self, *all; /* by row */
};

static void add_arc(struct division *division, uint32_t from, uint32_t to,
                    uint64_t amount, bool divided)
{
    bool fresh;
    if (from == STACKS_NONE || to == STACKS_NONE || from == to || !amount)
        return;
    uint32_t number = index_put(&division->index, from, to, 0, &fresh);
    if (fresh)
        BUF_PUSH(division->arcs) = (struct arc){.from = from, .to = to};
    struct arc *arc = &division->arcs.list[number];
    arc->amount = saturate_add(arc->amount, amount);
    arc->divided |= divided;
}

static void find_arcs(struct division *division)
{
    const struct rows *rows = division->rows;
    const struct stacks_node *nodes = rows->stacks.nodes.list;
    for (uint32_t i = 0; i < rows->stacks.nodes.count; i++) {
        if (!nodes[i].weight)
            continue;
        uint32_t row = rows_of_node(rows, i), parent = nodes[i].parent;
        division->self[row] += nodes[i].count;
        if (parent != STACKS_NONE)
            add_arc(division, rows_of_node(rows, parent), row, nodes[i].weight, false);
    }
    for (size_t i = 0; i < rows->called.calls.count; i++) {
        const struct rows_call *call = &rows->called.calls.list[i];
        if (call->callee != STACKS_NONE)
            add_arc(division, rows_of_source(rows, call->caller),
                    rows_of_source(rows, call->callee), call->part,
                    call->part != call->amount);
    }
    GROUPS_BY(&division->by_caller, rows->count, division->arcs.list, from,
              division->arcs.count);
    for (size_t i = 0; i < rows->count; i++) {
        uint64_t sum = division->self[i];
        for (size_t k = division->by_caller.first[i];
             k < division->by_caller.first[i + 1]; k++)
            sum = saturate_add(
                sum, division->arcs.list[division->by_caller.members[k]].amount);
        uint64_t total = rows_total(&rows->rows[i]);
        division->all[i] = sum > total ? sum : total;
    }
}

static void add_stack(struct division *division, uint32_t parent, uint32_t row,
                      uint64_t share, bool estimated)
{
    uint32_t node = tree_add(division->tree, parent, row);
    division->tree->nodes[node].estimated = estimated;
    BUF_PUSH(division->tree->shares) = share;
}

static bool is_on_stack(const struct tree *tree, uint32_t node, uint32_t row)
{
    for (; node != TREE_EMPTY; node = tree->nodes[node].parent)
        if (tree->nodes[node].row == row)
            return true;
    return false;
}

/* Divides the share of a stack into its own count and the shares of its callees, in
   proportion to what is known of the function. */
static void divide(struct division *division, uint32_t node)
{
    struct tree *tree = division->tree;
    uint32_t row = tree->nodes[node].row;
    uint64_t share = tree->shares.list[node], all = division->all[row],
             known = division->self[row];
    const size_t *members = division->by_caller.members,
                 first = division->by_caller.first[row],
                 last = division->by_caller.first[row + 1];
    bool small = share < division->rows->total / CALLTREE_LEAST,
         whole = share == all && !tree->nodes[node].estimated;
    if (share > all)
        share = all;
    for (size_t i = first; i < last; i++) {
        const struct arc *arc = &division->arcs.list[members[i]];
        if (!is_on_stack(tree, node, arc->to))
            known += arc->amount;
        else if (all > arc->amount)
            all -= arc->amount;
    }
    if (all < known)
        all = known;
    if (!all)
        return;
    tree->nodes[node].count_estimated =
        tree->nodes[node].estimated || (!whole && all != division->self[row]);
    uint64_t sum = small ? known : division->self[row],
             done = profile_called_share(share, sum, all);
    tree->nodes[node].count = done;
    for (size_t i = first; i < last && !small; i++) {
        const struct arc *arc = &division->arcs.list[members[i]];
        if (is_on_stack(tree, node, arc->to))
            continue;
        sum += arc->amount;
        uint64_t after = profile_called_share(share, sum, all);
        if (after > done)
            add_stack(division, node, arc->to, after - done, !whole || arc->divided);
        done = after;
    }
}

/* In cycles the counts of a function do not add up to its own amount: makes them do so. A
   function without stacks gets one. */
static void adjust(struct division *division)
{
    struct tree *tree = division->tree;
    size_t rows = division->rows->count;
    BUF_OWN uint64_t *sums = buf_alloc((rows + 1) * sizeof *sums),
                     *done = buf_alloc((rows + 1) * sizeof *done);
    for (size_t i = 1; i < tree->count; i++)
        sums[tree->nodes[i].row] += tree->nodes[i].count;
    for (size_t i = 1; i < tree->count; i++) {
        struct tree_node *node = &tree->nodes[i];
        uint64_t sum = sums[node->row], self = division->self[node->row];
        if (sum == self || !node->count)
            continue;
        uint64_t before = profile_called_share(self, done[node->row], sum);
        done[node->row] += node->count;
        node->count = profile_called_share(self, done[node->row], sum) - before;
        node->count_estimated |=
            self > sum ? self - sum > sum / 1000 : sum - self > sum / 1000;
    }
    for (uint32_t i = 0; i < rows; i++)
        if (division->self[i] && !sums[i]) {
            add_stack(division, TREE_EMPTY, i, division->self[i], true);
            tree->nodes[tree->count - 1].count = division->self[i];
        }
}

/* The shares of estimates become the sums of their counts. */
static void add_up(struct tree *tree)
{
    BUF_OWN uint64_t *weights = tree_weights(tree);
    for (size_t i = 1; i < tree->count; i++) {
        uint64_t most = tree->shares.list[tree->nodes[i].parent];
        if (tree->nodes[i].estimated)
            tree->shares.list[i] = weights[i] < most ? weights[i] : most;
    }
}

void calltree_of_calls(struct tree *tree, const struct rows *rows)
{
    const struct rows_called *called = &rows->called;
    BUF_OWN uint64_t *self = buf_alloc((rows->count + 1) * sizeof *self),
                     *all = buf_alloc((rows->count + 1) * sizeof *all),
                     *outside = buf_alloc((rows->count + 1) * sizeof *outside);
    struct division division = {.rows = rows, .tree = tree, .self = self, .all = all};
    tree_begin(tree);
    BUF_PUSH(tree->shares) = UINT64_MAX;
    find_arcs(&division);
    for (size_t i = 0; i < called->outside.count; i++) {
        uint32_t row = rows_of_source(rows, called->outside.list[i].source);
        if (row != STACKS_NONE)
            outside[row] = saturate_add(outside[row], called->outside.list[i].amount);
    }
    for (uint32_t i = 0; i < rows->count; i++)
        if (outside[i])
            add_stack(&division, TREE_EMPTY, i, outside[i], false);
    for (uint32_t node = 1; node < tree->count; node++)
        divide(&division, node);
    adjust(&division);
    add_up(tree);
    tree_link(tree);
    free(division.arcs.list);
    groups_free(&division.by_caller);
    index_free(&division.index);
}

void calltree_of_stacks(struct tree *tree, const struct rows *rows)
{
    if (rows->called.calls.count)
        calltree_of_calls(tree, rows);
    else
        tree_of_stacks(tree, rows);
}

void calltree_of_paths(struct tree *tree, const struct rows *rows)
{
    if (rows->called.calls.count)
        calltree_of_calls(tree, rows);
    else
        tree_of_paths(tree, rows);
}
