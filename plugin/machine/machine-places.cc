// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the places in the finished instructions that can get a counter, and the
// registers that are free there.

#include "plugin/gcc/compat.h"
#include "plugin/machine/machine.h"

static uint64_t mask_of(const HARD_REG_SET &set)
{
    uint64_t mask = 0;

    for (unsigned r = 0; r < FIRST_PSEUDO_REGISTER && r < 64; r++)
        if (TEST_HARD_REG_BIT(set, r))
            mask |= (uint64_t)1 << r;
    return mask;
}

uint64_t machine_set_by(const rtx_insn *insn, bool callees)
{
    HARD_REG_SET set;

    find_all_hard_reg_sets(insn, &set, callees);
    return mask_of(set);
}

uint64_t machine_named_by(const rtx_insn *insn)
{
    uint64_t mask = machine_set_by(insn, true);
    df_ref use;

    FOR_EACH_INSN_USE (use, insn)
        if (DF_REF_REGNO(use) < 64)
            mask |= (uint64_t)1 << DF_REF_REGNO(use);
    return mask;
}

bool machine_uses_stack(const rtx_insn *insn)
{
    df_ref ref;

    FOR_EACH_INSN_DEF (ref, insn)
        if (DF_REF_REGNO(ref) == STACK_POINTER_REGNUM)
            return true;
    FOR_EACH_INSN_USE (ref, insn)
        if (DF_REF_REGNO(ref) == STACK_POINTER_REGNUM &&
            DF_REF_TYPE(ref) == DF_REF_REG_USE)
            return true;
    return false;
}

// Returns true if GCC may compile callers of the current function later in this unit, and
// then read which registers the function changes (-fipa-ra).
static bool has_informed_callers(void)
{
    cgraph_node *node = cgraph_node::get(current_function_decl);

    return flag_ipa_ra && (!node || node->callers || node->has_aliases_p());
}

static bool is_recursive(const rtx_insn *call)
{
    tree function = get_call_fndecl(call);

    return function == current_function_decl && decl_binds_to_current_def_p(function);
}

// Returns the registers that the function changes, as GCC tells the function's callers
// (GCC: final.cc, collect_fn_hard_reg_usage).
static uint64_t changed_registers(void)
{
    uint64_t changed = 0;

    for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
        if (!NONDEBUG_INSN_P(insn))
            continue;
        if (CALL_P(insn) && !is_recursive(insn))
            changed |= mask_of(insn_callee_abi(insn).full_and_partial_reg_clobbers());
        changed |= machine_set_by(insn, false);
    }
    return changed;
}

// Returns true if the unwinder may need the register to find the function's frame.
static bool is_of_frame(unsigned r)
{
    return crtl->drap_reg || r == HARD_FRAME_POINTER_REGNUM;
}

// Returns true if the register has the return address, where unwinders may look for it.
static bool is_return_register(unsigned r)
{
    rtx back = INCOMING_RETURN_ADDR_RTX;

    return REG_P(back) && r == REGNO(back);
}

// Returns true if each register that the function saves is saved wherever a call may
// throw. If GCC saves each register only where the function uses it, this is not so.
static bool saves_all(void)
{
    return !crtl->shrink_wrapped_separate;
}

uint64_t machine_lendable(void)
{
    uint64_t usable = 0, saved = 0;

    for (unsigned r = 0; r < FIRST_PSEUDO_REGISTER && r < 64; r++) {
        if (!TEST_HARD_REG_BIT(reg_class_contents[GENERAL_REGS], r) || fixed_regs[r] ||
            global_regs[r] || is_return_register(r))
            continue;
        if (crtl->abi->clobbers_full_reg_p(r))
            usable |= (uint64_t)1 << r;
        else if (df_regs_ever_live_p(r) && !is_of_frame(r))
            saved |= (uint64_t)1 << r;
    }
    return usable | (saves_all() ? saved : 0);
}

// If callers know which registers the function changes, uses no others, so that the
// callers' code stays the same.
uint64_t machine_usable(void)
{
    uint64_t lendable = machine_lendable(), unsaved = 0;

    if (!has_informed_callers())
        return lendable;
    for (unsigned r = 0; r < FIRST_PSEUDO_REGISTER && r < 64; r++)
        if (crtl->abi->clobbers_full_reg_p(r))
            unsaved |= (uint64_t)1 << r;
    return lendable & ~(unsaved & ~changed_registers());
}

struct machine_free machine_free_at(const_bitmap live, uint64_t usable)
{
    struct machine_free free = {usable, true};
    int flags = machine_code_flags();

    for (unsigned r = 0; r < 64; r++)
        if (usable >> r & 1 && bitmap_bit_p(live, r))
            free.registers &= ~((uint64_t)1 << r);
    if (flags >= 0 && bitmap_bit_p(live, flags))
        free.flags = false;
    return free;
}

bool machine_can_redirect(edge e)
{
    rtx_insn *jump = BB_END(e->src);

    return any_condjump_p(jump) && JUMP_LABEL(jump) && LABEL_P(JUMP_LABEL(jump)) &&
           JUMP_LABEL(jump) == BB_HEAD(e->dest);
}

bool machine_can_place(edge e)
{
    rtx_insn *last = BB_END(e->src);

    if (e->flags & EDGE_COMPLEX || e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun) ||
        e->src == ENTRY_BLOCK_PTR_FOR_FN(cfun))
        return false;
    if (single_succ_p(e->src))
        return !JUMP_P(last) || simplejump_p(last);
    return single_pred_p(e->dest) || e->flags & EDGE_FALLTHRU || machine_can_redirect(e);
}
