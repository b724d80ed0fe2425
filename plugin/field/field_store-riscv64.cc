// SPDX-License-Identifier: GPL-3.0-or-later
// The address of the field is computed from the thread pointer: in executables by the
// distance that the linker knows, in shared objects by that in a slot, where the runtime
// puts that of the one field of the process.  The linker shortens none of this, nor does
// the assembler, so that the runtime knows these instructions again.

#include "plugin/gcc/compat.h"
#include "plugin/label/sites.h"
#include "plugin/field/field_store.h"

#define WORD  FIELD_STORE_WORD
#define BEGIN ".option\tpush\n\t.option\tnorelax\n\t.option\tnorvc\n\t"
#define END   "\n\t.option\tpop"

bool field_store_needs_slot(void)
{
    return true;
}

bool field_store_needs_scratch(void)
{
    return false;
}

bool field_store_needs_site(void)
{
    return true;
}

// An asm statement with the registers as inputs.
static rtx make_asm(machine_mode mode, const char *text, const char *output,
                    const unsigned *registers, int count)
{
    rtvec inputs = rtvec_alloc(count), constraints = rtvec_alloc(count);

    for (int i = 0; i < count; i++) {
        RTVEC_ELT(inputs, i) = gen_rtx_REG(DImode, registers[i]);
        RTVEC_ELT(constraints, i) =
            gen_rtx_ASM_INPUT_loc(DImode, ggc_strdup("r"), UNKNOWN_LOCATION);
    }
    rtx body = gen_rtx_ASM_OPERANDS(mode, ggc_strdup(text), output, 0, inputs,
                                    constraints, rtvec_alloc(0), UNKNOWN_LOCATION);
    MEM_VOLATILE_P(body) = 1;
    return body;
}

static rtx make_load(unsigned reg, const char *text)
{
    return gen_rtx_SET(gen_rtx_REG(DImode, reg), make_asm(DImode, text, "=r", NULL, 0));
}

rtx field_store_load_site(unsigned reg, unsigned site)
{
    char name[60], text[200];

    sites_print(name, sizeof name, site);
    snprintf(text, sizeof text, BEGIN "lla\t%%0, %s" END, name);
    return make_load(reg, text);
}

rtx field_store_load_slot(unsigned reg, unsigned)
{
    if (flag_shlib)
        return make_load(reg, BEGIN "la.tls.ie\t%0, " WORD "\n\tadd\t%0, %0, tp" END);
    return make_load(reg, BEGIN "lui\t%0, %%tprel_hi(" WORD ")\n\t"
                                "add\t%0, %0, tp, %%tprel_add(" WORD ")\n\t"
                                "addi\t%0, %0, %%tprel_lo(" WORD ")" END);
}

rtx field_store_pattern(unsigned site, unsigned site_register, unsigned slot_register)
{
    const unsigned registers[] = {slot_register, site_register};

    return make_asm(VOIDmode,
                    site ? BEGIN "sd\t%1, 0(%0)" END : BEGIN "sd\tzero, 0(%0)" END, "",
                    registers, site ? 2 : 1);
}
