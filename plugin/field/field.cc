// SPDX-License-Identifier: GPL-3.0-or-later
// The RTL pass runs after the last pass that moves insns, while a CFG still exists. It
// puts a store before an insn or on an edge if the field holds a different site from the
// needed one (field-flow.cc), and if registers are free for the store. Later stores in
// the same block use the loaded registers again.

#include "plugin/gcc/compat.h"
#include "plugin/field/field.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/gcc/sources.h"
#include "plugin/label/label.h"
#include "plugin/count/threadword.h"

// A set of registers, by number.
typedef uint64_t registers;

// The content of a register that a store has loaded: the number of a site, or SLOT for
// the address of the field.
enum { SLOT = -1 };

namespace
{
// The state while stores are inserted into a function.
struct insertion {
    const struct field_flow *flow;
    registers *free_before; // free before each insn, by uid
    int insn_count;         // insns with this uid or a higher one are stores
    registers usable;       // stores may use them where they are free
    registers flags;        // flags that a store may change, or 0; see field_store_flags
    unsigned beside;
    int loaded[64]; // content by register; 0: nothing
};
} // namespace

static bool any_store; // in this compilation

// Returns the general registers that the function may change without saving them.
static registers usable_registers(void)
{
    registers usable = 0;

    for (unsigned r = 0; r < FIRST_PSEUDO_REGISTER && r < 64; r++)
        if (TEST_HARD_REG_BIT(reg_class_contents[GENERAL_REGS], r) && !fixed_regs[r] &&
            !global_regs[r] && crtl->abi->clobbers_full_reg_p(r))
            usable |= (registers)1 << r;
    return usable;
}

static registers find_free(const struct insertion *state, const_bitmap live)
{
    registers free = state->usable | state->flags;

    for (unsigned r = 0; r < 64; r++)
        if (free >> r & 1 && bitmap_bit_p(live, r))
            free &= ~((registers)1 << r);
    return free;
}

static void find_registers_in(const struct insertion *state, basic_block bb, bitmap live)
{
    rtx_insn *insn;

    bitmap_copy(live, DF_LR_OUT(bb));
    df_simulate_initialize_backwards(bb, live);
    FOR_BB_INSNS_REVERSE (bb, insn) {
        df_simulate_one_insn_backwards(bb, insn, live);
        state->free_before[INSN_UID(insn)] = find_free(state, live);
    }
}

static void forget_registers(struct insertion *state, registers which)
{
    for (unsigned r = 0; r < 64; r++)
        if (which >> r & 1)
            state->loaded[r] = 0;
}

static void forget_set_by(struct insertion *state, const rtx_insn *insn)
{
    HARD_REG_SET set;

    if (!NONDEBUG_INSN_P(insn))
        return;
    if (CALL_P(insn)) {
        forget_registers(state, ~(registers)0);
        return;
    }
    find_all_hard_reg_sets(insn, &set, true);
    for (unsigned r = 0; r < 64; r++)
        if (TEST_HARD_REG_BIT(set, r))
            state->loaded[r] = 0;
}

static int register_with(const struct insertion *state, int what)
{
    for (int r = 0; r < 64; r++)
        if (state->usable >> r & 1 && state->loaded[r] == what)
            return r;
    return -1;
}

// Returns a register of FREE, preferably one that holds no loaded value.
static int choose_register(const struct insertion *state, registers free)
{
    int chosen = -1;

    for (unsigned i = 0; i < FIRST_PSEUDO_REGISTER; i++) {
        int r = (int)compat_register_order(i);
        if (r >= 64 || !(free >> r & 1) || (chosen >= 0 && state->loaded[r]))
            continue;
        chosen = r;
        if (!state->loaded[r])
            break;
    }
    return chosen;
}

static void remove_register(int reg, registers *free)
{
    if (reg >= 0)
        *free &= ~((registers)1 << reg);
}

// Returns a register that already holds WHAT, or else a register of FREE that can be
// loaded with WHAT. Removes the register from FREE. Returns -1 if there is no such
// register.
static int find_register(const struct insertion *state, int what, registers *free)
{
    int r = register_with(state, what);

    if (r < 0)
        r = choose_register(state, *free);
    remove_register(r, free);
    return r;
}

static bool is_missing(const struct insertion *state, int reg, int what)
{
    return reg >= 0 && state->loaded[reg] != what;
}

static void load_slot(struct insertion *state, int reg, int scratch)
{
    if (!is_missing(state, reg, SLOT))
        return;
    emit_insn(field_store_load_slot((unsigned)reg, (unsigned)scratch));
    state->loaded[reg] = SLOT;
    if (scratch >= 0)
        state->loaded[scratch] = 0;
}

static void load_site(struct insertion *state, int reg, int site)
{
    if (!is_missing(state, reg, site))
        return;
    emit_insn(field_store_load_site((unsigned)reg, (unsigned)site));
    state->loaded[reg] = site;
}

// Reserves the register BESIDE for the slot and returns it. Returns -1 if it is not free.
static int reserve_beside(struct insertion *state, registers *free)
{
    const registers beside = (registers)1 << state->beside;

    if (state->loaded[state->beside] != SLOT) {
        if (!(*free & beside))
            return -1;
        state->loaded[state->beside] = 0;
    }
    *free &= ~beside;
    return (int)state->beside;
}

