// SPDX-License-Identifier: GPL-3.0-or-later
// The patterns are those that GCC makes of an asm statement of the program
// (cfgexpand.cc, expand_asm_stmt).

#include "plugin/gcc/compat.h"
#include "plugin/field/field_asm.h"

static rtx make_statement(machine_mode mode, const char *text, const char *output,
                          const unsigned *registers, unsigned count)
{
    rtvec inputs = rtvec_alloc(count), constraints = rtvec_alloc(count);

    for (unsigned i = 0; i < count; i++) {
        RTVEC_ELT(inputs, i) = gen_rtx_REG(DImode, registers[i]);
        RTVEC_ELT(constraints, i) =
            gen_rtx_ASM_INPUT_loc(DImode, ggc_strdup("r"), UNKNOWN_LOCATION);
    }
    rtx statement = gen_rtx_ASM_OPERANDS(mode, ggc_strdup(text), output, 0, inputs,
                                         constraints, rtvec_alloc(0), UNKNOWN_LOCATION);
    MEM_VOLATILE_P(statement) = 1;
    return statement;
}

rtx field_asm_load(unsigned reg, const char *text)
{
    return gen_rtx_SET(gen_rtx_REG(DImode, reg),
                       make_statement(DImode, text, "=r", NULL, 0));
}

rtx field_asm_load_with(unsigned reg, unsigned scratch, const char *text)
{
    rtx changes = gen_rtx_CLOBBER(VOIDmode, gen_rtx_REG(DImode, scratch));

    return gen_rtx_PARALLEL(VOIDmode, gen_rtvec(2, field_asm_load(reg, text), changes));
}

rtx field_asm_store(const char *text, const unsigned *registers, unsigned count)
{
    return make_statement(VOIDmode, text, "", registers, count);
}
