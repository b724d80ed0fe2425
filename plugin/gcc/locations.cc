// SPDX-License-Identifier: GPL-3.0-or-later
// Charges locations to scopes, keeps the locations of folded operands, and finds the
// location of each instruction.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/scopes.h"

namespace
{
struct original_location {
    location_t position, original;
};
} // namespace

typedef hash_map<int_hash<location_t, 0, (location_t)-1>, original_location> original_map;

static original_map *originals;

// Returns the charged location and remembers the original. The range of a charged
// location starts at a position that no source has, so that no other location has the
// same combination. If the range also ends there, the position is not the position of the
// original.
static location_t make_charged(const struct original_location &now, tree scope)
{
    location_t mark = markers_private_location();
    bool has_other_position = now.position != now.original;

    if (mark == UNKNOWN_LOCATION)
        return now.original;
    if (!originals)
        originals = new original_map;
    source_range range = {mark, has_other_position ? mark : get_finish(now.original)};
    location_t charged = compat_location(LOCATION_LOCUS(now.position), range, scope);
    bool known;
    struct original_location &before = originals->get_or_insert(charged, &known);
    if (known && (before.position != now.position || before.original != now.original))
        return now.original;
    before = now;
    return charged;
}

location_t charge_location(location_t original, tree scope)
{
    return make_charged({original, original}, scope);
}

location_t charge_at(location_t position, location_t original, tree scope)
{
    return make_charged({charge_position(position), original}, scope);
}

static const struct original_location *find_original(location_t location)
{
    return originals ? originals->get(location) : NULL;
}

location_t charge_position(location_t location)
{
    const struct original_location *known = find_original(location);
    return known ? known->position : location;
}

location_t charge_original(location_t location)
{
    const struct original_location *known = find_original(location);
    return known ? known->original : location;
}

// A hidden location has no position. Its range starts at the position that no source has,
// and ends at the hidden position.
location_t charge_hide(location_t location)
{
    const struct original_location *known = find_original(location);

    if (!known || known->position == known->original)
        return location;
    source_range range = {markers_private_location(), LOCATION_LOCUS(location)};
    location_t hidden =
        compat_location(UNKNOWN_LOCATION, range, LOCATION_BLOCK(location));
    return find_original(hidden) ? location : hidden;
}

location_t charge_show(location_t location)
{
    location_t mark = markers_private_location();

    if (LOCATION_LOCUS(location) != UNKNOWN_LOCATION || find_original(location) ||
        location == UNKNOWN_LOCATION || get_start(location) != mark)
        return location;
    return compat_location(get_finish(location), {mark, mark}, LOCATION_BLOCK(location));
}

void charge_forget(void)
{
    if (originals)
        originals->empty();
}

// Folded accesses. A reference (a member, an element) has a location of its own, which
// RTL keeps in MEM_EXPR. A variable has no location. For a variable, this code remembers
// the other locations at which an access may appear: the locations of the statements that
// use the loaded value, or compute the stored one (GCC: tree-ssa-ter.cc; combine.cc).
//
// A conditional move and its comparison may belong to different functions, but both are
// expanded with the location of the move (GCC: expr.cc, expand_cond_expr_using_cmove).

typedef pair_hash<nofree_ptr_hash<tree_node>, int_hash<location_t, 0, (location_t)-1>>
    access_hash;
typedef hash_map<access_hash, location_t> access_map;

typedef hash_map<int_hash<location_t, 0, (location_t)-1>, location_t> location_map;

static access_map *loads, *stores;
static location_map *comparisons; // by the location of the conditional move

