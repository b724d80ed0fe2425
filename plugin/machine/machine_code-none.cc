// SPDX-License-Identifier: GPL-3.0-or-later
// For processors without machine_code-NAME.cc: the kind instructions is not possible.

#include "plugin/gcc/compat.h"
#include "plugin/machine/machine.h"

int machine_code_flags(void)
{
    return -1;
}

double machine_code_cost(const struct machine_free *)
{
    return 1;
}

struct machine_code machine_code_add(tree, unsigned, const struct machine_free *)
{
    static bool is_reported;

    if (!is_reported)
        error("ccprof: the plugin has no code for %<profile=instructions%> on %qs",
              CCPROF_CPU);
    is_reported = true;
    return {xstrdup(""), 0, false};
}

struct machine_code machine_code_flush(tree, unsigned, unsigned,
                                       const struct machine_free *)
{
    return {xstrdup(""), 0, false};
}

struct machine_code machine_code_total(const char *, const struct machine_free *)
{
    gcc_unreachable();
}

struct machine_code machine_code_total_flush(const char *, unsigned,
                                             const struct machine_free *)
{
    gcc_unreachable();
}

struct machine_code machine_code_clear(unsigned, const struct machine_free *)
{
    return {xstrdup(""), 0, false};
}

struct machine_code machine_code_step(unsigned, const struct machine_free *)
{
    return {xstrdup(""), 0, false};
}

unsigned machine_code_slots(void)
{
    return 0;
}

struct machine_code machine_code_lend(unsigned, unsigned)
{
    return {xstrdup(""), 0, false};
}

struct machine_code machine_code_return(unsigned, unsigned)
{
    return {xstrdup(""), 0, false};
}

int machine_code_exclusive(const rtx_insn *)
{
    return 0;
}
