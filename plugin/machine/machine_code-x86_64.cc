// SPDX-License-Identifier: GPL-3.0-or-later
// Counters on x86-64. In executables one instruction adds to the thread's own variable,
// and changes the flags. In shared objects the code first reads the distance from the
// module's counters to the thread's copy (threadword.h), or 0 if there is no copy. Where
// registers or flags hold values, the code saves them below the red zone.

#include "plugin/gcc/compat.h"
#include "plugin/count/storage.h"
#include "plugin/count/threadword.h"
#include "plugin/machine/machine.h"

#define PLACE     THREADWORD_PLACE(STORAGE_DELTA)
#define SAVE_COST 4.0 // of making room below the red zone, saving and restoring

// The registers that the code uses if no other is free.
static const unsigned preferred[] = {AX_REG, DX_REG};

int machine_code_flags(void)
{
    return FLAGS_REG;
}

// Number of registers that the code needs.
static unsigned needs(tree counters, bool flags)
{
    return !DECL_THREAD_LOCAL_P(counters) ? 2 : flags ? 0 : 1;
}

double machine_code_cost(const struct machine_free *free)
{
    bool is_far = threadword_is_placed();
    unsigned needed = is_far ? 2 : free->flags ? 0 : 1;
    double cost = is_far ? 8 : free->flags ? 1 : 3;

    if (popcount_hwi(free->registers) < (int)needed)
        cost += SAVE_COST;
    if (is_far && !free->flags)
        cost += 10 * SAVE_COST;
    return cost;
}

// Prints the name of the 64-bit register.
static void print_register(char *name, size_t size, unsigned reg)
{
    snprintf(name, size, "%%%s%s", LEGACY_INT_REGNO_P(reg) ? "r" : "", reg_names[reg]);
}

char *machine_code_add(tree counters, unsigned index, const struct machine_free *free_there)
{
    const char *symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(counters));
    bool is_far = !DECL_THREAD_LOCAL_P(counters);
    bool saves_flags = is_far && !free_there->flags;
    unsigned needed = needs(counters, free_there->flags), count = 0;
    unsigned registers[2] = {0, 0};
    bool saved = false;
    char a[8], b[8], *add, *text;

    symbol += *symbol == '*';
    for (unsigned r = 0; r < 64 && count < needed; r++)
        if (free_there->registers >> r & 1)
            registers[count++] = r;
    if (count < needed) {
        saved = true;
        memcpy(registers, preferred, sizeof registers);
    }
    print_register(a, sizeof a, registers[0]);
    print_register(b, sizeof b, registers[1]);
    if (is_far)
        add = xasprintf("movq\t" PLACE "(%%rip), %s\n\ttestq\t%s, %s\n\tje\t1f\n\t"
                        "movq\t%%fs:(%s), %s\n\taddq\t" PLACE "+8(%%rip), %s\n\t"
                        "movq\t(%s), %s\n1:\tleaq\t%s+%u(%%rip), %s\n\t"
                        "addq\t$1, (%s,%s)",
                        a, a, a, a, a, a, a, a, symbol, 8 * index, b, a, b);
    else if (!needed)
        add = xasprintf("addq\t$1, %%fs:%s@tpoff+%u", symbol, 8 * index);
    else
        add = xasprintf("movq\t%%fs:%s@tpoff+%u, %s\n\tleaq\t1(%s), %s\n\t"
                        "movq\t%s, %%fs:%s@tpoff+%u",
                        symbol, 8 * index, a, a, a, a, symbol, 8 * index);
    if (saved || saves_flags) {
        char *saves = saved ? needed == 2 ? xasprintf("\n\tpushq\t%s\n\tpushq\t%s", a, b)
                                          : xasprintf("\n\tpushq\t%s", a)
                            : xstrdup("");
        char *restores = saved ? needed == 2
                                     ? xasprintf("\n\tpopq\t%s\n\tpopq\t%s", b, a)
                                     : xasprintf("\n\tpopq\t%s", a)
                               : xstrdup("");
        text = concat("leaq\t-128(%rsp), %rsp", saves_flags ? "\n\tpushfq" : "", saves,
                      "\n\t", add, restores, saves_flags ? "\n\tpopfq" : "",
                      "\n\tleaq\t128(%rsp), %rsp", NULL);
        free(saves);
        free(restores);
        free(add);
        add = text;
    }
    if (ASSEMBLER_DIALECT == 0)
        return add;
    text = concat(".att_syntax prefix\n\t", add, "\n\t.intel_syntax noprefix", NULL);
    free(add);
    return text;
}
