// SPDX-License-Identifier: GPL-3.0-or-later
// Stores on x86-64. In executables the linker knows the field's offset from the thread
// pointer. In shared objects the code reads it from the field's place (threadword.h): the
// runtime writes there the offset of the single field of the process. If the place
// contains no offset, nothing is stored. The texts have both syntaxes of -masm=:
// {AT&T|Intel}.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/label/sites.h"
#include "plugin/count/threadword.h"
#include "plugin/field/field.h"

#define WORD  FIELD_STORE_WORD
#define PLACE THREADWORD_PLACE(FIELD_STORE_WORD)

bool field_store_needs_slot(void)
{
    return threadword_is_placed();
}

bool field_store_needs_scratch(void)
{
    return false;
}

int field_store_flags(unsigned *beside)
{
    *beside = CX_REG;
    return field_store_needs_slot() ? FLAGS_REG : -1;
}

// In code that is not position-independent, the address is a constant of 32 bits.
bool field_store_needs_site(void)
{
    return flag_pic;
}

rtx field_store_load_site(unsigned reg, unsigned site)
{
    char name[60], text[200];

    sites_print(name, sizeof name, site);
    snprintf(text, sizeof text, "lea{q\t%s(%%%%rip), %%0|\t%%0, %s[rip]}", name, name);
    return artificial_asm_load(reg, text);
}

rtx field_store_load_slot(unsigned reg, unsigned)
{
    return artificial_asm_load(reg, "mov{q\t" PLACE "(%%rip), %0|\t%0, QWORD PTR " PLACE
                                    "[rip]}");
}

// Prints the stored value in the syntaxes of AT&T and Intel. Operand 0 is a register.
static void print_value(unsigned site, char *att, char *intel, size_t size)
{
    char name[60];

    if (site && field_store_needs_site()) {
        snprintf(att, size, "%%0");
        snprintf(intel, size, "%%0");
    } else if (site) {
        sites_print(name, sizeof name, site);
        snprintf(att, size, "$%s", name);
        snprintf(intel, size, "OFFSET FLAT:%s", name);
    } else {
        snprintf(att, size, "$0");
        snprintf(intel, size, "0");
    }
}

// Returns the instructions that skip the store if the slot is 0. If the flags are in use,
// the slot is in rcx.
static const char *skip_if_no_slot(bool keeps_flags)
{
    return keeps_flags ? "jrcxz\t1f\n\t" : "test{q}\t%1, %1\n\tje\t1f\n\t";
}

static rtx changing_flags(rtx pattern)
{
    rtx flags = gen_rtx_CLOBBER(VOIDmode, gen_rtx_REG(CCmode, FLAGS_REG));

    return gen_rtx_PARALLEL(VOIDmode, gen_rtvec(2, pattern, flags));
}

rtx field_store_pattern(unsigned site, unsigned site_register, unsigned slot_register,
                        bool keeps_flags)
{
    const bool far = field_store_needs_slot();
    char att[80], intel[80], text[400];
    const unsigned registers[] = {site ? site_register : slot_register, slot_register};

    print_value(site, att, intel, sizeof att);
    if (far)
        snprintf(text, sizeof text,
                 "%smov{q\t%s, %%%%fs:(%%1)|\tQWORD PTR fs:[%%1], %s}\n1:",
                 skip_if_no_slot(keeps_flags), att, intel);
    else
        snprintf(text, sizeof text,
                 "mov{q\t%s, %%%%fs:" WORD "@tpoff|\tQWORD PTR fs:" WORD "@tpoff, %s}",
                 att, intel);
    rtx store =
        artificial_asm_store(text, registers, far ? 2 : site && field_store_needs_site());
    return far && !keeps_flags ? changing_flags(store) : store;
}
