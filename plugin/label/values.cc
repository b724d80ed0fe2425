// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/locations.h"
#include "plugin/label/values.h"

struct values {
    // By the register's number and 1: number 0 is a register, too.
    hash_map<int_hash<unsigned, 0, (unsigned)-1>, location_t> locations;
};

static unsigned key_of(const_rtx reg)
{
    return REGNO(reg) + 1;
}

location_t values_find(const struct values *values, const_rtx reg)
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

void values_follow(values_note note)
{
    struct values values;

    for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
        if (NOTE_INSN_BASIC_BLOCK_P(insn))
            values.locations.empty();
        else if (NONDEBUG_INSN_P(insn))
            follow_insn(insn, &values, note);
    }
}

void values_charge(rtx_insn *insn, location_t location)
{
    tree block = LOCATION_BLOCK(location);

    if (block)
        INSN_LOCATION(insn) =
            charge_at(location, charge_original(INSN_LOCATION(insn)), block);
}
