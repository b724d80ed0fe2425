// SPDX-License-Identifier: GPL-3.0-or-later
// For processors without a file of their own: machines refuses time-field.

#include "plugin/gcc/compat.h"
#include "plugin/field/field.h"

bool field_store_needs_site(void)
{
    gcc_unreachable();
}

bool field_store_needs_slot(void)
{
    gcc_unreachable();
}

bool field_store_needs_scratch(void)
{
    gcc_unreachable();
}

int field_store_flags(unsigned *)
{
    gcc_unreachable();
}

rtx field_store_load_site(unsigned, unsigned)
{
    gcc_unreachable();
}

rtx field_store_load_slot(unsigned, unsigned)
{
    gcc_unreachable();
}

rtx field_store_pattern(unsigned, unsigned, unsigned, bool)
{
    gcc_unreachable();
}
