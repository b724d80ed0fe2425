// SPDX-License-Identifier: GPL-3.0-or-later
// Plans what is entered at each point of a function, by data flow: any choice for the
// starts of the blocks is right, since code on the edges makes up for the differences. It
// enters as late as it can, but before a loop that will want it for certain, and leaves
// as late as it must.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/options.h"
#include "plugin/inclusive/inclusive-inside.h"

// Rounds after which what a block starts with only becomes less, so that there is an end.
#define ROUNDS 8

// Stands for what is not known yet.
#define UNKNOWN (&inclusive_list_any)

static bool is_deeper(struct inclusive_list *a, struct inclusive_list *b)
{
    return inclusive_list_depth(a) > inclusive_list_depth(b);
}

namespace
{
struct plan {
    struct inclusive_block *blocks;
    struct inclusive_list **wanted; // where a block starts, by all ways on
    struct inclusive_list *jumped;  // what all jumps to addresses have in common
    struct inclusive_list *entered; // where the function begins
    int *order, count;              // reverse post-order
};
} // namespace

static bool is_computed_goto(basic_block bb)
{
    gimple *last = compat_last_stmt(bb);
    return last && computed_goto_p(last);
}

static struct inclusive_list *wanted_behind(const struct plan *plan, basic_block bb)
{
    struct inclusive_list *wanted = UNKNOWN;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->succs)
        if (e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun))
            wanted = NULL;
        else if (!(e->flags & EDGE_EH))
            wanted = inclusive_list_common(wanted, plan->wanted[e->dest->index]);
    return wanted;
}

static struct inclusive_list *wanted_at(const struct plan *plan, basic_block bb)
{
    const struct inclusive_block *block = &plan->blocks[bb->index];
    struct inclusive_list *wanted = UNKNOWN;

    if (block->receives)
        return NULL;
    for (const struct inclusive_point &point : block->points) {
        wanted = inclusive_list_common(wanted, point.list);
        if (point.kind != INCLUSIVE_ADD)
            return wanted;
    }
    return inclusive_list_common(wanted, wanted_behind(plan, bb));
}

static void find_wanted(struct plan *plan)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (int i = plan->count; i-- > 0;) {
            basic_block bb = BASIC_BLOCK_FOR_FN(cfun, plan->order[i]);
            struct inclusive_list *wanted = wanted_at(plan, bb);
            changed |= wanted != plan->wanted[bb->index];
            plan->wanted[bb->index] = wanted;
        }
    }
    // Blocks that no return can be reached from, nor a call.
    for (int i = 0; i < plan->count; i++)
        if (plan->wanted[plan->order[i]] == UNKNOWN)
            plan->wanted[plan->order[i]] = NULL;
}

static struct inclusive_list *end_of(const struct plan *plan, basic_block bb)
{
    return bb == ENTRY_BLOCK_PTR_FOR_FN(cfun) ? plan->entered
                                              : plan->blocks[bb->index].end;
}

// What all that come in have, or more, if all that follows wants it and one has it.
static struct inclusive_list *start_by_edges(const struct plan *plan, basic_block bb)
{
    struct inclusive_list *all = UNKNOWN, *most = NULL;
    struct inclusive_list *wanted = plan->wanted[bb->index];
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds) {
        struct inclusive_list *end = end_of(plan, e->src);
        if (end == UNKNOWN)
            continue;
        all = inclusive_list_common(all, end);
        struct inclusive_list *useful = inclusive_list_common(wanted, end);
        if (is_deeper(useful, most))
            most = useful;
    }
    if (all == UNKNOWN)
        return all;
    return is_deeper(most, all) && !options.trace ? most : all;
}

// Of what was entered where the exceptions come from.
static struct inclusive_list *start_by_exceptions(const struct plan *plan, basic_block bb)
{
    struct inclusive_list *all = UNKNOWN;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds)
        all = inclusive_list_common(all, end_of(plan, e->src));
    return all;
}

static struct inclusive_list *start_of(const struct plan *plan, basic_block bb)
{
    const struct inclusive_block *block = &plan->blocks[bb->index];

    if (block->receives)
        return NULL;
    if (block->is_target)
        return plan->jumped;
    return block->lands ? start_by_exceptions(plan, bb) : start_by_edges(plan, bb);
}

// What is entered at the end of a block that starts with so much.
static struct inclusive_list *end_from(const struct inclusive_block *block,
                                       struct inclusive_list *list)
{
    for (const struct inclusive_point &point : block->points) {
        list = point.kind == INCLUSIVE_EXACT ? point.list
                                             : inclusive_list_common(list, point.list);
        if (point.kind == INCLUSIVE_CALLED)
            list = inclusive_list_within(list, point.function);
    }
    return list;
}

static bool find_jumped(struct plan *plan, bool only_less)
{
    struct inclusive_list *jumped = UNKNOWN, *before = plan->jumped;

    for (int i = 0; i < plan->count; i++) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, plan->order[i]);
        if (is_computed_goto(bb))
            jumped = inclusive_list_common(jumped, end_of(plan, bb));
    }
    plan->jumped = only_less ? inclusive_list_common(before, jumped) : jumped;
    return plan->jumped != before;
}

static bool find_states(struct plan *plan, bool only_less)
{
    bool changed = false;

    for (int i = 0; i < plan->count; i++) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, plan->order[i]);
        struct inclusive_block *block = &plan->blocks[bb->index];
        struct inclusive_list *start = start_of(plan, bb);
        if (only_less)
            start = inclusive_list_common(start, block->start);
        struct inclusive_list *end = end_from(block, start);
        changed |= start != block->start || end != block->end;
        block->start = start;
        block->end = end;
    }
    return find_jumped(plan, only_less) || changed;
}

void inclusive_plan(struct inclusive_block *blocks, struct inclusive_list *entered)
{
    int size = last_basic_block_for_fn(cfun);
    struct plan plan = {blocks,
                        XNEWVEC(struct inclusive_list *, size),
                        UNKNOWN,
                        entered,
                        XNEWVEC(int, size),
                        0};

    plan.count = pre_and_rev_post_order_compute_fn(cfun, NULL, plan.order, false);
    for (int i = 0; i < size; i++)
        plan.wanted[i] = blocks[i].start = blocks[i].end = UNKNOWN;
    find_wanted(&plan);
    for (int round = 0; find_states(&plan, round >= ROUNDS); round++)
        ;
    // What cannot be reached.
    for (int i = 0; i < size; i++) {
        if (blocks[i].start == UNKNOWN)
            blocks[i].start = NULL;
        if (blocks[i].end == UNKNOWN)
            blocks[i].end = end_from(&blocks[i], NULL);
    }
    free(plan.wanted);
    free(plan.order);
}
