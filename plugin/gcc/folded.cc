// SPDX-License-Identifier: GPL-3.0-or-later
// A reference (a member, an element) has a location of its own, which its RTL has in
// MEM_EXPR; code generation only hands that location on when it folds.  A variable has
// none: for a variable the module remembers at which other locations an access may turn
// up, those of the statements that use what is loaded, or compute what is stored (GCC:
// tree-ssa-ter.cc; combine.cc).
//
// A conditional move may be of one function and what it compares of another: what is
// expanded for both has the location of the move (GCC: expr.cc,
// expand_cond_expr_using_cmove).

#include "plugin/gcc/compat.h"
#include "plugin/gcc/folded.h"

typedef pair_hash<nofree_ptr_hash<tree_node>, int_hash<location_t, 0, (location_t)-1>>
    access_hash;
typedef hash_map<access_hash, location_t> access_map;

typedef hash_map<int_hash<location_t, 0, (location_t)-1>, location_t> location_map;

static access_map *loads, *stores;
static location_map *comparisons; // by the location of the conditional move

// Two accesses at one location are not told apart.  In the scope of what uses it the name
// of a variable has no position of its own: then that of the use is better.
static void add(access_map *map, tree variable, const gimple *at, location_t position)
{
    location_t location = gimple_location(at);
    bool known;

    if (LOCATION_LOCUS(location) == UNKNOWN_LOCATION || !LOCATION_BLOCK(location))
        return;
    if (map == loads && LOCATION_BLOCK(location) == LOCATION_BLOCK(position))
        position = location;
    location_t &kept = map->get_or_insert({variable, location}, &known);
    kept = known && kept != position ? UNKNOWN_LOCATION : position;
}

static bool is_comparison(const gimple *stmt)
{
    return is_gimple_assign(stmt) &&
           TREE_CODE_CLASS(gimple_assign_rhs_code(stmt)) == tcc_comparison;
}

// Whether it is expanded into what uses it.
static bool is_passed_on(const gimple *stmt)
{
    return (gimple_assign_cast_p(stmt) || is_comparison(stmt)) && !gimple_vdef(stmt) &&
           TREE_CODE(gimple_assign_lhs(stmt)) == SSA_NAME;
}

// Where VALUE is used, converted or compared or not.
static void add_uses(tree variable, tree value, location_t position)
{
    imm_use_iterator iterator;
    use_operand_p use;

    FOR_EACH_IMM_USE_FAST (use, iterator, value) {
        gimple *stmt = USE_STMT(use);
        if (is_gimple_debug(stmt) || gimple_code(stmt) == GIMPLE_PHI)
            continue;
        add(loads, variable, stmt, position);
        if (is_passed_on(stmt))
            add_uses(variable, gimple_assign_lhs(stmt), position);
    }
}

static void keep_load(gimple *stmt)
{
    tree from = gimple_assign_rhs1(stmt);

    while (TREE_CODE(from) == VIEW_CONVERT_EXPR)
        from = TREE_OPERAND(from, 0);
    if (REFERENCE_CLASS_P(from)) {
        SET_EXPR_LOCATION(from, gimple_location(stmt));
    } else if (DECL_P(from) && TREE_CODE(gimple_assign_lhs(stmt)) == SSA_NAME) {
        add(loads, from, stmt, gimple_location(stmt));
        add_uses(from, gimple_assign_lhs(stmt), gimple_location(stmt));
    }
}

static void keep_store(gimple *stmt)
{
    tree to = gimple_assign_lhs(stmt), value = gimple_assign_rhs1(stmt);

    if (REFERENCE_CLASS_P(to)) {
        SET_EXPR_LOCATION(to, gimple_location(stmt));
    } else if (DECL_P(to)) {
        add(stores, to, stmt, gimple_location(stmt));
        if (TREE_CODE(value) == SSA_NAME && !SSA_NAME_IS_DEFAULT_DEF(value))
            add(stores, to, SSA_NAME_DEF_STMT(value), gimple_location(stmt));
    }
}

static void keep_comparison(const gimple *move)
{
    tree condition = gimple_assign_rhs1(move);
    const gimple *comparison =
        TREE_CODE(condition) == SSA_NAME ? SSA_NAME_DEF_STMT(condition) : NULL;
    bool known;

    if (!comparison || !is_comparison(comparison) || !has_single_use(condition) ||
        gimple_bb(comparison) != gimple_bb(move))
        return;
    location_t &kept = comparisons->get_or_insert(gimple_location(move), &known);
    location_t location = gimple_location(comparison);
    kept = known && kept != location ? UNKNOWN_LOCATION : location;
}

template <typename map> static void forget(map **kept)
{
    if (*kept)
        (*kept)->empty();
    else
        *kept = new map;
}

void folded_keep(void)
{
    basic_block bb;

    forget(&loads);
    forget(&stores);
    forget(&comparisons);
    FOR_EACH_BB_FN (bb, cfun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            gimple *stmt = gsi_stmt(gsi);
            if (!is_gimple_assign(stmt) || !gimple_has_location(stmt))
                continue;
            if (gimple_assign_rhs_code(stmt) == COND_EXPR)
                keep_comparison(stmt);
            else if (!gimple_assign_single_p(stmt))
                continue;
            else if (gimple_vuse(stmt) && !gimple_vdef(stmt))
                keep_load(stmt);
            else if (gimple_vdef(stmt))
                keep_store(stmt);
        }
}

static location_t find(access_map *map, const_rtx mem, location_t location)
{
    tree expr = MEM_EXPR(mem);

    if (!expr)
        return UNKNOWN_LOCATION;
    if (EXPR_P(expr))
        return EXPR_LOCATION(expr);
    location_t *kept = map && DECL_P(expr) ? map->get({expr, location}) : NULL;
    return kept ? *kept : UNKNOWN_LOCATION;
}

location_t folded_load(const_rtx mem, location_t location)
{
    return find(loads, mem, location);
}

location_t folded_store(const_rtx mem, location_t location)
{
    return find(stores, mem, location);
}

location_t folded_comparison(location_t location)
{
    location_t *kept = comparisons ? comparisons->get(location) : NULL;
    return kept ? *kept : UNKNOWN_LOCATION;
}
