// SPDX-License-Identifier: GPL-3.0-or-later
// moves: charges moves that have become something else to where their value was
// computed, for label.  GCC 15 and later put what a register is set to in place of its
// use, and drop the insn that set it (late-combine.cc).  Where the use was a move to
// another register, that insn now computes the value, with the move's location, which
// reload may have made from the location of an insn of the caller.  One pass before notes
// where the values of moves come from; one behind charges the insns.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/passes.h"
#include "plugin/label/values.h"

// By the move's number: what computed the value.
static hash_map<int_hash<unsigned, 0, (unsigned)-1>, location_t> *sources;

static bool is_move(const_rtx set)
{
    return set && REG_P(SET_SRC(set)) && REG_P(SET_DEST(set));
}

static location_t note_insn(rtx_insn *insn, const_rtx set, const struct values *values)
{
    if (!is_move(set))
        return INSN_LOCATION(insn);
    location_t source = values_find(values, SET_SRC(set));
    if (source)
        sources->put((unsigned)INSN_UID(insn), source);
    return source;
}

static void note(function *)
{
    if (!sources)
        sources = new hash_map<int_hash<unsigned, 0, (unsigned)-1>, location_t>;
    values_follow(note_insn);
}

static void charge(function *)
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
    return pass_make("ccprof_moves_note", PASS_RTL, note);
}

opt_pass *passes_make_moves_charge(void)
{
    return pass_make("ccprof_moves_charge", PASS_RTL, charge);
}
