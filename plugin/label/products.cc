// SPDX-License-Identifier: GPL-3.0-or-later
// products: charges insns that multiply and add to where the product was written, for
// label.  GCC makes one insn of a multiplication and the addition that uses it
// (combine.cc), with the addition's location.  Most of its time is the multiplication's,
// which may be of another function.  One pass before notes which insns use a product; one
// behind charges those of them that now multiply themselves.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/passes.h"
#include "plugin/label/values.h"

// Of so many products of an insn is known where they come from.
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

// A product that is converted, or whose sign is changed, is one.
static location_t note_insn(rtx_insn *insn, const_rtx set, const struct values *values)
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

static void note(function *)
{
    if (!uses)
        uses = new products_map;
    values_follow(note_insn);
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
    values_charge(insn, taken_in(SET_SRC(set), products));
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
