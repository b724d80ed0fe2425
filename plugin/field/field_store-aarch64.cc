// SPDX-License-Identifier: GPL-3.0-or-later
// Stores on aarch64. The address of the field is computed from the thread pointer and an
// offset. In executables the linker knows the offset. In shared objects the code reads it
// from the field's place (threadword.h): the runtime writes there the offset of the
// single field of the process. If the place contains no offset, the store goes to the
// place's member NONE, which is never read.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/label/sites.h"
#include "plugin/count/threadword.h"
#include "plugin/field/field.h"
#include "rt/format.h"

#define WORD FIELD_STORE_WORD
#define NONE THREADWORD_PLACE(FIELD_STORE_WORD) "+16"

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
    snprintf(text, sizeof text, "adrp\t%%0, %s\n\tadd\t%%0, %%0, :lo12:%s", name, name);
    return artificial_asm_load(reg, text);
}

rtx field_store_load_slot(unsigned reg, unsigned scratch)
{
    char text[300];

    if (!field_store_needs_scratch())
        return artificial_asm_load(reg, "mrs\t%0, tpidr_el0\n\t"
                                        "add\t%0, %0, #:tprel_hi12:" WORD ", lsl #12\n\t"
                                        "add\t%0, %0, #:tprel_lo12_nc:" WORD);
    snprintf(text, sizeof text,
             "adrp\t%%0, " NONE "\n\tadd\t%%0, %%0, #:lo12:" NONE
             "\n\tldr\t%s, [%%0, #16]\n\tcbz\t%s, 1f\n\tmrs\t%%0, tpidr_el0"
             "\n\tadd\t%%0, %%0, w%s, sxtw\n1:",
             reg_names[scratch], reg_names[scratch], reg_names[scratch] + 1);
    return artificial_asm_load_with(reg, scratch, text);
}

rtx field_store_pattern(unsigned site, unsigned site_register, unsigned slot_register,
                        bool)
{
    const unsigned registers[] = {slot_register, site_register};

    return artificial_asm_store(site ? "str\t%1, [%0]" : "str\txzr, [%0]", registers,
                                site ? 2 : 1);
}
