// SPDX-License-Identifier: GPL-3.0-or-later
// For processors without machine_calls-NAME.cc: no inclusive instructions.

#include "plugin/gcc/compat.h"
#include "plugin/machine/machine_calls.h"

bool machine_calls_are_possible(void)
{
    return false;
}

struct machine_code machine_calls_code(enum machine_step, const char *,
                                       const struct machine_free *)
{
    gcc_unreachable();
}

void machine_calls_emit_steps(void)
{
}
