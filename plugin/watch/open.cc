// SPDX-License-Identifier: GPL-3.0-or-later
// Finds which scopes with a stopwatch are open at each point (watch.h), although GCC may
// have dropped or moved markers.
//
// GCC drops markers that are alone in a block, and makes jumps that bypass them. Then a
// block begins with a statement of a copy, and the next marker on all paths from there is
// the copy's Leave. Or GCC moves markers into the next block, which may be the head of a
// loop in the copy. Then the copy is entered on the edges on which it is not open yet.
// find_lost_starts finds both.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/scopes.h"
#include "plugin/watch/watch.h"

static bool root_is_watched;           // the function itself has a stopwatch
static hash_set<tree> *entered, *left; // scopes with an Enter, with a Leave

static void find_markers(basic_block bb)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        enum markers_kind kind = markers_kind_of(stmt);
        tree scope = kind ? scopes_of_block(gimple_block(stmt)) : NULL_TREE;
        if (scope && kind == MARKERS_ENTER)
            entered->add(scope);
        if (scope && kind == MARKERS_LEAVE)
            left->add(scope);
    }
}

void copies_start(bool with_root)
{
    basic_block bb;

    root_is_watched = with_root;
    delete entered;
    delete left;
    entered = new hash_set<tree>;
    left = new hash_set<tree>;
    FOR_EACH_BB_FN (bb, cfun)
        find_markers(bb);
}

// Returns true if GCC has split the scope off the surrounding function and inlined it
// there again. The result looks like a recursive call, but has no Enter.
static bool is_split_part(tree scope)
{
    tree parent = scopes_parent(scope);
    return parent && scopes_function(parent) == scopes_function(scope) &&
           !entered->contains(scope);
}

// Returns true if the scope is in a part that GCC has split off its function. In this
// case the scope's Enter may be in the other part.
static bool is_in_split_part(tree scope)
{
    for (; scope && scope != scopes_root(); scope = scopes_parent(scope))
        if (is_split_part(scope))
            return true;
    return names_role(current_function_decl) != 0;
}

bool copies_is_left(tree watched)
{
    return left->contains(watched);
}

tree copies_watched(tree scope)
{
    for (; scope; scope = scopes_parent(scope)) {
        tree function = scopes_function(scope);
        if (scope == scopes_root()
                ? root_is_watched
                : function && filter_watches(function) && !is_split_part(scope))
            return scope;
    }
    return NULL_TREE;
}

tree copies_around(tree watched)
{
    return copies_watched(scopes_parent(watched));
}

tree copies_common(tree a, tree b)
{
    return copies_watched(scopes_common(a, b));
}

void copies_find(tree block, vec<tree> *copies)
{
    for (; block; block = BLOCK_CHAIN(block)) {
        if (inlined_function_outer_scope_p(block) && copies_watched(block) == block)
            copies->safe_push(block);
        copies_find(BLOCK_SUBBLOCKS(block), copies);
    }
}

bool copies_is_landing(const_edge e)
{
    return e->flags & (EDGE_EH | EDGE_ABNORMAL);
}

// Returns the scope of a statement that does something. Returns NULL_TREE for labels and
// clobbers (the ends of variables), because GCC moves them.
static tree scope_of(const gimple *stmt)
{
    return is_gimple_debug(stmt) || gimple_code(stmt) == GIMPLE_LABEL ||
                   gimple_clobber_p(stmt)
               ? NULL_TREE
               : scopes_of_block(gimple_block(stmt));
}

// Returns the scope of the first statement of the block that has one. Returns NULL_TREE
// if a marker is before it.
static tree first_scope(basic_block bb)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        if (markers_kind_of(stmt))
            return NULL_TREE;
        if (tree scope = scope_of(stmt))
            return scope;
    }
    return NULL_TREE;
}

// The next marker that concerns a scope.
enum next { NEXT_UNKNOWN, NEXT_LEAVE, NEXT_OTHER };

// Returns true if SCOPE is OUTER or inside it, or if OUTER is NULL_TREE.
static bool is_inside(tree scope, tree outer)
{
    if (!outer)
        return true;
    while (scope && scope != outer)
        scope = scopes_parent(scope);
    return scope;
}

// Returns NEXT_UNKNOWN if the marker does not concern the scope.
static enum next next_of_marker(const gimple *marker, tree scope)
{
    tree marked = scopes_of_block(gimple_block(marker));
    enum markers_kind kind = markers_kind_of(marker);

    if (!marked || (marked != scope && is_inside(marked, scope)))
        return NEXT_UNKNOWN;
    if (kind == MARKERS_LEAVE && marked == scope)
        return NEXT_LEAVE;
    return kind == MARKERS_RESUME && marked == scope ? NEXT_UNKNOWN : NEXT_OTHER;
}

