// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/scopes.h"
#include "plugin/watch/copies.h"
#include "plugin/watch/open.h"
#include "plugin/watch/returned.h"
#include "plugin/watch/wanted.h"

static bool is_tail(const gimple *stmt)
{
    const gcall *call = dyn_cast<const gcall *>(stmt);
    return call && (gimple_call_tail_p(call) || gimple_call_must_tail_p(call));
}

// No code can be put on the edges of a jump to an address: all its targets start with the
// same.
static tree open_at_jump(const gimple *jump, tree state, const struct open_block *blocks)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, gimple_bb(jump)->succs)
        if (blocks && blocks[e->dest->index].reached)
            state = copies_common(state, blocks[e->dest->index].start);
    return state;
}

static tree open_at_marker(const gimple *marker, tree state)
{
    tree scope = scopes_of_block(gimple_block(marker));

    if (!scope || scope == scopes_root())
        return scope && markers_kind_of(marker) == MARKERS_RESUME
                   ? copies_common(state, copies_watched(scope))
                   : state;
    if (markers_kind_of(marker) == MARKERS_ENTER && copies_watched(scope) == scope)
        return scope;
    if (markers_kind_of(marker) == MARKERS_LEAVE)
        scope = scopes_parent(scope);
    return copies_common(state, copies_watched(scope));
}

static bool is_early; // what open_find was told

bool open_is_lost(tree watched, tree state)
{
    if (copies_is_in_part(watched))
        return false;
    for (; watched != state; watched = copies_around(watched))
        if (!watched || copies_is_entered(watched))
            return false;
    return true;
}

// Copies are over that have lost their Leaves, if a statement in WATCHED follows.
static tree without_lost(tree state, tree watched)
{
    tree common = copies_common(state, watched);

    while (state != common && !copies_is_left(state))
        state = copies_around(state);
    return state;
}

// Of a copy all of whose Enters or Leaves are lost the statements tell.
static tree open_by_rest(tree scope, tree state)
{
    tree watched = copies_watched(scope);

    state = without_lost(state, watched);
    return open_is_lost(watched, state) ? watched : state;
}

// What is behind the copy's Leave as it was put there.
static bool is_returned(gimple *stmt)
{
    return gimple_bb(stmt) && returned_is(gsi_for_stmt(stmt));
}

// Without markers nothing is moved (-O0).
static tree open_by_scope(gimple *stmt, tree state)
{
    tree scope = copies_scope_of(stmt);

    if (markers_can_watch())
        return scope && is_early && !is_returned(stmt) ? open_by_rest(scope, state)
                                                       : state;
    return scope && (state || !copies_has_root()) ? copies_watched(scope) : state;
}

tree open_at(gimple *stmt, tree state, const struct open_block *blocks)
{
    if (markers_kind_of(stmt))
        return open_at_marker(stmt, state);
    state = open_by_scope(stmt, state);
    if (gimple_code(stmt) == GIMPLE_RETURN || is_tail(stmt))
        return NULL_TREE;
    return computed_goto_p(stmt) ? open_at_jump(stmt, state, blocks) : state;
}

static bool is_computed_goto(basic_block bb)
{
    gimple *last = compat_last_stmt(bb);
    return last && computed_goto_p(last);
}

static tree root_state(void)
{
    return copies_has_root() ? scopes_root() : NULL_TREE;
}

// A jump that GCC does not see, of longjmp or out of a function inside this one.
static bool is_from_elsewhere(edge e)
{
    return e->flags & EDGE_ABNORMAL && !(e->flags & EDGE_EH) && !is_computed_goto(e->src);
}

static bool has_other_edge(basic_block bb)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds)
        if (!is_from_elsewhere(e))
            return true;
    return false;
}

// What arrives by the edge, if that is known.  A jump from elsewhere finds the function
// entered.
static bool arrives(edge e, const struct open_block *blocks, tree *state)
{
    if (e->src == ENTRY_BLOCK_PTR_FOR_FN(cfun)) {
        *state = root_state();
        return true;
    }
    if (is_from_elsewhere(e)) {
        *state = root_state();
        return !has_other_edge(e->dest);
    }
    *state = blocks[e->src->index].end;
    return blocks[e->src->index].reached;
}

// A copy that is wanted is entered on the way, but not behind a tail call.
static tree start_with(tree common, tree wanted)
{
    bool is_over = copies_has_root() && !common;
    return wanted && !is_over && copies_common(common, wanted) == common ? wanted
                                                                         : common;
}

static bool update(basic_block bb, struct open_block *blocks, const tree *wanted)
{
    struct open_block *block = &blocks[bb->index], before = *block;
    tree common = NULL_TREE;
    bool reached = false;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds) {
        tree state;
        if (!arrives(e, blocks, &state))
            continue;
        common = reached ? copies_common(common, state) : state;
        reached = true;
    }
    if (!reached)
        return false;
    tree first = is_early ? copies_first_scope(bb) : NULL_TREE;
    if (first)
        common = without_lost(common, copies_watched(first));
    common = start_with(common, wanted[bb->index]);
    block->start = before.reached ? copies_common(before.start, common) : common;
    block->reached = true;
    tree state = block->start;
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
        state = open_at(gsi_stmt(gsi), state, blocks);
    block->end = state;
    return !before.reached || before.start != block->start || before.end != block->end;
}

struct open_block *open_find(bool early)
{
    is_early = early;
    struct open_block *blocks =
        XCNEWVEC(struct open_block, last_basic_block_for_fn(cfun));
    int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
    int count = pre_and_rev_post_order_compute_fn(cfun, NULL, order, false);
    bool changed = true;

    tree *wanted = early ? wanted_find() : XCNEWVEC(tree, last_basic_block_for_fn(cfun));
    while (changed) {
        changed = false;
        for (int i = 0; i < count; i++)
            changed |= update(BASIC_BLOCK_FOR_FN(cfun, order[i]), blocks, wanted);
    }
    free(wanted);
    free(order);
    return blocks;
}
