// SPDX-License-Identifier: GPL-3.0-or-later
// The address of the field is computed from the thread pointer: in executables by the
// distance that the linker knows, in shared objects by that in a slot, where the runtime
// puts that of the one field of the process.  The linker shortens none of this, nor does
// the assembler, so that the runtime knows these instructions again.

#include "plugin/gcc/compat.h"
#include "plugin/label/sites.h"
#include "plugin/field/field_asm.h"
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

int field_store_flags(unsigned *)
{
    return -1;
}

bool field_store_needs_site(void)
{
    return true;
}

rtx field_store_load_site(unsigned reg, unsigned site)
{
    char name[60], text[200];

    sites_print(name, sizeof name, site);
    snprintf(text, sizeof text, BEGIN "lla\t%%0, %s" END, name);
    return field_asm_load(reg, text);
}

rtx field_store_load_slot(unsigned reg, unsigned)
{
    if (flag_shlib)
        return field_asm_load(reg,
                              BEGIN "la.tls.ie\t%0, " WORD "\n\tadd\t%0, %0, tp" END);
    return field_asm_load(reg, BEGIN "lui\t%0, %%tprel_hi(" WORD ")\n\t"
                                     "add\t%0, %0, tp, %%tprel_add(" WORD ")\n\t"
                                     "addi\t%0, %0, %%tprel_lo(" WORD ")" END);
}

rtx field_store_pattern(unsigned site, unsigned site_register, unsigned slot_register,
                        bool)
{
    const unsigned registers[] = {slot_register, site_register};

    return field_asm_store(site ? BEGIN "sd\t%1, 0(%0)" END : BEGIN "sd\tzero, 0(%0)" END,
                           registers, site ? 2 : 1);
}
