/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/program/kernel.h"
#include "mlprof/base/buf.h"
#include "mlprof/elf/system-calls.h"

#include <string.h>

uint32_t kernel_module(const struct profile *profile)
{
    uint32_t module = 0;
    while (module < profile->module_count &&
           strcmp(profile->modules[module].path, CCPROF_KERNEL) != 0)
        module++;
    return module;
}

char *kernel_name(const struct program *program, uint64_t address)
{
    if (address == CCPROF_KERNEL_INTERRUPTED)
        return buf_copy("page fault");
    if (address < CCPROF_KERNEL_CALLS)
        return buf_copy("kernel");
    return system_calls_name(tables_holder(program->tables[0])->machine,
                             address - CCPROF_KERNEL_CALLS);
}
