// SPDX-License-Identifier: GPL-3.0-or-later
// Charges insns that GCC has made of several to the location of the part that takes the
// time, for label.  Before such a pass of GCC's, one pass notes where the values that an
// insn uses come from; behind it, another pass charges the insns that now compute such a
// value themselves.
//
// Products: GCC makes one insn of a multiplication and the addition that uses it
// (combine.cc), with the location of the addition.  Most of its time is the
// multiplication's, which may be of another function.
//
// Moves: GCC 15 and later replace the use of a register by what the register is set to,
// and drop the insn that set it (late-combine.cc).  If the use was a move to another
// register, that insn now computes the value, with the location of the move, which reload
// may have made from the location of an insn of the caller.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/passes.h"

namespace
{
// Where the values of registers come from, within a basic block: insns that become one
// stand in one block.
struct values {
    // By the register's number and 1: number 0 is a register, too.
    hash_map<int_hash<unsigned, 0, (unsigned)-1>, location_t> locations;
};

// Notes INSN, which sets what the pattern SET says (single_set; NULL for several things
// or none). Returns where the value that INSN puts into a register comes from;
// UNKNOWN_LOCATION if the pass does not need to know.
typedef location_t (*values_note)(rtx_insn *insn, const_rtx set,
                                  const struct values *values);
} // namespace

static unsigned key_of(const_rtx reg)
{
    return REGNO(reg) + 1;
}

// Where the value of the register REG comes from; UNKNOWN_LOCATION: not known.
static location_t values_find(const struct values *values, const_rtx reg)
{
    // hash_map's get is not const.
    location_t *location =
        const_cast<struct values *>(values)->locations.get(key_of(reg));
    return location ? *location : UNKNOWN_LOCATION;
}

static void forget(rtx reg, const_rtx, void *values)
{
    if (REG_P(reg))
        static_cast<struct values *>(values)->locations.remove(key_of(reg));
}

static void follow_insn(rtx_insn *insn, struct values *values, values_note note)
{
    const_rtx set = single_set(insn);
    location_t location = note(insn, set, values);

    note_stores(insn, forget, values);
    if (set && REG_P(SET_DEST(set)) && LOCATION_BLOCK(location))
        values->locations.put(key_of(SET_DEST(set)), location);
}

// Calls NOTE for each insn of the current function, in order.
static void values_follow(values_note note)
{
    struct values values;

    for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
        if (NOTE_INSN_BASIC_BLOCK_P(insn))
            values.locations.empty();
        else if (NONDEBUG_INSN_P(insn))
            follow_insn(insn, &values, note);
    }
}

// Charges INSN to LOCATION, if that has a block.
static void values_charge(rtx_insn *insn, location_t location)
{
    tree block = LOCATION_BLOCK(location);

    if (block)
        INSN_LOCATION(insn) =
            charge_at(location, charge_original(INSN_LOCATION(insn)), block);
}

// How many products of an insn are remembered.
#define MOST_PRODUCTS 2

namespace
{
struct product {
    unsigned reg; // its number
    location_t location;
};

struct products {
    struct product list[MOST_PRODUCTS];
    int count;
};
} // namespace

typedef hash_map<int_hash<unsigned, 0, (unsigned)-1>, struct products> products_map;

static products_map *uses; // by the insn's number

static bool multiplies(const_rtx source)
{
    subrtx_iterator::array_type array;

    FOR_EACH_SUBRTX (iterator, array, source, NONCONST) {
        // An address may be a product.
        if (MEM_P(*iterator))
            iterator.skip_subrtxes();
        else if (GET_CODE(*iterator) == MULT)
            return true;
    }
    return false;
}

static bool uses_reg(const_rtx source, unsigned reg)
{
    subrtx_iterator::array_type array;

    FOR_EACH_SUBRTX (iterator, array, source, NONCONST)
        if (REG_P(*iterator) && REGNO(*iterator) == reg)
            return true;
    return false;
}

