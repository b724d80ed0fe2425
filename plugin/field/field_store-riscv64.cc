// SPDX-License-Identifier: GPL-3.0-or-later
// Stores on riscv64. The address of the field is computed from the thread pointer and an
// offset. In executables the linker knows the offset. In shared objects the code reads it
// from the field's place (threadword.h): the runtime writes there the offset of the
// single field of the process. If the place contains no offset, the store goes to the
// place's member NONE, which is never read. Neither the linker nor the assembler may
// shorten these instructions, because the runtime must recognize them.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/label/sites.h"
#include "plugin/count/threadword.h"
#include "plugin/field/field.h"
#include "rt/format.h"

#define WORD  FIELD_STORE_WORD
#define NONE  THREADWORD_PLACE(FIELD_STORE_WORD) "+16"
#define BEGIN ".option\tpush\n\t.option\tnorelax\n\t.option\tnorvc\n\t"
#define END   "\n\t.option\tpop"

static_assert(offsetof(struct ccprof_place, none) == 16 &&
                  offsetof(struct ccprof_place, packed) == 32,
              "the instructions below say where these are");

bool field_store_needs_slot(void)
{
    return true;
}

bool field_store_needs_scratch(void)
{
    return threadword_is_placed();
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
    return artificial_asm_load(reg, text);
}

rtx field_store_load_slot(unsigned reg, unsigned scratch)
{
    char text[300];

    if (!field_store_needs_scratch())
        return artificial_asm_load(reg, BEGIN "lui\t%0, %%tprel_hi(" WORD ")\n\t"
                                              "add\t%0, %0, tp, %%tprel_add(" WORD ")\n\t"
                                              "addi\t%0, %0, %%tprel_lo(" WORD ")" END);
    const char *name = reg_names[scratch];
    snprintf(text, sizeof text,
             BEGIN "lla\t%%0, " NONE "\n\tld\t%s, 16(%%0)\n\tbeqz\t%s, 1f\n\t"
                   "sext.w\t%%0, %s\n\tadd\t%%0, %%0, tp\n1:" END,
             name, name, name);
    return artificial_asm_load_with(reg, scratch, text);
}

rtx field_store_pattern(unsigned site, unsigned site_register, unsigned slot_register,
                        bool)
{
    const unsigned registers[] = {slot_register, site_register};

    return artificial_asm_store(site ? BEGIN "sd\t%1, 0(%0)" END
                                     : BEGIN "sd\tzero, 0(%0)" END,
                                registers, site ? 2 : 1);
}
