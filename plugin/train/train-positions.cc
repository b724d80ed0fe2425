// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/train/train-positions.h"

// GCC has 16 bits for the lines.
static struct train_position position_in(unsigned body, location_t location,
                                         tree function)
{
    unsigned lines =
        (unsigned)LOCATION_LINE(location) - (unsigned)DECL_SOURCE_LINE(function);

    return {body, lines & 0xffff, compat_discriminator(location) & 0xffff};
}

static bool stands_like(const struct train_position &one,
                        const struct train_position &other)
{
    return one.body == other.body && one.offset == other.offset &&
           one.discriminator == other.discriminator;
}

static unsigned number_of(struct train_positions *found, struct train_position call,
                          tree function)
{
    for (unsigned i = 0; i < found->inlined.length(); i++)
        if (found->inlined[i].function == function &&
            stands_like(found->inlined[i].call, call))
            return i + 1;
    found->inlined.safe_push({call, function});
    return found->inlined.length();
}

// Gives the position of what stands at LOCATION in SCOPE or deeper, a block of an inlined
// body or of the function's own.
static struct train_position position_of(struct train_positions *found,
                                         location_t location, tree scope)
{
    while (scope && TREE_CODE(scope) == BLOCK && !inlined_function_outer_scope_p(scope))
        scope = BLOCK_SUPERCONTEXT(scope);
    if (!scope || TREE_CODE(scope) != BLOCK)
        return position_in(0, location, current_function_decl);
    tree function = BLOCK_ABSTRACT_ORIGIN(scope);
    struct train_position call =
        position_of(found, BLOCK_SOURCE_LOCATION(scope), BLOCK_SUPERCONTEXT(scope));
    return position_in(number_of(found, call, function), location, function);
}

// False if it has none.
static bool find(struct train_positions *found, location_t location,
                 struct train_position *position)
{
    tree scope = LOCATION_BLOCK(location);

    if (LOCATION_LOCUS(location) == UNKNOWN_LOCATION)
        return false;
    // GCC takes what is in the outermost block of an inlined body for a part of the body
    // around.
    if (scope && TREE_CODE(scope) == BLOCK)
        scope = BLOCK_SUPERCONTEXT(scope);
    *position = position_of(found, location, scope);
    return true;
}

static void add(struct train_positions *found, unsigned first, location_t location)
{
    struct train_position position;

    if (!find(found, location, &position))
        return;
    for (unsigned i = first; i < found->list.length(); i++)
        if (stands_like(found->list[i], position))
            return;
    found->list.safe_push(position);
}

// Where the statements themselves tell nothing the ends of the only edge do.
static void add_edge(struct train_positions *found, unsigned first, edge e)
{
    add(found, first, e->goto_locus);
    for (gphi_iterator phi = gsi_start_phis(e->dest); !gsi_end_p(phi); gsi_next(&phi))
        add(found, first, gimple_phi_arg_location_from_edge(phi.phi(), e));
}

static void add_block(struct train_positions *found, basic_block bb)
{
    unsigned first = found->list.length();

    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        const gimple *statement = gsi_stmt(gsi);
        if (!is_gimple_debug(statement) && !gimple_clobber_p(statement) &&
            gimple_code(statement) != GIMPLE_LABEL)
            add(found, first, gimple_location(statement));
    }
    if (compat_asks_edges() && first == found->list.length() && single_succ_p(bb))
        add_edge(found, first, single_succ_edge(bb));
}

void train_positions_find(struct train_positions *found, const vec<gimple *> &calls)
{
    for (int i = 0; i < n_basic_blocks_for_fn(cfun); i++) {
        if (i >= NUM_FIXED_BLOCKS)
            add_block(found, BASIC_BLOCK_FOR_FN(cfun, i));
        found->ends.safe_push(found->list.length());
    }
    for (gimple *call : calls) {
        struct train_position position;
        if (!find(found, gimple_location(call), &position))
            position = {TRAIN_NOWHERE, 0, 0};
        found->calls.safe_push(position);
    }
}
