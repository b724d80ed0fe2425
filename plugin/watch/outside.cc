// SPDX-License-Identifier: GPL-3.0-or-later
// The pass runs behind the last one that looks at what an instruction changes.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/gcc/locations.h"
#include "plugin/watch/quiet.h"
#include "plugin/watch/stopwatch.h"
#include "plugin/watch/watched.h"

static void insert_before(rtx_insn *at, bool enters)
{
    char *text =
        quiet_text(watched_number(current_function_decl), enters, dwarf2out_do_cfi_asm());
    rtx code = gen_rtx_ASM_INPUT_loc(VOIDmode, ggc_strdup(text), BUILTINS_LOCATION);
    rtx_insn *insn = emit_insn_before_noloc(code, at, NULL);

    MEM_VOLATILE_P(code) = 1;
    INSN_LOCATION(insn) =
        set_block(DECL_SOURCE_LOCATION(current_function_decl), scopes_root());
    free(text);
}

static bool is_exit(const rtx_insn *insn)
{
    return CALL_P(insn) ? SIBLING_CALL_P(insn) : JUMP_P(insn) && returnjump_p(insn);
}

// An instruction that says that one may jump to the function must be the first one.
static rtx_insn *find_start(void)
{
    rtx_insn *insn = get_insns();

    while (insn && !(NONDEBUG_INSN_P(insn) && GET_CODE(PATTERN(insn)) != UNSPEC_VOLATILE))
        insn = NEXT_INSN(insn);
    return insn;
}

static void execute(function *)
{
    rtx_insn *start = find_start();

    if (!stopwatch_is_quiet() || !start)
        return;
    for (rtx_insn *insn = start; insn; insn = NEXT_INSN(insn))
        if (INSN_P(insn) && is_exit(insn))
            insert_before(insn, false);
    insert_before(start, true);
}

opt_pass *passes_make_quiet(void)
{
    return pass_make("ccprof_quiet", PASS_RTL, execute);
}
