// SPDX-License-Identifier: GPL-3.0-or-later
// The RTL pass runs behind the last one that moves insns, while there is still a CFG.
// Each insn wants the site of its local stack in the field.  Forward data flow says which
// site the field holds; where that is another one a store is put before the insn, or on
// the edges into a loop whose insns all want the same.  (The problem is that of GCC's
// mode-switching.cc.)  Its steps are in files of their own: field-inside.h.

#include "plugin/gcc/compat.h"
#include "plugin/field/field.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/gcc/sources.h"
#include "plugin/gcc/filter.h"
#include "plugin/label/label.h"
#include "plugin/count/threadword.h"
#include "plugin/field/field-inside.h"
#include "plugin/field/field_store.h"

static bool any_function; // that is profiled, in this compilation

static void lower_function(void)
{
    struct field_flow flow = {};

    any_function |= sources_of(current_function_decl) != 0;
    df_clear_flags(DF_LR_RUN_DCE);
    df_insn_rescan_all();
    df_analyze();
    field_want_find(&flow);
    field_hold_find(&flow);
    field_insert(&flow);
    free(flow.blocks);
    free(flow.wanted);
}

// These save every register that they change, and it is too late for that.
static bool keeps_registers(const_tree function)
{
    const_tree type = TREE_TYPE(function);

    for (const char *name : {"interrupt", "no_caller_saved_registers"})
        if (lookup_attribute(name, DECL_ATTRIBUTES(function)) ||
            lookup_attribute(name, TYPE_ATTRIBUTES(type)))
            return true;
    return false;
}

static void execute(function *fun)
{
    if (scopes_root() && !filter_forbids_code(fun->decl) && !keeps_registers(fun->decl))
        lower_function();
    if (!options_measures(CCPROF_KINDS_LABELLED))
        label_give_back_locations();
}

opt_pass *passes_make_field(void)
{
    return pass_make("ccprof_field", PASS_RTL, execute);
}

bool field_any(void)
{
    return any_function;
}

void field_emit(const char *)
{
    if (!field_insert_any())
        return;
    threadword_emit_shared(FIELD_STORE_WORD, CCPROF_NOTE_FIELD, CCPROF_NOTE_FIELD_PLACED);
}
