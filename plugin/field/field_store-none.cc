// SPDX-License-Identifier: GPL-3.0-or-later
// For processors without a file field_store-NAME.cc. Nothing calls these functions today:
// each processor in the list of plugin/attach.cc has such a file, and on all others every
// kind is an error. A port that adds a processor to the list, but not this file, gets an
// internal error of the compiler with time-field.

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