// Returns the insns that store SITE, which may be 0. Returns NULL, and loads nothing, if
// too few registers are free.
static rtx_insn *make_store(struct insertion *state, int site, registers free)
{
    const bool needs_slot = field_store_needs_slot();
    const bool needs_site = site && field_store_needs_site();
    const bool keeps_flags = state->flags & ~free;
    int slot_register = -1, site_register = -1, scratch = -1;

    free &= state->usable;
    if (keeps_flags && (slot_register = reserve_beside(state, &free)) < 0)
        return NULL;
    if (needs_site)
        remove_register(register_with(state, site), &free);
    if (needs_slot && !keeps_flags &&
        (slot_register = find_register(state, SLOT, &free)) < 0)
        return NULL;
    if (needs_site && (site_register = find_register(state, site, &free)) < 0)
        return NULL;
    if (is_missing(state, slot_register, SLOT) && field_store_needs_scratch()) {
        scratch = is_missing(state, site_register, site) ? site_register
                                                         : choose_register(state, free);
        if (scratch < 0)
            return NULL;
    }
    start_sequence();
    load_slot(state, slot_register, scratch);
    load_site(state, site_register, site);
    emit_insn(field_store_pattern((unsigned)site, (unsigned)site_register,
                                  (unsigned)slot_register, keeps_flags));
    rtx_insn *made = get_insns();
    end_sequence();
    any_store = true;
    return made;
}

static void store_before(rtx_insn *insn, rtx_insn *store)
{
    emit_insn_before_setloc(store, insn, charge_original(INSN_LOCATION(insn)));
}

// Inserts the stores of a block. If no register is free for a store, the next insn most
// likely needs the same site.
static void store_in_block(struct insertion *state, basic_block bb)
{
    int held = state->flow->blocks[bb->index].at_start;
    rtx_insn *insn;

    forget_registers(state, ~(registers)0);
    FOR_BB_INSNS (bb, insn) {
        if (INSN_UID(insn) >= state->insn_count)
            continue;
        int needed = field_needed(state->flow, insn);
        if (needed != FIELD_ANYTHING && needed != held)
            if (rtx_insn *store =
                    make_store(state, needed, state->free_before[INSN_UID(insn)])) {
                store_before(insn, store);
                held = needed;
            }
        forget_set_by(state, insn);
        held = field_held_after(state->flow, insn, held);
    }
}

static void store_on_edges(struct insertion *state, basic_block bb)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds) {
        int needed = field_needed_on(state->flow, e);
        if (needed == FIELD_ANYTHING)
            continue;
        forget_registers(state, ~(registers)0);
        if (rtx_insn *store = make_store(state, needed, find_free(state, DF_LR_IN(bb))))
            insert_insn_on_edge(store, e);
    }
}

static void insert_stores(const struct field_flow *flow)
{
    struct insertion state = {
        flow, XCNEWVEC(registers, get_max_uid()), get_max_uid(), usable_registers(), 0, 0,
        {}};
    int flags = field_store_flags(&state.beside);
    auto_bitmap live;
    basic_block bb;

    if (flags >= 0)
        state.flags = (registers)1 << flags;
    FOR_EACH_BB_FN (bb, cfun)
        find_registers_in(&state, bb, live);
    FOR_EACH_BB_FN (bb, cfun)
        store_on_edges(&state, bb);
    FOR_EACH_BB_FN (bb, cfun)
        store_in_block(&state, bb);
    commit_edge_insertions();
    free(state.free_before);
}

static bool any_function; // this compilation has a profiled function

static void lower_function(void)
{
    struct field_flow flow = {};

    any_function |= sources_of(current_function_decl) != 0;
    df_clear_flags(DF_LR_RUN_DCE);
    df_insn_rescan_all();
    df_analyze();
    field_flow_find(&flow);
    insert_stores(&flow);
    free(flow.blocks);
    free(flow.needed);
}

// Returns true for functions that save every register that they change. It is too late
// here to save more registers.
static bool keeps_registers(const_tree function)
{
    const_tree type = TREE_TYPE(function);

    for (const char *name : {"interrupt", "no_caller_saved_registers"})
        if (lookup_attribute(name, DECL_ATTRIBUTES(function)) ||
            lookup_attribute(name, TYPE_ATTRIBUTES(type)))
            return true;
    return false;
}

static void execute_field(function *fun)
{
    if (scopes_root() && !filter_forbids_code(fun->decl) && !keeps_registers(fun->decl))
        lower_function();
    if (!options_measures(CCPROF_KINDS_LABELLED))
        label_restore_locations();
}

opt_pass *passes_make_field(void)
{
    return pass_make("ccprof_field", PASS_RTL, execute_field);
}

bool field_any(void)
{
    return any_function;
}

void field_emit(const char *)
{
    if (!any_store)
        return;
    threadword_emit_shared(FIELD_STORE_WORD, CCPROF_NOTE_FIELD, CCPROF_NOTE_FIELD_PLACED);
}
