// SPDX-License-Identifier: GPL-3.0-or-later
// Tells what single insns need and do, whatever stands around them: whether the field has
// to be right for an insn, and what the field holds behind it.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/sources.h"
#include "plugin/gcc/filter.h"
#include "plugin/field/callback.h"
#include "plugin/field/field-inside.h"

// Whether somebody else may have a function of that name; then calls are not what they
// seem.
static bool is_replaceable(const_tree function)
{
    return !decl_binds_to_current_def_p(function);
}

// What the program may have its own of.
static bool is_allocation(const_tree callee)
{
    return DECL_IS_MALLOC(callee) || fndecl_built_in_p(callee, BUILT_IN_FREE) ||
           fndecl_built_in_p(callee, BUILT_IN_REALLOC) ||
           DECL_IS_OPERATOR_NEW_P(callee) || DECL_IS_OPERATOR_DELETE_P(callee);
}

// Whether what is called is known to run nothing that stores.
static bool is_harmless(const_tree callee)
{
    const int flags = flags_from_decl_or_type(callee);
    cgraph_node *node = cgraph_node::get(callee);

    return flags & ECF_LEAF && !(flags & ECF_RETURNS_TWICE) && !is_allocation(callee) &&
           !(node && node->definition) &&
           (fndecl_built_in_p(callee) || DECL_IN_SYSTEM_HEADER(callee));
}

// Whether what is called stores its own site before it does anything.
static bool stores_first(tree callee)
{
    cgraph_node *node = cgraph_node::get(callee);

    return node && node->definition && !is_replaceable(callee) && !filter_forbids_code(callee) &&
           sources_of(callee);
}

// Whether a processor is never found at the insn: it is done by renaming a register, or
// in no time beside others.
static bool takes_no_time(const rtx_insn *insn)
{
    const_rtx set = single_set(insn);

    if (JUMP_P(insn))
        return simplejump_p(insn);
    if (!set || !REG_P(SET_DEST(set)))
        return false;
    const_rtx from = SET_SRC(set);
    return REG_P(from) || CONST_INT_P(from) ||
           from == CONST0_RTX(GET_MODE(SET_DEST(set)));
}

bool field_is_light(const rtx_insn *insn)
{
    const_rtx set = single_set(insn);
    subrtx_iterator::array_type array;

    if (JUMP_P(insn))
        return any_condjump_p(insn);
    if (!NONJUMP_INSN_P(insn) || !set)
        return false;
    FOR_EACH_SUBRTX (iter, array, PATTERN(insn), NONCONST) {
        const_rtx x = *iter;
        if (MEM_P(x) && !may_be_sp_based_p(const_cast<rtx>(x)))
            return false;
        if (x != set && GET_MODE(x) != VOIDmode && !SCALAR_INT_MODE_P(GET_MODE(x)) &&
            GET_MODE_CLASS(GET_MODE(x)) != MODE_CC)
            return false;
        enum rtx_code code = GET_CODE(x);
        if (code == MULT || code == DIV || code == UDIV || code == MOD || code == UMOD ||
            code == ASM_OPERANDS || code == UNSPEC_VOLATILE)
            return false;
    }
    return true;
}

// Nothing is stored for the sake of an epilogue: the caller soon will.
bool field_wants_nothing(const rtx_insn *insn)
{
    if (!walk_makes_code(insn) || epilogue_contains(insn) || returnjump_p(insn) ||
        takes_no_time(insn))
        return true;
    if (!CALL_P(insn))
        return false;
    // A callback has put back what it found.
    if (SIBLING_CALL_P(insn) && callback_is_current())
        return true;
    tree callee = get_call_fndecl(insn);
    return callee && stores_first(callee);
}

bool field_is_self_call(const rtx_insn *insn)
{
    const_tree callee = CALL_P(insn) ? get_call_fndecl(insn) : NULL_TREE;

    return callee && callee == current_function_decl && !is_replaceable(callee);
}

bool field_is_kept(const rtx_insn *insn)
{
    if (!CALL_P(insn))
        return true;
    const_tree callee = get_call_fndecl(insn);
    return callee && is_harmless(callee);
}
