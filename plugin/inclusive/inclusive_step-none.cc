// SPDX-License-Identifier: GPL-3.0-or-later
// For processors without a file of their own. There are no steps, so all code is in line.

#include "plugin/gcc/compat.h"
#include "plugin/inclusive/inclusive_step.h"

bool inclusive_step_is_possible(void)
{
    return false;
}

gimple *inclusive_step_call(enum inclusive_step_entry, unsigned, tree)
{
    gcc_unreachable();
}

gimple *inclusive_step_check(tree)
{
    gcc_unreachable();
}

gimple *inclusive_step_begin(tree)
{
    gcc_unreachable();
}

char *inclusive_step_counter(tree, unsigned)
{
    gcc_unreachable();
}

void inclusive_step_emit(const char *, const char *)
{
}
