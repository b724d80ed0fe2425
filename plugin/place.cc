// SPDX-License-Identifier: GPL-3.0-or-later

#include "compat.h"
#include "place.h"
#include "scopes.h"

static bool has_place(const gimple *stmt)
{
    return !is_gimple_debug(stmt) && gimple_code(stmt) != GIMPLE_PHI &&
           gimple_has_location(stmt) && gimple_block(stmt);
}

static struct place place_of(const gimple *stmt)
{
    return {gimple_location(stmt), scopes_of_block(gimple_block(stmt))};
}

// Where the result goes: the place of its first use that has one.
static struct place place_of_use(const gimple *stmt)
{
    tree result = gimple_get_lhs(stmt);
    imm_use_iterator iterator;
    use_operand_p use;

    if (result && TREE_CODE(result) == SSA_NAME)
        FOR_EACH_IMM_USE_FAST(use, iterator, result)
    if (has_place(USE_STMT(use)))
        return place_of(USE_STMT(use));
    return {UNKNOWN_LOCATION, NULL_TREE};
}

// Where an operand comes from.
static struct place place_of_operand(gimple *stmt)
{
    ssa_op_iter iterator;
    tree operand;

    FOR_EACH_SSA_TREE_OPERAND(operand, stmt, iterator, SSA_OP_USE)
    if (has_place(SSA_NAME_DEF_STMT(operand)))
        return place_of(SSA_NAME_DEF_STMT(operand));
    return {UNKNOWN_LOCATION, NULL_TREE};
}

// The use comes first, as it does when GCC expands a statement into the one that uses
// it (expr.cc, expand_expr_real_1): most such statements are halves of a larger one.
struct place place_find(gimple *stmt, tree state)
{
    struct place use = place_of_use(stmt), operand = place_of_operand(stmt);

    if (use.location)
        return use;
    if (operand.location && operand.scope == state)
        return operand;
    return {UNKNOWN_LOCATION, state};
}
