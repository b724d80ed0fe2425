// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/flow.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/names.h"

#define RESUME_INDEX "_Coro_resume_index"

// The location of the co_await or co_yield that continues in a block, indexed by the
// block's index. NULL if the function is not a coroutine.
static location_t *resumed;

// In a coroutine: the position of the code that GCC added, which is the end of the source
// function.
static location_t added;

static bool stores_index(gimple *statement)
{
    tree to =
        gimple_assign_single_p(statement) ? gimple_assign_lhs(statement) : NULL_TREE;
    tree name =
        to && TREE_CODE(to) == COMPONENT_REF ? DECL_NAME(TREE_OPERAND(to, 1)) : NULL_TREE;

    return name && !strcmp(IDENTIFIER_POINTER(name), RESUME_INDEX);
}

static bool suspends(basic_block bb)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
        if (stores_index(gsi_stmt(gsi)))
            return true;
    return false;
}

static bool is_on_line(location_t location, location_t of)
{
    return LOCATION_LINE(location) == LOCATION_LINE(of) &&
           !strcmp(LOCATION_FILE(location), LOCATION_FILE(of));
}

// Returns true if all code of the block is on the line of LOCATION or was added by GCC.
static bool has_only(basic_block bb, location_t location)
{
    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi);
         gsi_next_nondebug(&gsi)) {
        location_t at = gimple_location(gsi_stmt(gsi));
        if (!RESERVED_LOCATION_P(at) && !is_on_line(at, location) &&
            !outlined_is_added(at))
            return false;
    }
    return true;
}

// If all predecessors of BB continue the same expression and contain no other code,
// returns the location of this expression.
static location_t location_before(basic_block bb)
{
    location_t common = UNKNOWN_LOCATION;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds) {
        location_t before = resumed[e->src->index];
        if (!before || (common && before != common) || !has_only(e->src, before))
            return UNKNOWN_LOCATION;
        common = before;
    }
    return common;
}

static bool is_at(location_t location, location_t of)
{
    expanded_location a = expand_location(location), b = expand_location(of);

    return a.file && b.file && a.line == b.line && a.column == b.column &&
           !strcmp(a.file, b.file);
}

static location_t first_location(basic_block bb)
{
    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi);
         gsi_next_nondebug(&gsi))
        if (!RESERVED_LOCATION_P(gimple_location(gsi_stmt(gsi))))
            return gimple_location(gsi_stmt(gsi));
    return UNKNOWN_LOCATION;
}

// Notes the location of a `co_await' or `co_yield' for the two blocks in which it
// continues. These expressions test whether they are ready. If not, the coroutine stores
// where to resume, and returns. Both paths join where the result is fetched (GCC:
// cp/coroutines.cc, expand_one_await_expression).
static void add_resumed(basic_block suspended)
{
    edge e;
    edge_iterator ei;

    if (!single_pred_p(suspended) || !suspends(suspended))
        return;
    FOR_EACH_EDGE (e, ei, single_pred(suspended)->succs) {
        location_t location = first_location(e->dest);
        if (e->dest != suspended && location && !outlined_is_added(location))
            resumed[suspended->index] = resumed[e->dest->index] = location;
    }
}

static void find_resumed(void)
{
    basic_block bb;
    bool changed = true;

    resumed = (location_t *)memory_zeroed(last_basic_block_for_fn(cfun), sizeof *resumed);
    FOR_EACH_BB_FN (bb, cfun)
        add_resumed(bb);
    while (changed) {
        changed = false;
        FOR_EACH_BB_FN (bb, cfun)
            if (!resumed[bb->index] && (resumed[bb->index] = location_before(bb)))
                changed = true;
    }
}

void outlined_find(void)
{
    if (!names_is_coroutine(current_function_decl))
        return;
    added = first_location(ENTRY_BLOCK_PTR_FOR_FN(cfun)->next_bb);
    find_resumed();
}

void outlined_free(void)
{
    memory_free(resumed);
    resumed = NULL;
}

bool outlined_is(void)
{
    return resumed || names_is_construct(current_function_decl);
}

// Code that GCC added is at the start of the outlined code or on an earlier line. In a
// coroutine it may also be at the end of the source function.
bool outlined_is_added(location_t location)
{
    location_t start = DECL_SOURCE_LOCATION(current_function_decl);

    if (!outlined_is() || RESERVED_LOCATION_P(location))
        return false;
    return is_at(location, start) ||
           (LOCATION_LINE(location) < LOCATION_LINE(start) &&
            !strcmp(LOCATION_FILE(location), LOCATION_FILE(start))) ||
           (resumed && is_at(location, added));
}

location_t outlined_construct(const gimple *statement)
{
    const gcall *call = dyn_cast<const gcall *>(statement);

    for (unsigned i = 0; call && i < gimple_call_num_args(call); i++) {
        tree body = gimple_call_arg(call, i);
        body = TREE_CODE(body) == ADDR_EXPR ? TREE_OPERAND(body, 0) : body;
        if (TREE_CODE(body) == FUNCTION_DECL && names_is_construct(body))
            return DECL_SOURCE_LOCATION(body);
    }
    return UNKNOWN_LOCATION;
}

bool outlined_is_resumed(location_t location, basic_block bb)
{
    location_t resumed_at = resumed ? resumed[bb->index] : UNKNOWN_LOCATION;
    return resumed_at && is_on_line(location, resumed_at);
}
