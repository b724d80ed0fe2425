// SPDX-License-Identifier: GPL-3.0-or-later
// Makes insns of the processor's code (machine_code-NAME.cc, machine_calls-NAME.cc).

#include "plugin/gcc/compat.h"
#include "plugin/machine/machine.h"

// Makes the pattern of an insn for TEXT, a part of CODE, which GCC treats like an asm
// statement without operands. GCC would write the name of a source file without escapes,
// so the location is one without a line.
static rtx make_pattern(const char *text, const struct machine_code &code)
{
    auto_vec<rtx> parts;

    parts.safe_push(gen_rtx_ASM_INPUT_loc(VOIDmode, ggc_strdup(text), BUILTINS_LOCATION));
    for (unsigned r = 0; r < 64; r++)
        if (code.registers >> r & 1)
            parts.safe_push(gen_rtx_CLOBBER(VOIDmode, gen_rtx_REG(word_mode, r)));
    if (code.flags && machine_code_flags() >= 0)
        parts.safe_push(
            gen_rtx_CLOBBER(VOIDmode, gen_rtx_REG(CCmode, machine_code_flags())));
    if (parts.length() == 1)
        parts.safe_push(
            gen_rtx_CLOBBER(VOIDmode, gen_rtx_MEM(BLKmode, gen_rtx_SCRATCH(VOIDmode))));
    return gen_rtx_PARALLEL(VOIDmode, gen_rtvec_v(parts.length(), parts.address()));
}

// If the stack pointer is the base of the frame, GCC writes unwind information.
void machine_describe_move(rtx_insn *insn, int bytes)
{
    rtx moved = plus_constant(Pmode, stack_pointer_rtx, bytes);

    RTX_FRAME_RELATED_P(insn) = 1;
    add_reg_note(insn, REG_FRAME_RELATED_EXPR, gen_rtx_SET(stack_pointer_rtx, moved));
}

rtx_insn *machine_make_code(struct machine_code code)
{
    start_sequence();
    for (char *part = code.text, *next; part; part = next) {
        char *mark = strstr(part, MACHINE_MOVED);
        next = NULL;
        int bytes = mark ? (int)strtol(mark + strlen(MACHINE_MOVED), &next, 10) : 0;
        if (mark)
            *mark = '\0';
        next = next && *next == '\n' ? next + 1 : NULL;
        rtx_insn *insn = emit_insn(make_pattern(part, code));
        if (mark)
            machine_describe_move(insn, bytes);
    }
    rtx_insn *made = get_insns();
    end_sequence();
    free(code.text);
    return made;
}

// The insn signs the return address (AArch64: paciasp). Where a function begins with such
// an insn, GCC omits the landing pad of indirect calls. The same registers are free
// before and after it.
bool machine_must_stay_first(const rtx_insn *insn)
{
    rtx back = INCOMING_RETURN_ADDR_RTX, set = single_set(insn);

    return REG_P(back) && set && REG_P(SET_DEST(set)) &&
           REGNO(SET_DEST(set)) == REGNO(back) && reg_mentioned_p(back, SET_SRC(set));
}
