// SPDX-License-Identifier: GPL-3.0-or-later
// GCC 15 and later put what a register is set to in place of its use, and drop the insn
// that set it (late-combine.cc): where the use was a move to another register, it is now
// what computed the value, with the move's location, which reload may have made from that
// of an insn of the caller.  One pass before notes where the values of moves come from;
// one behind charges the moves that have become something else.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/charge.h"
#include "plugin/gcc/pass.h"
#include "plugin/gcc/passes.h"

typedef hash_map<int_hash<unsigned, 0, (unsigned)-1>, location_t> location_map;

static location_map *sources; // by the move's number: what computed the value

static bool is_move(const_rtx set)
{
    return set && REG_P(SET_SRC(set)) && REG_P(SET_DEST(set));
}

// Number 0 is a register, too.
static unsigned key_of(const_rtx reg)
{
    return REGNO(reg) + 1;
}

static void forget(rtx reg, const_rtx, void *values)
{
    if (REG_P(reg))
        static_cast<location_map *>(values)->remove(key_of(reg));
}

static void note_insn(rtx_insn *insn, location_map *values)
{
    const_rtx set = single_set(insn);
    location_t location = INSN_LOCATION(insn);

    if (is_move(set)) {
        location_t *source = values->get(key_of(SET_SRC(set)));
        location = source ? *source : UNKNOWN_LOCATION;
        if (location)
            sources->put((unsigned)INSN_UID(insn), location);
    }
    note_stores(insn, forget, values);
    if (set && REG_P(SET_DEST(set)))
        values->put(key_of(SET_DEST(set)), location);
}

// A register has the location of the insn that set it last, in a block.
static void note(function *)
{
    location_map values;

    if (!sources)
        sources = new location_map;
    for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
        if (NOTE_INSN_BASIC_BLOCK_P(insn))
            values.empty();
        else if (NONDEBUG_INSN_P(insn))
            note_insn(insn, &values);
    }
}

static void charge(function *)
{
    for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
        location_t *source =
            NONDEBUG_INSN_P(insn) ? sources->get((unsigned)INSN_UID(insn)) : NULL;
        if (!source || is_move(single_set(insn)) || !LOCATION_BLOCK(*source))
            continue;
        INSN_LOCATION(insn) = charge_at(*source, charge_original(INSN_LOCATION(insn)),
                                        LOCATION_BLOCK(*source));
    }
    sources->empty();
}

opt_pass *passes_make_moves_note(void)
{
    return pass_make("ccprof_moves_note", PASS_RTL, note);
}

opt_pass *passes_make_moves_charge(void)
{
    return pass_make("ccprof_moves_charge", PASS_RTL, charge);
}