static enum next next_in_block(basic_block bb, tree scope)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        enum next next =
            markers_kind_of(stmt) ? next_of_marker(stmt, scope) : NEXT_UNKNOWN;
        if (next != NEXT_UNKNOWN)
            return next;
    }
    return NEXT_UNKNOWN;
}

// Returns true if on all paths from BB the scope's next marker is its Leave, not counting
// paths of exceptions.
static bool leads_to_leave(basic_block bb, tree scope)
{
    auto_vec<basic_block> todo;
    auto_sbitmap seen(last_basic_block_for_fn(cfun));
    bool found = false;

    bitmap_clear(seen);
    todo.safe_push(bb);
    while (!todo.is_empty()) {
        edge e;
        edge_iterator ei;
        bb = todo.pop();
        if (bb == EXIT_BLOCK_PTR_FOR_FN(cfun))
            return false;
        if (!bitmap_set_bit(seen, bb->index))
            continue;
        enum next next = next_in_block(bb, scope);
        if (next == NEXT_OTHER)
            return false;
        found |= next == NEXT_LEAVE;
        if (next == NEXT_UNKNOWN)
            FOR_EACH_EDGE (e, ei, bb->succs)
                if (!copies_is_landing(e))
                    todo.safe_push(e->dest);
    }
    return found;
}

static bool ends_in_block(basic_block bb, tree scope)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        tree left = markers_kind_of(stmt) == MARKERS_LEAVE
                        ? scopes_of_block(gimple_block(stmt))
                        : NULL_TREE;
        if (left && is_inside(scope, left))
            return true;
    }
    return false;
}

// Returns true if control can return from BB to BB without leaving the scope. In this
// case the loop is inside the copy.
static bool is_loop_of(basic_block bb, tree scope)
{
    auto_vec<basic_block> todo;
    auto_sbitmap seen(last_basic_block_for_fn(cfun));

    bitmap_clear(seen);
    todo.safe_push(bb);
    while (!todo.is_empty()) {
        edge e;
        edge_iterator ei;
        basic_block block = todo.pop();
        if (ends_in_block(block, scope))
            continue;
        FOR_EACH_EDGE (e, ei, block->succs) {
            if (e->dest == bb)
                return true;
            if (e->dest != EXIT_BLOCK_PTR_FOR_FN(cfun) &&
                bitmap_set_bit(seen, e->dest->index))
                todo.safe_push(e->dest);
        }
    }
    return false;
}

// Returns the innermost watched copy that the block enters before it does anything else,
// and that contains a loop starting at BB.
static tree first_entered(basic_block bb)
{
    tree entered = NULL_TREE;

    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        enum markers_kind kind = markers_kind_of(stmt);
        tree scope = kind ? scopes_of_block(gimple_block(stmt)) : NULL_TREE;
        if (kind == MARKERS_NONE ? scope_of(stmt) != NULL_TREE
                                 : kind != MARKERS_ENTER || !is_inside(scope, entered))
            break;
        if (!scope || copies_watched(scope) != scope)
            continue;
        if (!is_loop_of(bb, scope))
            break;
        entered = scope;
    }
    return entered;
}

static bool is_loop_header(basic_block bb)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds)
        if (e->flags & EDGE_DFS_BACK)
            return true;
    return false;
}

static bool has_landing(basic_block bb)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds)
        if (copies_is_landing(e))
            return true;
    return false;
}

// Returns for each basic block, by index, the innermost watched scope that must be open
// where the block begins; NULL_TREE if nothing is known. The caller frees the array.
static tree *find_lost_starts(void)
{
    tree *running = XCNEWVEC(tree, last_basic_block_for_fn(cfun));
    basic_block bb;

    mark_dfs_back_edges();
    FOR_EACH_BB_FN (bb, cfun) {
        tree scope = copies_watched(first_scope(bb));
        if (scope && scope != scopes_root() && !has_landing(bb) &&
            !is_in_split_part(scope) &&
            (!entered->contains(scope) || leads_to_leave(bb, scope)))
            running[bb->index] = scope;
        scope = is_loop_header(bb) && !has_landing(bb) ? first_entered(bb) : NULL_TREE;
        if (scope && scope != scopes_root())
            running[bb->index] = scope;
    }
    return running;
}

static bool is_tail(const gimple *stmt)
{
    const gcall *call = dyn_cast<const gcall *>(stmt);
    return call && (gimple_call_tail_p(call) || gimple_call_must_tail_p(call));
}

