// SPDX-License-Identifier: GPL-3.0-or-later
// Counters on riscv64. In executables the code adds to the thread's own variable, whose
// distance from the thread pointer the linker knows, if GCC can write this distance into
// the tables. Otherwise the code first reads the distance from the module's counters to
// the thread's copy (threadword.h), or 0 if there is no copy. An addition needs two
// registers. If fewer are free, the code saves two on the stack: Linux has no red zone
// here. The processor has no flags. Each line is one instruction, because GCC computes
// the length of the code from the lines.

#include "plugin/gcc/compat.h"
#include "plugin/count/storage.h"
#include "plugin/count/threadword.h"
#include "plugin/machine/machine.h"
#include "rt/format.h"

#define PACKED    THREADWORD_PLACE(STORAGE_DELTA) "+32"
#define NEAR_COST 9.0
#define FAR_COST  15.0
#define SAVE_COST 6.0

static_assert(offsetof(struct ccprof_place, packed) == 32,
              "the instructions below say where this is");

int machine_code_flags(void)
{
    return -1;
}

double machine_code_cost(const struct machine_free *free)
{
    double cost = threadword_is_placed() ? FAR_COST : NEAR_COST;

    return popcount_hwi(free->registers) < 2 ? cost + SAVE_COST : cost;
}

static uint64_t register_bit(unsigned reg)
{
    return (uint64_t)1 << reg;
}

// Sets REGISTERS to two registers besides BUSY, free ones if there are two. Returns true
// if the registers hold values.
static bool find_registers(unsigned registers[2], const struct machine_free *free_there,
                           int busy)
{
    static const unsigned arguments[] = {GP_ARG_FIRST, GP_ARG_FIRST + 1,
                                         GP_ARG_FIRST + 2};
    unsigned found = 0;

    for (unsigned r = GP_REG_FIRST; r <= GP_REG_LAST && found < 2; r++)
        if (free_there->registers & register_bit(r) && (int)r != busy)
            registers[found++] = r;
    if (found == 2)
        return false;
    found = 0;
    for (unsigned r : arguments)
        if ((int)r != busy && found < 2)
            registers[found++] = r;
    return true;
}

// Returns the name of the counters' variable for the assembler.
static const char *symbol_of_counters(tree counters)
{
    const char *symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(counters));

    return symbol + (*symbol == '*');
}

// ADDITION adds to the register B. The linker adds the counter's place in the row, so a
// row may have any length.
static char *print_near(const char *symbol, unsigned offset, const char *a, const char *b,
                        const char *addition)
{
    return xasprintf("lui\t%s, %%tprel_hi(%s+%u)\n\t"
                     "add\t%s, %s, tp, %%tprel_add(%s+%u)\n\t"
                     "ld\t%s, %%tprel_lo(%s+%u)(%s)\n\t%s\n\t"
                     "sd\t%s, %%tprel_lo(%s+%u)(%s)",
                     a, symbol, offset, a, a, symbol, offset, b, symbol, offset, a,
                     addition, b, symbol, offset, a);
}

// The distance is a word of the thread.
static char *print_copy(const char *symbol, unsigned offset, const char *a, const char *b,
                        const char *addition)
{
    return xasprintf(
        "lui\t%s, %%tprel_hi(" STORAGE_DELTA ")\n\t"
        "add\t%s, %s, tp, %%tprel_add(" STORAGE_DELTA ")\n\t"
        "ld\t%s, %%tprel_lo(" STORAGE_DELTA ")(%s)\n"
        "1:\tauipc\t%s, %%pcrel_hi(%s+%u)\n\taddi\t%s, %s, %%pcrel_lo(1b)\n\t"
        "add\t%s, %s, %s\n\tld\t%s, 0(%s)\n\t%s\n\tsd\t%s, 0(%s)",
        a, a, a, a, a, b, symbol, offset, b, b, a, a, b, b, a, addition, b, a);
}

// The distance is where the member PACKED of the module's place says.
static char *print_far(const char *symbol, unsigned offset, const char *a, const char *b,
                       const char *addition)
{
    return xasprintf(
        "\n1:\tauipc\t%s, %%pcrel_hi(" PACKED ")\n\t"
        "ld\t%s, %%pcrel_lo(1b)(%s)\n\tbeqz\t%s, 2f\n\tsext.w\t%s, %s\n\t"
        "add\t%s, %s, tp\n\tld\t%s, 0(%s)\n\tsrli\t%s, %s, 32\n\t"
        "add\t%s, %s, %s\n\tld\t%s, -1(%s)\n"
        "2:\tauipc\t%s, %%pcrel_hi(%s+%u)\n\taddi\t%s, %s, %%pcrel_lo(2b)\n\t"
        "add\t%s, %s, %s\n\tld\t%s, 0(%s)\n\t%s\n\tsd\t%s, 0(%s)",
        a, a, a, a, b, a, b, b, b, b, a, a, a, a, b, a, a, b, symbol, offset, b, b, a, a,
        b, b, a, addition, b, a);
}

// Adds the register AMOUNT, or 1 if AMOUNT is -1.
static struct machine_code make_add_code(tree counters, unsigned index, int amount,
                                         const struct machine_free *free_there)
{
    unsigned registers[2];
    bool saves = find_registers(registers, free_there, amount);
    const char *a = reg_names[registers[0]], *b = reg_names[registers[1]];
    char addition[40];

    if (amount < 0)
        snprintf(addition, sizeof addition, "addi\t%s, %s, 1", b, b);
    else
        snprintf(addition, sizeof addition, "add\t%s, %s, %s", b, b, reg_names[amount]);
    auto print = DECL_THREAD_LOCAL_P(counters) ? print_near
                 : threadword_is_placed()      ? print_far
                                               : print_copy;
    char *text = print(symbol_of_counters(counters), 8 * index, a, b, addition);
    if (!saves)
        return {text, register_bit(registers[0]) | register_bit(registers[1]), false};
    char *made = xasprintf("addi\tsp, sp, -16" MACHINE_MOVED "-16\n\t"
                           "sd\t%s, 0(sp)\n\tsd\t%s, 8(sp)\n\t%s\n\t"
                           "ld\t%s, 0(sp)\n\tld\t%s, 8(sp)\n\t"
                           "addi\tsp, sp, 16" MACHINE_MOVED "16",
                           a, b, text, a, b);
    free(text);
    return {made, 0, false};
}

struct machine_code machine_code_add(tree counters, unsigned index,
                                     const struct machine_free *free_there)
{
    return make_add_code(counters, index, -1, free_there);
}

struct machine_code machine_code_flush(tree counters, unsigned index, unsigned reg,
                                       const struct machine_free *free_there)
{
    return make_add_code(counters, index, (int)reg, free_there);
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

struct machine_code machine_code_clear(unsigned reg, const struct machine_free *)
{
    return {xasprintf("mv\t%s, zero", reg_names[reg]), register_bit(reg), false};
}

struct machine_code machine_code_step(unsigned reg, const struct machine_free *)
{
    const char *name = reg_names[reg];

    return {xasprintf("addi\t%s, %s, 1", name, name), register_bit(reg), false};
}

// GCC has each loop of this kind in one insn.
// Linux has no red zone here.
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
