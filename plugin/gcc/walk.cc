// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/walk.h"
#include "plugin/gcc/folded.h"
#include "plugin/gcc/scopes.h"

bool walk_has_position(location_t location)
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

// Whether it takes longer than to load from the nearest cache.
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

// Where what SOURCE, in an insn at LOCATION, loads stands, if it does little more.
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
        // An address may be a product.
        iterator.skip_subrtxes();
        location_t position = folded_load(x, location);
        if (position)
            found = position;
    }
    return found;
}

static location_t location_of_part(const_rtx set, location_t location)
{
    const_rtx source = SET_SRC(set), target = SET_DEST(set);

    if (MEM_P(target) && (REG_P(source) || CONSTANT_P(source)))
        return folded_store(target, location);
    location_t load = location_of_load(source, location);
    if (load || GET_CODE(source) != COMPARE)
        return load;
    return folded_comparison(location);
}

// An instruction that loads what it computes with is two statements: most of its time is
// the load's.  So is one that stores what the statement before has computed.  A
// comparison for a conditional move is an insn of its own, which has the move's location.
static location_t location_of(const rtx_insn *insn)
{
    const rtx_sequence *sequence = dyn_cast<rtx_sequence *>(PATTERN(insn));
    if (sequence)
        insn = sequence->insn(0);
    const_rtx set = NONJUMP_INSN_P(insn) ? single_set(insn) : NULL_RTX;
    location_t location = INSN_LOCATION(insn);
    location_t part = set ? location_of_part(set, location) : UNKNOWN_LOCATION;
    return walk_has_position(part) && LOCATION_BLOCK(part) ? part : location;
}

// Where the next insn of the basic block that has a position stands.
static location_t next_location(const rtx_insn *insn)
{
    for (; insn && !walk_starts_block(insn); insn = NEXT_INSN(insn))
        if (walk_makes_code(insn) && walk_has_position(location_of(insn)))
            return location_of(insn);
    return UNKNOWN_LOCATION;
}

// What lies between two insns of one copy most likely belongs there too, whatever
// infer made of it; otherwise infer is believed, and a neighbour of the same copy
// lends its position.
static location_t lent(const struct walk *walk, location_t location)
{
    bool is_before = walk_has_position(walk->before),
         is_after = walk_has_position(walk->after);
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
    location_t location = location_of(insn);

    if (walk_has_position(location)) {
        walk->before = location;
        walk->after_known = false;
        return location;
    }
    if (!walk->after_known)
        walk->after = next_location(insn);
    walk->after_known = true;
    return lent(walk, location);
}