// Returns the state at the targets of a computed goto. No code can be inserted on its
// edges, so all targets must start with the same state.
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

static bool is_early; // open_find was called before the last inlining

bool open_is_lost(tree watched, tree state)
{
    if (is_in_split_part(watched))
        return false;
    for (; watched != state; watched = copies_around(watched))
        if (!watched || entered->contains(watched))
            return false;
    return true;
}

// Returns the state before a statement in WATCHED. An open copy has ended if it does not
// contain WATCHED and has lost its Leaves.
static tree end_lost_copies(tree state, tree watched)
{
    tree common = copies_common(state, watched);

    while (state != common && !copies_is_left(state))
        state = copies_around(state);
    return state;
}

// Returns the state at a statement in SCOPE, if copies may have lost all their Enters or
// Leaves.
static tree open_by_statement(tree scope, tree state)
{
    tree watched = copies_watched(scope);

    state = end_lost_copies(state, watched);
    return open_is_lost(watched, state) ? watched : state;
}

// Returns true if the statement stores the result of a copy after the copy's Leave
// (anchor.cc). Such a statement does not show that the copy is still open.
static bool is_returned(gimple *stmt)
{
    tree scope = scopes_of_block(gimple_block(stmt));

    if (!gimple_bb(stmt) || !scope || !gimple_assign_single_p(stmt))
        return false;
    gimple_stmt_iterator gsi = gsi_for_stmt(stmt);
    for (gsi_prev(&gsi); !gsi_end_p(gsi); gsi_prev(&gsi)) {
        const gimple *before = gsi_stmt(gsi);
        if (markers_kind_of(before) == MARKERS_LEAVE &&
            scopes_of_block(gimple_block(before)) == scope)
            return true;
        if (!is_gimple_debug(before) && scopes_of_block(gimple_block(before)) != scope)
            return false;
    }
    return false;
}

// Returns the state at a statement that is not a marker. Without markers, thus without
// optimisation, statements are not moved, and their scopes are the state.
static tree open_by_scope(gimple *stmt, tree state)
{
    tree scope = scope_of(stmt);

    if (markers_can_watch())
        return scope && is_early && !is_returned(stmt) ? open_by_statement(scope, state)
                                                       : state;
    return scope && (state || !root_is_watched) ? copies_watched(scope) : state;
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
    return root_is_watched ? scopes_root() : NULL_TREE;
}

// Returns true if the edge stands for a jump that GCC cannot see: longjmp, or a jump out
// of a nested function.
static bool is_unseen_jump(edge e)
{
    return e->flags & EDGE_ABNORMAL && !(e->flags & EDGE_EH) && !is_computed_goto(e->src);
}

static bool has_other_edge(basic_block bb)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds)
        if (!is_unseen_jump(e))
            return true;
    return false;
}

// Sets *STATE to the state on the edge, and returns true if this state is known. After a
// jump that GCC cannot see, only the function itself is open.
static bool state_on_edge(edge e, const struct open_block *blocks, tree *state)
{
    if (e->src == ENTRY_BLOCK_PTR_FOR_FN(cfun)) {
        *state = root_state();
        return true;
    }
    if (is_unseen_jump(e)) {
        *state = root_state();
        return !has_other_edge(e->dest);
    }
    *state = blocks[e->src->index].end;
    return blocks[e->src->index].reached;
}

// Returns the state at the start of a block. COMMON is the state from its edges. RUNNING
// is the copy that must be open, so it is entered on the edges, except after a tail call.
static tree state_at_start(tree common, tree running)
{
    bool is_over = root_is_watched && !common;
    return running && !is_over && copies_common(common, running) == common ? running
                                                                           : common;
}

static bool update_block(basic_block bb, struct open_block *blocks, const tree *running)
{
    struct open_block *block = &blocks[bb->index], before = *block;
    tree common = NULL_TREE;
    bool reached = false;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds) {
        tree state;
        if (!state_on_edge(e, blocks, &state))
            continue;
        common = reached ? copies_common(common, state) : state;
        reached = true;
    }
    if (!reached)
        return false;
    tree first = is_early ? first_scope(bb) : NULL_TREE;
    if (first)
        common = end_lost_copies(common, copies_watched(first));
    common = state_at_start(common, running[bb->index]);
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

    tree *running =
        early ? find_lost_starts() : XCNEWVEC(tree, last_basic_block_for_fn(cfun));
    while (changed) {
        changed = false;
        for (int i = 0; i < count; i++)
            changed |= update_block(BASIC_BLOCK_FOR_FN(cfun, order[i]), blocks, running);
    }
    free(running);
    free(order);
    return blocks;
}
