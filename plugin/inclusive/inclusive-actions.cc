// SPDX-License-Identifier: GPL-3.0-or-later
// Finds what is to be done so that what is planned is entered at each point.  What is
// added in a basic block while nobody can look is added in one.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/options.h"
#include "plugin/inclusive/inclusive-inside.h"

namespace
{
struct walk {
    struct inclusive_actions *out;
    struct inclusive_block *blocks;
    struct inclusive_list *state;
    unsigned first; // of the additions that are not in a sum yet
};
} // namespace

static void push(struct walk *walk, enum inclusive_action_kind kind, gimple *statement,
                 struct inclusive_list *to)
{
    walk->out->actions.safe_push(
        {kind, statement, NULL, walk->state, to, 0, 0, -1, NULL, false, false});
    walk->state = to;
}

static void end_sum(struct walk *walk)
{
    unsigned end = walk->out->additions.length();

    if (end == walk->first)
        return;
    struct inclusive_action sum = {
        INCLUSIVE_SUM,     NULL, NULL,        walk->state, walk->state, walk->first,
        end - walk->first, -1,   walk->state, false,       false};
    for (unsigned i = walk->first; i < end && sum.counter < 0; i++)
        if (inclusive_fits_counter(&walk->out->additions[i]))
            sum.counter = walk->out->counters++;
    walk->out->actions.safe_push(sum);
    walk->first = end;
}

static void move_to(struct walk *walk, gimple *statement, struct inclusive_list *to)
{
    end_sum(walk);
    if (walk->state != to)
        push(walk, INCLUSIVE_MOVE, statement, to);
}

static void add(struct walk *walk, const struct inclusive_point *point)
{
    struct inclusive_list *to = inclusive_list_common(walk->state, point->list);
    struct inclusive_addition addition = {
        point->statement, inclusive_stored_counter(point->statement), point->list};

    if (to != walk->state)
        move_to(walk, point->statement, to);
    if (!inclusive_is_constant(&addition))
        end_sum(walk);
    walk->out->additions.safe_push(addition);
    if (!inclusive_is_constant(&addition))
        end_sum(walk);
}

// Two moves, so that a function that is left and entered again is told twice.
static void enter_called(struct walk *walk, const struct inclusive_point *point)
{
    move_to(walk, point->statement, inclusive_list_common(walk->state, point->list));
    move_to(walk, point->statement, inclusive_list_within(walk->state, point->function));
    struct inclusive_point counted = {INCLUSIVE_ADD, point->statement, walk->state, NULL};
    add(walk, &counted);
}

// What is entered at the start of all blocks that may come next, or less; where
// something else may happen, what is, and in a trace, where nothing is entered again.
static struct inclusive_list *common_behind(const struct walk *walk, basic_block bb)
{
    struct inclusive_list *all = walk->state;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->succs)
        if (options.trace || e->flags & (EDGE_EH | EDGE_ABNORMAL))
            return walk->state;
        else if (e->dest != EXIT_BLOCK_PTR_FOR_FN(cfun))
            all = inclusive_list_common(all, walk->blocks[e->dest->index].start);
    return all;
}

// Behind a call: what is left next is left at once.
static void pass_call(struct walk *walk, basic_block bb, unsigned i)
{
    const auto_vec<inclusive_point> &points = walk->blocks[bb->index].points;

    walk->state = inclusive_list_common(walk->state, points[i].list);
    struct inclusive_list *to =
        i + 1 < points.length() ? inclusive_list_common(walk->state, points[i + 1].list)
                                : common_behind(walk, bb);

    push(walk, to == walk->state ? INCLUSIVE_CHECK : INCLUSIVE_LEAVE, points[i].statement,
         to);
}

static void walk_block(struct walk *walk, basic_block bb)
{
    const struct inclusive_block *block = &walk->blocks[bb->index];

    walk->state = block->start;
    if (block->cuts)
        walk->out->actions.safe_push({INCLUSIVE_LAND, NULL, bb, walk->state, walk->state,
                                      0, 0, -1, NULL, false, false});
    for (unsigned i = 0; i < block->points.length(); i++) {
        const struct inclusive_point *point = &block->points[i];
        if (point->kind == INCLUSIVE_ADD)
            add(walk, point);
        else if (point->kind == INCLUSIVE_EXACT)
            move_to(walk, point->statement, point->list);
        else if (point->kind == INCLUSIVE_NO_MORE)
            move_to(walk, point->statement,
                    inclusive_list_common(walk->state, point->list));
        else if (point->kind == INCLUSIVE_CALLED)
            enter_called(walk, point);
        else
            pass_call(walk, bb, i);
    }
    end_sum(walk);
}

static void find_edges(struct walk *walk, basic_block bb)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->succs) {
        if (e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun) ||
            e->flags & (EDGE_EH | EDGE_ABNORMAL))
            continue;
        struct inclusive_list *to = walk->blocks[e->dest->index].start;
        if (to != walk->state)
            walk->out->edges.safe_push({e,
                                        {INCLUSIVE_MOVE, NULL, NULL, walk->state, to, 0,
                                         0, -1, NULL, false, false}});
    }
}

// All of them start with the same.
static void find_jump(struct walk *walk, basic_block bb)
{
    gimple *last = compat_last_stmt(bb);
    edge e;
    edge_iterator ei;

    if (!last || !computed_goto_p(last))
        return;
    FOR_EACH_EDGE (e, ei, bb->succs)
        if (walk->blocks[e->dest->index].is_target)
            move_to(walk, last, walk->blocks[e->dest->index].start);
}

void inclusive_find_actions(struct inclusive_actions *actions,
                            struct inclusive_block *blocks)
{
    struct walk walk = {actions, blocks, NULL, 0};
    basic_block first = single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun)), bb;

    // Behind what a frame loads.
    if (struct inclusive_list *entered = blocks[first->index].start)
        actions->edges.safe_push(
            {single_succ_edge(first),
             {INCLUSIVE_MOVE, NULL, NULL, NULL, entered, 0, 0, -1, NULL, false, false}});
    FOR_EACH_BB_FN (bb, cfun) {
        walk_block(&walk, bb);
        find_jump(&walk, bb);
        find_edges(&walk, bb);
    }
}
