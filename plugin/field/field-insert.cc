// SPDX-License-Identifier: GPL-3.0-or-later
// Puts a store before an insn or on an edge where what the field holds is not what is
// wanted, if registers are free for the store.  What the registers were loaded with is
// used again by the next stores of the block.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/charge.h"
#include "plugin/field/field-inside.h"
#include "plugin/field/field_store.h"

// A set of registers, by number.
typedef uint64_t registers;

static registers *free_before; // by uid
static int insn_count;         // what has a higher uid is a store
static registers usable;       // for stores, where they are free
static bool any_store;         // in this compilation

// Those of general use that the function may change without saying so.
static registers usable_registers(void)
{
    registers usable = 0;

    for (unsigned r = 0; r < FIRST_PSEUDO_REGISTER && r < 64; r++)
        if (TEST_HARD_REG_BIT(reg_class_contents[GENERAL_REGS], r) && !fixed_regs[r] &&
            !global_regs[r] && crtl->abi->clobbers_full_reg_p(r))
            usable |= (registers)1 << r;
    return usable;
}

static registers find_free(const_bitmap live)
{
    registers free = usable;

    for (unsigned r = 0; r < 64; r++)
        if (free >> r & 1 && bitmap_bit_p(live, r))
            free &= ~((registers)1 << r);
    return free;
}

static void find_registers_in(basic_block bb, bitmap live)
{
    rtx_insn *insn;

    bitmap_copy(live, DF_LR_OUT(bb));
    df_simulate_initialize_backwards(bb, live);
    FOR_BB_INSNS_REVERSE (bb, insn) {
        df_simulate_one_insn_backwards(bb, insn, live);
        free_before[INSN_UID(insn)] = find_free(live);
    }
}

// What registers hold that our own insns have loaded: the number of a site, or SLOT.
enum { SLOT = -1 };
static int loaded[64]; // 0: nothing

static void forget_registers(registers which)
{
    for (unsigned r = 0; r < 64; r++)
        if (which >> r & 1)
            loaded[r] = 0;
}

static void forget_set_by(const rtx_insn *insn)
{
    HARD_REG_SET set;

    if (!NONDEBUG_INSN_P(insn))
        return;
    if (CALL_P(insn)) {
        forget_registers(~(registers)0);
        return;
    }
    find_all_hard_reg_sets(insn, &set, true);
    for (unsigned r = 0; r < 64; r++)
        if (TEST_HARD_REG_BIT(set, r))
            loaded[r] = 0;
}

static int register_with(int what)
{
    for (int r = 0; r < 64; r++)
        if (usable >> r & 1 && loaded[r] == what)
            return r;
    return -1;
}

// One of FREE, if possible one that holds nothing.
static int choose_register(registers free)
{
    int chosen = -1;

    for (unsigned i = 0; i < FIRST_PSEUDO_REGISTER; i++) {
        int r = (int)compat_register_order(i);
        if (r >= 64 || !(free >> r & 1) || (chosen >= 0 && loaded[r]))
            continue;
        chosen = r;
        if (!loaded[r])
            break;
    }
    return chosen;
}

static void take(int reg, registers *free)
{
    if (reg >= 0)
        *free &= ~((registers)1 << reg);
}

// Takes the one that holds it, otherwise one of FREE to be loaded.  Gives -1 if there is
// none.
static int find_register(int what, registers *free)
{
    int r = register_with(what);

    if (r < 0)
        r = choose_register(*free);
    take(r, free);
    return r;
}

static bool is_missing(int reg, int what)
{
    return reg >= 0 && loaded[reg] != what;
}

static void load_slot(int reg, int scratch)
{
    if (!is_missing(reg, SLOT))
        return;
    emit_insn(field_store_load_slot((unsigned)reg, (unsigned)scratch));
    loaded[reg] = SLOT;
    if (scratch >= 0)
        loaded[scratch] = 0;
}

static void load_site(int reg, int site)
{
    if (!is_missing(reg, site))
        return;
    emit_insn(field_store_load_site((unsigned)reg, (unsigned)site));
    loaded[reg] = site;
}

// SITE may be 0.  Gives NULL, and nothing is loaded, if there are too few free registers.
static rtx_insn *make_store(int site, registers free)
{
    const bool needs_slot = field_store_needs_slot();
    const bool needs_site = site && field_store_needs_site();
    int slot_register = -1, site_register = -1, scratch = -1;

    if (needs_site)
        take(register_with(site), &free);
    if (needs_slot && (slot_register = find_register(SLOT, &free)) < 0)
        return NULL;
    if (needs_site && (site_register = find_register(site, &free)) < 0)
        return NULL;
    if (is_missing(slot_register, SLOT) && field_store_needs_scratch()) {
        scratch = is_missing(site_register, site) ? site_register : choose_register(free);
        if (scratch < 0)
            return NULL;
    }
    start_sequence();
    load_slot(slot_register, scratch);
    load_site(site_register, site);
    emit_insn(field_store_pattern((unsigned)site, (unsigned)site_register,
                                  (unsigned)slot_register));
    rtx_insn *made = get_insns();
    end_sequence();
    any_store = true;
    return made;
}

static void store_before(rtx_insn *insn, rtx_insn *store)
{
    emit_insn_before_setloc(store, insn, charge_original(INSN_LOCATION(insn)));
}

// Where no register is free the next insn wants the same, most likely.
static void store_in_block(basic_block bb)
{
    int held = field_held_at_start(bb);
    rtx_insn *insn;

    forget_registers(~(registers)0);
    FOR_BB_INSNS (bb, insn) {
        if (INSN_UID(insn) >= insn_count)
            continue;
        int wanted = field_wanted(insn);
        if (wanted != FIELD_ANYTHING && wanted != held)
            if (rtx_insn *store = make_store(wanted, free_before[INSN_UID(insn)])) {
                store_before(insn, store);
                held = wanted;
            }
        forget_set_by(insn);
        held = field_held_after(insn, held);
    }
}

static void store_on_edges(basic_block bb)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds) {
        int wanted = field_wanted_on(e);
        if (wanted == FIELD_ANYTHING)
            continue;
        forget_registers(~(registers)0);
        if (rtx_insn *store = make_store(wanted, find_free(DF_LR_IN(bb))))
            insert_insn_on_edge(store, e);
    }
}

void field_insert(void)
{
    auto_bitmap live;
    basic_block bb;

    usable = usable_registers();
    insn_count = get_max_uid();
    free_before = XCNEWVEC(registers, insn_count);
    FOR_EACH_BB_FN (bb, cfun)
        find_registers_in(bb, live);
    FOR_EACH_BB_FN (bb, cfun)
        store_on_edges(bb);
    FOR_EACH_BB_FN (bb, cfun)
        store_in_block(bb);
    commit_edge_insertions();
    free(free_before);
}

bool field_insert_any(void)
{
    return any_store;
}
