// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/machines.h"
#include "plugin/gcc/options.h"

// The processors that have a file of their own for each part that differs between
// processors (HACKING).
static const char *const cpus[] = {"x86_64", "aarch64", "riscv64"};

static const char *cpu = CCPROF_CPU; // of the compiler, by its machine's name

bool machines_pretend(const char *other)
{
    cpu = other;
    return true;
}

void machines_check(void *, void *)
{
    if (GET_MODE_BITSIZE(ptr_mode) != CCPROF_RT_BITS)
        error("ccprof: there is no runtime for this target: only for %d-bit code",
              CCPROF_RT_BITS);
    else if (BYTES_BIG_ENDIAN)
        error("ccprof: there is no runtime for this target: only for little-endian code");
    else {
        for (const char *name : cpus)
            if (!strcmp(name, cpu))
                return;
        error("ccprof: nothing can be measured on %qs: only on %qs, %qs and %qs", cpu,
              cpus[0], cpus[1], cpus[2]);
    }
}
