// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/machines.h"
#include "plugin/gcc/options.h"

// Kinds that change the code write a few instructions as text, and ask for thread-local
// words in the linker's terms: by processor.  Tables need neither, but that the assembler
// knows distances.
static const struct {
    const char *name;
    unsigned kinds;
} cpus[] = {
    {"x86_64", ~0u},
    {"aarch64", ~0u},
    {"riscv64", ~0u & ~CCPROF_KIND_FIELD},
};

static const char *cpu = CCPROF_CPU; // of the compiler, by its machine's name

bool machines_pretend(const char *other)
{
    cpu = other;
    return true;
}

static void check_kinds(unsigned can)
{
    for (unsigned bits = options.kinds & ~can; bits; bits &= bits - 1)
        error("ccprof: %<profile=%s%> is not made for %qs, where %<profile=time%> can be "
              "had",
              options_kind_name(bits & -bits), cpu);
}

void machines_check(void *, void *)
{
    if (GET_MODE_BITSIZE(ptr_mode) != CCPROF_RT_BITS)
        error("ccprof: there is no runtime for this target: only for %d-bit code",
              CCPROF_RT_BITS);
    else if (BYTES_BIG_ENDIAN)
        error("ccprof: there is no runtime for this target: only for little-endian code");
    else {
        for (const auto &c : cpus)
            if (!strcmp(c.name, cpu)) {
                check_kinds(c.kinds);
                return;
            }
        error("ccprof: nothing can be measured on %qs: only on %qs, %qs and %qs", cpu,
              cpus[0].name, cpus[1].name, cpus[2].name);
    }
}
