// SPDX-License-Identifier: GPL-3.0-or-later
// Short conditional code: minima, maxima, absolute values, choices of one of two values.
// The optimisers make code without a branch of it, which is much faster where the
// condition cannot be predicted, but not if a counter stands there.  What the condition
// says is added to the counter before it instead.

#include "plugin/gcc/compat.h"
#include "plugin/count/condense-inside.h"
#include "plugin/count/counter.h"

#define LONGEST 3 // statements of code that is tried without a branch

static bool is_plain(edge e)
{
    return !(e->flags & (EDGE_COMPLEX | EDGE_IGNORE));
}

// Whether it may be executed where it is not wanted, and costs next to nothing.
static bool is_cheap(const gimple *statement)
{
    return is_gimple_assign(statement) && !gimple_vuse(statement) &&
           !gimple_has_volatile_ops(statement) && !gimple_could_trap_p(statement);
}

static bool is_short(basic_block bb)
{
    unsigned count = 0;

    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi);
         gsi_next_nondebug(&gsi)) {
        const gimple *statement = gsi_stmt(gsi);
        if (counter_marked(statement))
            continue;
        if (!is_cheap(statement) || ++count > LONGEST)
            return false;
    }
    return true;
}

// Whether all that the edge leads to is a short block, behind which the ways meet.
static bool leads_to_arm(edge e)
{
    basic_block bb = e->dest;

    return single_pred_p(bb) && single_succ_p(bb) && is_plain(single_succ_edge(bb)) &&
           gimple_seq_empty_p(phi_nodes(bb)) && is_short(bb);
}

// Where the ways meet if that is soon.
static basic_block join(edge one, edge other)
{
    basic_block to = leads_to_arm(one) ? single_succ(one->dest) : one->dest;
    basic_block too = leads_to_arm(other) ? single_succ(other->dest) : other->dest;

    return to == too && to != EXIT_BLOCK_PTR_FOR_FN(cfun) ? to : NULL;
}

// Whether the block ends with a condition, which cannot throw an exception.
static bool ends_with_condition(basic_block bb)
{
    gimple_stmt_iterator last = gsi_last_nondebug_bb(bb);

    return !gsi_end_p(last) && gimple_code(gsi_stmt(last)) == GIMPLE_COND &&
           !stmt_could_throw_p(cfun, gsi_stmt(last));
}

static bool is_arm(edge e)
{
    basic_block bb = e->src;

    if (bb == ENTRY_BLOCK_PTR_FOR_FN(cfun) || !ends_with_condition(bb) || !is_plain(e))
        return false;
    edge other = EDGE_SUCC(bb, EDGE_SUCC(bb, 0) == e);
    return is_plain(other) && !predictable_edge_p(e) && join(e, other);
}

edge condense_arm(const struct condense_place *place)
{
    if (!optimize || !flag_if_conversion || optimize_function_for_size_p(cfun) ||
        place->behind)
        return NULL;
    edge e = place->on;
    basic_block bb = place->before ? gimple_bb(place->before) : place->start;
    if (bb && (!single_pred_p(bb) || !leads_to_arm(single_pred_edge(bb))))
        return NULL;
    if (bb)
        e = single_pred_edge(bb);
    return is_arm(e) ? e : NULL;
}

tree condense_arm_taken(gimple_seq *statements, edge arm, tree type)
{
    gimple *condition = gsi_stmt(gsi_last_nondebug_bb(arm->src));
    tree holds = gimple_build(statements, gimple_cond_code(condition), boolean_type_node,
                              gimple_cond_lhs(condition), gimple_cond_rhs(condition));
    tree taken = gimple_convert(statements, type, holds);

    if (arm->flags & EDGE_FALSE_VALUE)
        taken = gimple_build(statements, BIT_XOR_EXPR, type, taken, build_one_cst(type));
    return taken;
}
