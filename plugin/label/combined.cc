// SPDX-License-Identifier: GPL-3.0-or-later
// When GCC joins several insns into one, charges the new insn to the location of the part
// that takes most of the time, so that label reads this location. Before GCC's pass, one
// pass of this file notes which insns computed the values that an insn uses. After GCC's
// pass, another pass of this file charges the insns that now compute such a value
// themselves.
//
// Products: GCC joins a multiplication and the addition of its result into one insn
// (combine.cc), with the location of the addition. Most of the time of the insn is for
// the multiplication, which may belong to another function.
//
// Moves: GCC 15 and later replace the use of a register by the value that the register
// was set to, and remove the insn that set it (late-combine.cc). If the use was a move to
// another register, that insn now computes the value, but with the location of the move.
// Reload may have made that move, with the location of an insn of the caller.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/passes.h"

namespace
{
// The locations of the insns that computed the values of registers, within a basic block.
// GCC only combines insns of one block.
struct values {
    // By register number plus 1, because 0 is a register too.
    hash_map<int_hash<unsigned, 0, (unsigned)-1>, location_t> locations;
};

// Handles INSN. SET is its pattern if it sets one thing (single_set), otherwise NULL.
// INSN puts a value into a register. Returns the location of the code that computes this
// value, or UNKNOWN_LOCATION if the pass does not need it.
typedef location_t (*values_note)(rtx_insn *insn, const_rtx set,
                                  const struct values *values);
} // namespace

static unsigned key_of(const_rtx reg)
{
    return REGNO(reg) + 1;
}

// Returns the location of the code that computed the value of the register REG, or
// UNKNOWN_LOCATION if the location is not known.
static location_t values_find(const struct values *values, const_rtx reg)
{
    // hash_map's get is not const.
    location_t *location =
        const_cast<struct values *>(values)->locations.get(key_of(reg));
    return location ? *location : UNKNOWN_LOCATION;
}

static void forget_register(rtx reg, const_rtx, void *values)
{
    if (REG_P(reg))
        static_cast<struct values *>(values)->locations.remove(key_of(reg));
}

static void follow_insn(rtx_insn *insn, struct values *values, values_note note)
{
    const_rtx set = single_set(insn);
    location_t location = note(insn, set, values);

    note_stores(insn, forget_register, values);
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

// Charges INSN to LOCATION, if LOCATION has a block.
static void values_charge(rtx_insn *insn, location_t location)
{
    tree block = LOCATION_BLOCK(location);

    if (block)
        INSN_LOCATION(insn) =
            charge_at(location, charge_original(INSN_LOCATION(insn)), block);
}

// Maximum number of products remembered for an insn.
#define MOST_PRODUCTS 2

namespace
{
struct product {
    unsigned reg; // number of the register
    location_t location;
};

struct products {
    struct product list[MOST_PRODUCTS];
    int count;
};
} // namespace

typedef hash_map<int_hash<unsigned, 0, (unsigned)-1>, struct products> products_map;

static products_map *uses; // by insn number

static bool is_product(const_rtx source)
{
    subrtx_iterator::array_type array;

    FOR_EACH_SUBRTX (iterator, array, source, NONCONST) {
        // Skip addresses: a multiplication in them is not an insn of its own.
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

// Returns the registers in SOURCE whose values are products.
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

// Notes the products that INSN uses. A product that is converted or negated still counts
// as a product.
static location_t note_product(rtx_insn *insn, const_rtx set, const struct values *values)
{
    if (!set || !NONJUMP_INSN_P(insn))
        return UNKNOWN_LOCATION;
    if (is_product(SET_SRC(set)))
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

// Returns the location of the product whose register the insn no longer uses, because it
// computes the product itself. Returns UNKNOWN_LOCATION if there is no such product, or
// more than one.
static location_t location_of_absorbed(const_rtx source, const struct products *products)
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

    if (!set || !is_product(SET_SRC(set)))
        return;
    values_charge(insn, location_of_absorbed(SET_SRC(set), products));
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

// The location of the computation of the moved value, by number of the move insn.
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
