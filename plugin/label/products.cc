// SPDX-License-Identifier: GPL-3.0-or-later
// GCC makes one insn of a multiplication and the addition that uses it (combine.cc), with
// the addition's location.  Most of its time is the multiplication's, which may be of
// another function.  One pass before notes which insns use a product; one behind charges
// those that multiply themselves now to where that was written.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/charge.h"
#include "plugin/gcc/pass.h"
#include "plugin/gcc/passes.h"

// Of so many products of an insn is known where they come from.
#define MOST_PRODUCTS 2

typedef hash_map<int_hash<unsigned, 0, (unsigned)-1>, location_t> location_map;

namespace
{
struct product {
    unsigned reg;
    location_t location;
};

struct products {
    struct product list[MOST_PRODUCTS];
    int count;
};
} // namespace

typedef hash_map<int_hash<unsigned, 0, (unsigned)-1>, struct products> products_map;

static products_map *uses; // by the insn's number

// Number 0 is a register, too.
static unsigned key_of(const_rtx reg)
{
    return REGNO(reg) + 1;
}

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
        if (REG_P(*iterator) && key_of(*iterator) == reg)
            return true;
    return false;
}

// Which of the registers in SOURCE are PRODUCTS.
static struct products find_products(const_rtx source, location_map *products)
{
    struct products found = {};
    subrtx_iterator::array_type array;

    FOR_EACH_SUBRTX (iterator, array, source, NONCONST) {
        location_t *location = REG_P(*iterator) ? products->get(key_of(*iterator)) : NULL;
        if (location && found.count < MOST_PRODUCTS)
            found.list[found.count++] = {key_of(*iterator), *location};
    }
    return found;
}

static void forget(rtx reg, const_rtx, void *products)
{
    if (REG_P(reg))
        static_cast<location_map *>(products)->remove(key_of(reg));
}

// A product that is converted, or whose sign is changed, is one.
static void note_insn(rtx_insn *insn, location_map *products)
{
    const_rtx set = NONJUMP_INSN_P(insn) ? single_set(insn) : NULL_RTX;
    location_t location = UNKNOWN_LOCATION;

    if (set && multiplies(SET_SRC(set))) {
        location = INSN_LOCATION(insn);
    } else if (set) {
        struct products found = find_products(SET_SRC(set), products);
        if (found.count)
            uses->put((unsigned)INSN_UID(insn), found);
        if (found.count && UNARY_P(SET_SRC(set)))
            location = found.list[0].location;
    }
    note_stores(insn, forget, products);
    if (set && REG_P(SET_DEST(set)) && LOCATION_BLOCK(location))
        products->put(key_of(SET_DEST(set)), location);
}

// In a block: what is combined stands in one.
static void note(function *)
{
    location_map products;

    if (!uses)
        uses = new products_map;
    for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
        if (NOTE_INSN_BASIC_BLOCK_P(insn))
            products.empty();
        else if (NONDEBUG_INSN_P(insn))
            note_insn(insn, &products);
    }
}

// The product whose register is not used any more: the insn computes that one itself.
static location_t taken_in(const_rtx source, const struct products *products)
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

static void charge_insn(rtx_insn *insn, const struct products *products)
{
    const_rtx set = NONJUMP_INSN_P(insn) ? single_set(insn) : NULL_RTX;

    if (!set || !multiplies(SET_SRC(set)))
        return;
    location_t location = taken_in(SET_SRC(set), products);
    if (location)
        INSN_LOCATION(insn) = charge_at(location, charge_original(INSN_LOCATION(insn)),
                                        LOCATION_BLOCK(location));
}

static void charge(function *)
{
    for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
        struct products *products =
            NONDEBUG_INSN_P(insn) ? uses->get((unsigned)INSN_UID(insn)) : NULL;
        if (products)
            charge_insn(insn, products);
    }
    uses->empty();
}

opt_pass *passes_make_product_note(void)
{
    return pass_make("ccprof_product_note", PASS_RTL, note);
}

opt_pass *passes_make_product_charge(void)
{
    return pass_make("ccprof_product_charge", PASS_RTL, charge);
}
