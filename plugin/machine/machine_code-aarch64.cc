// SPDX-License-Identifier: GPL-3.0-or-later
// Counters on aarch64. In executables the code adds to the thread's own variable, whose
// distance from the thread pointer the linker knows, if GCC can write this distance into
// the tables. Otherwise the code first reads the distance from the module's counters to
// the thread's copy (threadword.h), or 0 if there is no copy. An addition needs two
// registers. If fewer are free, the code saves two on the stack: Linux has no red zone
// here. No instruction changes the flags.

#include "plugin/gcc/compat.h"
#include "plugin/count/storage.h"
#include "plugin/count/threadword.h"
#include "plugin/machine/machine.h"
#include "rt/format.h"

#define PACKED    THREADWORD_PLACE(STORAGE_DELTA) "+32"
#define NEAR_COST 8.0
#define FAR_COST  12.0
#define SAVE_COST 2.0

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
    unsigned found = 0;

    for (unsigned r = R0_REGNUM; r < SP_REGNUM && found < 2; r++)
        if (free_there->registers & register_bit(r) && (int)r != busy)
            registers[found++] = r;
    if (found == 2)
        return false;
    found = 0;
    for (unsigned r = R0_REGNUM; found < 2; r++)
        if ((int)r != busy)
            registers[found++] = r;
    return true;
}

// Returns the name of the counters' variable for the assembler.
static const char *symbol_of_counters(tree counters)
{
    const char *symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(counters));

    return symbol + (*symbol == '*');
}

// The linker adds the counter's place in the row to the address, so a row may have any
// length.
static char *print_near(const char *symbol, unsigned offset, const char *a, const char *b,
                        const char *amount)
{
    return xasprintf("mrs\t%s, tpidr_el0\n\tadd\t%s, %s, #:tprel_hi12:%s+%u, lsl #12\n\t"
                     "ldr\t%s, [%s, #:tprel_lo12_nc:%s+%u]\n\tadd\t%s, %s, %s\n\t"
                     "str\t%s, [%s, #:tprel_lo12_nc:%s+%u]",
                     a, a, a, symbol, offset, b, a, symbol, offset, b, b, amount, b, a,
                     symbol, offset);
}

// The distance is a word of the thread.
static char *print_copy(const char *symbol, unsigned offset, const char *a, const char *b,
                        const char *amount)
{
    return xasprintf("mrs\t%s, tpidr_el0\n\t"
                     "add\t%s, %s, #:tprel_hi12:" STORAGE_DELTA ", lsl #12\n\t"
                     "ldr\t%s, [%s, #:tprel_lo12_nc:" STORAGE_DELTA "]\n\t"
                     "adrp\t%s, %s+%u\n\tadd\t%s, %s, %s\n\t"
                     "ldr\t%s, [%s, #:lo12:%s+%u]\n\tadd\t%s, %s, %s\n\t"
                     "str\t%s, [%s, #:lo12:%s+%u]",
                     a, a, a, a, a, b, symbol, offset, b, b, a, a, b, symbol, offset, a,
                     a, amount, a, b, symbol, offset);
}

// The distance is where the member PACKED of the module's place says.
static char *print_far(const char *symbol, unsigned offset, const char *a, const char *b,
                       const char *amount)
{
    return xasprintf("adrp\t%s, " PACKED "\n\tldr\t%s, [%s, #:lo12:" PACKED "]\n\t"
                     "cbz\t%s, 1f\n\tmrs\t%s, tpidr_el0\n\tldr\t%s, [%s, w%s, sxtw]\n\t"
                     "lsr\t%s, %s, #35\n\tldr\t%s, [%s, %s, lsl #3]\n"
                     "1:\tadrp\t%s, %s+%u\n\tadd\t%s, %s, %s\n\t"
                     "ldr\t%s, [%s, #:lo12:%s+%u]\n\tadd\t%s, %s, %s\n\t"
                     "str\t%s, [%s, #:lo12:%s+%u]",
                     a, a, a, a, b, b, b, a + 1, a, a, a, b, a, b, symbol, offset, b, b,
                     a, a, b, symbol, offset, a, a, amount, a, b, symbol, offset);
}

// Adds AMOUNT, an operand of add. BUSY is the register in it, or -1.
static struct machine_code make_add_code(tree counters, unsigned index,
                                         const char *amount,
                                         const struct machine_free *free_there, int busy)
{
    unsigned registers[2];
    bool saves = find_registers(registers, free_there, busy);
    const char *a = reg_names[registers[0]], *b = reg_names[registers[1]];
    auto print = DECL_THREAD_LOCAL_P(counters) ? print_near
                 : threadword_is_placed()      ? print_far
                                               : print_copy;
    char *text = print(symbol_of_counters(counters), 8 * index, a, b, amount);

    if (!saves)
        return {text, register_bit(registers[0]) | register_bit(registers[1]), false};
    char *made = xasprintf("stp\t%s, %s, [sp, #-16]!" MACHINE_MOVED "-16\n\t%s\n\t"
                           "ldp\t%s, %s, [sp], #16" MACHINE_MOVED "16",
                           a, b, text, a, b);
    free(text);
    return {made, 0, false};
}

struct machine_code machine_code_add(tree counters, unsigned index,
                                     const struct machine_free *free_there)
{
    return make_add_code(counters, index, "#1", free_there, -1);
}

struct machine_code machine_code_flush(tree counters, unsigned index, unsigned reg,
                                       const struct machine_free *free_there)
{
    return make_add_code(counters, index, reg_names[reg], free_there, (int)reg);
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
    return {xasprintf("mov\t%s, xzr", reg_names[reg]), register_bit(reg), false};
}

struct machine_code machine_code_step(unsigned reg, const struct machine_free *)
{
    const char *name = reg_names[reg];

    return {xasprintf("add\t%s, %s, #1", name, name), register_bit(reg), false};
}

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

int machine_code_exclusive(const rtx_insn *insn)
{
    subrtx_iterator::array_type array;

    FOR_EACH_SUBRTX (iter, array, PATTERN(insn), ALL)
        if (GET_CODE(*iter) == UNSPEC_VOLATILE) {
            if (XINT(*iter, 1) == UNSPECV_LX)
                return 1;
            if (XINT(*iter, 1) == UNSPECV_SX)
                return -1;
        }
    return 0;
}
