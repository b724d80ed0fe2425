// SPDX-License-Identifier: GPL-3.0-or-later
// For processors without a file field_store-NAME.cc. These functions are never called:
// the plugin reports an error for every processor that is not in the list of
// plugin/attach.cc, whatever the kind, and each processor in that list has such a file.

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
