// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/location.h"
#include "plugin/gcc/scopes.h"

// How many blocks back a location is looked for.
#define MOST_BLOCKS 64

static bool has_location(const gimple *stmt)
{
    return !is_gimple_debug(stmt) && gimple_code(stmt) != GIMPLE_PHI &&
           gimple_has_location(stmt) && gimple_block(stmt);
}

static struct location_found location_of(const gimple *stmt)
{
    return {gimple_location(stmt), scopes_of_block(gimple_block(stmt))};
}

// Where the result goes: the location of its first use that has one.
static struct location_found of_use(const gimple *stmt)
{
    tree result = gimple_get_lhs(stmt);
    imm_use_iterator iterator;
    use_operand_p use;

    if (result && TREE_CODE(result) == SSA_NAME)
        FOR_EACH_IMM_USE_FAST (use, iterator, result)
            if (has_location(USE_STMT(use)))
                return location_of(USE_STMT(use));
    return {UNKNOWN_LOCATION, NULL_TREE};
}

// Where an operand comes from.
static struct location_found of_operand(gimple *stmt)
{
    ssa_op_iter iterator;
    tree operand;

    FOR_EACH_SSA_TREE_OPERAND (operand, stmt, iterator, SSA_OP_USE)
        if (has_location(SSA_NAME_DEF_STMT(operand)))
            return location_of(SSA_NAME_DEF_STMT(operand));
    return {UNKNOWN_LOCATION, NULL_TREE};
}

// In SCOPE a statement at FOUND stands there, or where what it was inlined from is
// called.
static struct location_found seen_from(struct location_found found, tree scope)
{
    for (tree parent; found.scope != scope; found.scope = parent) {
        parent = found.scope ? scopes_parent(found.scope) : NULL_TREE;
        if (!parent)
            return {UNKNOWN_LOCATION, scope};
        found.location = BLOCK_SOURCE_LOCATION(found.scope);
    }
    return found;
}

// The last location of SCOPE in the block, before STMT if that is not null.
static struct location_found last_in_block(basic_block bb, gimple *stmt, tree scope)
{
    gimple_stmt_iterator gsi = stmt ? gsi_for_stmt(stmt) : gsi_last_bb(bb);

    if (stmt)
        gsi_prev(&gsi);
    for (; !gsi_end_p(gsi); gsi_prev(&gsi)) {
        if (!has_location(gsi_stmt(gsi)))
            continue;
        struct location_found found = seen_from(location_of(gsi_stmt(gsi)), scope);
        if (found.location)
            return found;
    }
    return {UNKNOWN_LOCATION, scope};
}

// What was executed last before the call, on one of the ways to it.
static struct location_found last_before(gimple *call, tree scope)
{
    basic_block bb = gimple_bb(call);
    struct location_found found = last_in_block(bb, call, scope);

    for (int blocks = 0; !found.location && blocks < MOST_BLOCKS; blocks++) {
        if (EDGE_COUNT(bb->preds) == 0)
            break;
        bb = EDGE_PRED(bb, 0)->src;
        if (bb == ENTRY_BLOCK_PTR_FOR_FN(cfun))
            break;
        found = last_in_block(bb, NULL, scope);
    }
    return found;
}

bool location_is_last(const gimple *stmt)
{
    return is_gimple_call(stmt) && EDGE_COUNT(gimple_bb(stmt)->succs) == 0;
}

// The use comes first, as it does when GCC expands a statement into the one that uses
// it (expr.cc, expand_expr_real_1): most such statements are halves of a larger one.
struct location_found location_find(gimple *stmt, tree state)
{
    struct location_found use = of_use(stmt), operand = of_operand(stmt);

    if (use.location)
        return use;
    if (operand.location && operand.scope == state)
        return operand;
    if (is_gimple_call(stmt))
        return last_before(stmt, state);
    return {UNKNOWN_LOCATION, state};
}