// Which of the registers in SOURCE are products.
static struct products find_products(const_rtx source, const struct values *values)
{
    struct products found = {};
    subrtx_iterator::array_type array;

    FOR_EACH_SUBRTX (iterator, array, source, NONCONST) {
        location_t location =
            REG_P(*iterator) ? values_find(values, *iterator) : UNKNOWN_LOCATION;
        if (location && found.count < MOST_PRODUCTS)
            found.list[found.count++] = {REGNO(*iterator), location};
    }
    return found;
}

// A product that is converted or negated is still a product.
static location_t note_product(rtx_insn *insn, const_rtx set, const struct values *values)
{
    if (!set || !NONJUMP_INSN_P(insn))
        return UNKNOWN_LOCATION;
    if (multiplies(SET_SRC(set)))
        return INSN_LOCATION(insn);
    struct products found = find_products(SET_SRC(set), values);
    if (!found.count)
        return UNKNOWN_LOCATION;
    uses->put((unsigned)INSN_UID(insn), found);
    return UNARY_P(SET_SRC(set)) ? found.list[0].location : UNKNOWN_LOCATION;
}

static void note_products(function *)
{
    if (!uses)
        uses = new products_map;
    values_follow(note_product);
}

// The location of the product whose register the insn does not use any more, since it now
// computes the product itself.
static location_t absorbed(const_rtx source, const struct products *products)
{
    location_t location = UNKNOWN_LOCATION;

    for (int i = 0; i < products->count; i++) {
        if (uses_reg(source, products->list[i].reg))
            continue;
        if (location)
            return UNKNOWN_LOCATION;
        location = products->list[i].location;
    }
    return location;
}

static void charge_product(rtx_insn *insn, const struct products *products)
{
    const_rtx set = NONJUMP_INSN_P(insn) ? single_set(insn) : NULL_RTX;

    if (!set || !multiplies(SET_SRC(set)))
        return;
    values_charge(insn, absorbed(SET_SRC(set), products));
}

static void charge_products(function *)
{
    for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
        struct products *products =
            NONDEBUG_INSN_P(insn) ? uses->get((unsigned)INSN_UID(insn)) : NULL;
        if (products)
            charge_product(insn, products);
    }
    uses->empty();
}

opt_pass *passes_make_product_note(void)
{
    return pass_make("ccprof_product_note", PASS_RTL, note_products);
}

opt_pass *passes_make_product_charge(void)
{
    return pass_make("ccprof_product_charge", PASS_RTL, charge_products);
}

// By the move's number: what computed the value.
static hash_map<int_hash<unsigned, 0, (unsigned)-1>, location_t> *sources;

static bool is_move(const_rtx set)
{
    return set && REG_P(SET_SRC(set)) && REG_P(SET_DEST(set));
}

static location_t note_move(rtx_insn *insn, const_rtx set, const struct values *values)
{
    if (!is_move(set))
        return INSN_LOCATION(insn);
    location_t source = values_find(values, SET_SRC(set));
    if (source)
        sources->put((unsigned)INSN_UID(insn), source);
    return source;
}

static void note_moves(function *)
{
    if (!sources)
        sources = new hash_map<int_hash<unsigned, 0, (unsigned)-1>, location_t>;
    values_follow(note_move);
}

static void charge_moves(function *)
{
    for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
        location_t *source =
            NONDEBUG_INSN_P(insn) ? sources->get((unsigned)INSN_UID(insn)) : NULL;
        if (source && !is_move(single_set(insn)))
            values_charge(insn, *source);
    }
    sources->empty();
}

opt_pass *passes_make_moves_note(void)
{
    return pass_make("ccprof_moves_note", PASS_RTL, note_moves);
}

opt_pass *passes_make_moves_charge(void)
{
    return pass_make("ccprof_moves_charge", PASS_RTL, charge_moves);
}