// Remembers that an access of VARIABLE at STATEMENT has POSITION. If two
// different accesses have the same location, neither is remembered. If STATEMENT uses the
// loaded value in the same scope, the position of STATEMENT is better than the position
// of the load.
static void add_access(access_map *map, tree variable, const gimple *statement,
                       location_t position)
{
    location_t location = gimple_location(statement);
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

// Returns true if the statement is expanded together with the statement that uses its
// result.
static bool is_expanded_into_use(const gimple *stmt)
{
    return (gimple_assign_cast_p(stmt) || is_comparison(stmt)) && !gimple_vdef(stmt) &&
           TREE_CODE(gimple_assign_lhs(stmt)) == SSA_NAME;
}

// Adds the uses of VALUE, and of its conversions and comparisons.
static void add_uses(tree variable, tree value, location_t position)
{
    imm_use_iterator iterator;
    use_operand_p use;

    FOR_EACH_IMM_USE_FAST (use, iterator, value) {
        gimple *stmt = USE_STMT(use);
        if (is_gimple_debug(stmt) || gimple_code(stmt) == GIMPLE_PHI)
            continue;
        add_access(loads, variable, stmt, position);
        if (is_expanded_into_use(stmt))
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
        add_access(loads, from, stmt, gimple_location(stmt));
        add_uses(from, gimple_assign_lhs(stmt), gimple_location(stmt));
    }
}

static void keep_store(gimple *stmt)
{
    tree to = gimple_assign_lhs(stmt), value = gimple_assign_rhs1(stmt);

    if (REFERENCE_CLASS_P(to)) {
        SET_EXPR_LOCATION(to, gimple_location(stmt));
    } else if (DECL_P(to)) {
        add_access(stores, to, stmt, gimple_location(stmt));
        if (TREE_CODE(value) == SSA_NAME && !SSA_NAME_IS_DEFAULT_DEF(value))
            add_access(stores, to, SSA_NAME_DEF_STMT(value), gimple_location(stmt));
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

template <typename map> static void clear_map(map **kept)
{
    if (*kept)
        (*kept)->empty();
    else
        *kept = new map;
}

void folded_keep(void)
{
    basic_block bb;

    clear_map(&loads);
    clear_map(&stores);
    clear_map(&comparisons);
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

static location_t find_access(access_map *map, const_rtx mem, location_t location)
{
    tree expr = MEM_EXPR(mem);

    if (!expr)
        return UNKNOWN_LOCATION;
    if (EXPR_P(expr))
        return EXPR_LOCATION(expr);
    location_t *kept = map && DECL_P(expr) ? map->get({expr, location}) : NULL;
    return kept ? *kept : UNKNOWN_LOCATION;
}

static bool has_position(location_t location)
{
    return LOCATION_LOCUS(location) != UNKNOWN_LOCATION;
}

bool walk_makes_code(const rtx_insn *insn)
{
    return NONDEBUG_INSN_P(insn) && GET_CODE(PATTERN(insn)) != USE &&
           GET_CODE(PATTERN(insn)) != CLOBBER;
}

bool walk_starts_block(const rtx_insn *insn)
{
    return NOTE_INSN_BASIC_BLOCK_P(insn) ||
           (NOTE_P(insn) && NOTE_KIND(insn) == NOTE_INSN_SWITCH_TEXT_SECTIONS);
}

void walk_start_block(struct walk *walk)
{
    walk->before = UNKNOWN_LOCATION;
    walk->after_known = false;
}

// Returns true if the operation takes longer than a load from the first-level cache.
static bool is_slow(const_rtx x)
{
    switch (GET_CODE(x)) {
    case MULT:
    case DIV:
    case UDIV:
    case MOD:
    case UMOD:
    case SQRT:
    case FMA:
        return true;
    default:
        return ARITHMETIC_P(x) && FLOAT_MODE_P(GET_MODE(x));
    }
}

// Returns the location of the load in SOURCE, if SOURCE does little more than load.
// LOCATION is the location of the insn.
static location_t location_of_load(const_rtx source, location_t location)
{
    location_t found = UNKNOWN_LOCATION;
    subrtx_iterator::array_type array;

    FOR_EACH_SUBRTX (iterator, array, source, NONCONST) {
        const_rtx x = *iterator;
        if (is_slow(x))
            return UNKNOWN_LOCATION;
        if (!MEM_P(x))
            continue;
        // Skip the address: a multiplication in it is not a slow operation.
        iterator.skip_subrtxes();
        location_t position = find_access(loads, x, location);
        if (position)
            found = position;
    }
    return found;
}

static location_t location_of_part(const_rtx set, location_t location)
{
    const_rtx source = SET_SRC(set), target = SET_DEST(set);

    if (MEM_P(target) && (REG_P(source) || CONSTANT_P(source)))
        return find_access(stores, target, location);
    location_t load = location_of_load(source, location);
    if (load || GET_CODE(source) != COMPARE)
        return load;
    location_t *comparison = comparisons ? comparisons->get(location) : NULL;
    return comparison ? *comparison : UNKNOWN_LOCATION;
}

// Returns the location of the insn, corrected if the insn contains two statements. An
// insn that loads an operand takes most of its time for the load. An insn may also store
// the result of another statement. The comparison for a conditional move is an insn with
// the location of the move.
static location_t location_of_insn(const rtx_insn *insn)
{
    const rtx_sequence *sequence = dyn_cast<rtx_sequence *>(PATTERN(insn));
    if (sequence)
        insn = sequence->insn(0);
    const_rtx set = NONJUMP_INSN_P(insn) ? single_set(insn) : NULL_RTX;
    location_t location = INSN_LOCATION(insn);
    location_t part = set ? location_of_part(set, location) : UNKNOWN_LOCATION;
    return has_position(part) && LOCATION_BLOCK(part) ? part : location;
}

// Returns the location of the next insn with a position in the basic block.
static location_t next_location(const rtx_insn *insn)
{
    for (; insn && !walk_starts_block(insn); insn = NEXT_INSN(insn))
        if (walk_makes_code(insn) && has_position(location_of_insn(insn)))
            return location_of_insn(insn);
    return UNKNOWN_LOCATION;
}

// Returns a location for an insn without a position. If the insn stands between two insns
// of one copy, it most likely belongs to that copy, even if infer has found another
// scope. Otherwise the scope from infer is right, and a neighbour of the same copy gives
// its position.
static location_t location_of_neighbour(const struct walk *walk, location_t location)
{
    bool is_before = has_position(walk->before), is_after = has_position(walk->after);
    tree scope = LOCATION_BLOCK(location) ? scopes_at(location) : NULL_TREE;
    bool between =
        is_before && is_after && scopes_at(walk->before) == scopes_at(walk->after);

    if (is_before && (between || !scope || scope == scopes_at(walk->before)))
        return walk->before;
    if (is_after && (!scope || scope == scopes_at(walk->after)))
        return walk->after;
    return scope ? location : UNKNOWN_LOCATION;
}

location_t walk_location(struct walk *walk, const rtx_insn *insn)
{
    location_t location = location_of_insn(insn);

    if (has_position(location)) {
        walk->before = location;
        walk->after_known = false;
        return location;
    }
    if (!walk->after_known)
        walk->after = next_location(insn);
    walk->after_known = true;
    return location_of_neighbour(walk, location);
}
