// SPDX-License-Identifier: GPL-3.0-or-later
// Counters on x86-64. In executables one instruction adds to the thread's own variable,
// and changes the flags. In shared objects the code first reads the distance from the
// module's counters to the thread's copy (threadword.h), or 0 if there is no copy. Where
// registers or flags hold values, the code saves them below the red zone.

#include "plugin/gcc/compat.h"
#include "plugin/count/storage.h"
#include "plugin/count/threadword.h"
#include "plugin/machine/machine.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "tm_p.h"

#define PLACE      THREADWORD_PLACE(STORAGE_DELTA)
#define WORD_PLACE THREADWORD_PLACE(INCLUSIVE_WORD)
#define TOTAL      "16" // offset in struct ccprof_stack_thread
#define OWN_TOTAL  "%%fs:" MACHINE_WORD "@tpoff+16+" TOTAL
#define SAVE_COST  4.0  // of making room below the red zone, saving and restoring
#define FLAGS_COST 40.0 // of saving the flags, which is slow
#define PUSHED     MACHINE_MOVED "-8"
#define POPPED     MACHINE_MOVED "8"

namespace
{
// The registers of an addition: two of them, of which some are saved.
struct scratch {
    char names[2][8];
    uint64_t registers;
    unsigned count;
    bool saved, saves_flags;
};
} // namespace

#define NO_REGISTER 64u

static const struct machine_free no_flags = {0, false};

int machine_code_flags(void)
{
    return FLAGS_REG;
}

// Returns how many registers an addition of 1 needs.
static unsigned registers_needed(bool is_far, bool flags)
{
    return is_far ? 2 : flags ? 0 : 1;
}

double machine_code_cost(const struct machine_free *free)
{
    bool is_far = threadword_is_placed();
    double cost = is_far ? 8 : free->flags ? 1 : 3;

    if (popcount_hwi(free->registers) < (int)registers_needed(is_far, free->flags))
        cost += SAVE_COST;
    return is_far && !free->flags ? cost + FLAGS_COST : cost;
}

static void print_register(char *name, size_t size, unsigned reg)
{
    snprintf(name, size, "%%%s%s", LEGACY_INT_REGNO_P(reg) ? "r" : "", reg_names[reg]);
}

// Finds COUNT registers besides BUSY, free ones if there are enough.
static struct scratch find_scratch(unsigned count, const struct machine_free *free_there,
                                   int busy)
{
    static const unsigned any[] = {AX_REG, DX_REG, CX_REG};
    struct scratch scratch = {{"", ""}, 0, count, false, false};
    unsigned found = 0;

    for (unsigned r = 0; r < 64 && found < count; r++)
        if (free_there->registers >> r & 1 && (int)r != busy) {
            print_register(scratch.names[found++], sizeof *scratch.names, r);
            scratch.registers |= (uint64_t)1 << r;
        }
    if (found == count)
        return scratch;
    scratch.registers = 0;
    scratch.saved = true;
    found = 0;
    for (unsigned r : any)
        if ((int)r != busy && found < count)
            print_register(scratch.names[found++], sizeof *scratch.names, r);
    return scratch;
}

// Returns TEXT with code around it that saves the registers and flags. Frees TEXT.
static char *save_around(char *text, const struct scratch *scratch)
{
    const char *a = scratch->names[0], *b = scratch->names[1];
    bool two = scratch->saved && scratch->count == 2, one = scratch->saved;

    if (!scratch->saved && !scratch->saves_flags)
        return text;
    char *made =
        concat("leaq\t-128(%rsp), %rsp" MACHINE_MOVED "-128",
               scratch->saves_flags ? "\n\tpushfq" PUSHED : "", one ? "\n\tpushq\t" : "",
               one ? a : "", one ? PUSHED : "", two ? "\n\tpushq\t" : "", two ? b : "",
               two ? PUSHED : "", "\n\t", text, two ? "\n\tpopq\t" : "", two ? b : "",
               two ? POPPED : "", one ? "\n\tpopq\t" : "", one ? a : "",
               one ? POPPED : "", scratch->saves_flags ? "\n\tpopfq" POPPED : "",
               "\n\tleaq\t128(%rsp), %rsp" MACHINE_MOVED "128", NULL);
    free(text);
    return made;
}

// Returns the code TEXT, which changes REGISTERS and, if they are free, the flags. Frees
// TEXT.
static struct machine_code finish_code(char *text, uint64_t registers,
                                       const struct machine_free *free_there)
{
    if (ASSEMBLER_DIALECT != 0) {
        char *made =
            concat(".att_syntax prefix\n\t", text, "\n\t.intel_syntax noprefix", NULL);
        free(text);
        text = made;
    }
    return {text, registers, free_there->flags};
}

// Returns the name of the counters' variable for the assembler.
static const char *symbol_of_counters(tree counters)
{
    const char *symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(counters));

    return symbol + (*symbol == '*');
}

// Adds AMOUNT, an operand, to the module's counter, in the thread's copy if there is one.
static struct machine_code add_far(tree counters, unsigned index, const char *amount,
                                   const struct machine_free *free_there, int busy)
{
    struct scratch scratch = find_scratch(2, free_there, busy);
    const char *a = scratch.names[0], *b = scratch.names[1];

    scratch.saves_flags = !free_there->flags;
    char *text = xasprintf("movq\t" PLACE "(%%rip), %s\n\ttestq\t%s, %s\n\tje\t1f\n\t"
                           "movq\t%%fs:(%s), %s\n\taddq\t" PLACE "+8(%%rip), %s\n\t"
                           "movq\t(%s), %s\n1:\tleaq\t%s+%u(%%rip), %s\n\t"
                           "addq\t%s, (%s,%s)",
                           a, a, a, a, a, a, a, a, symbol_of_counters(counters),
                           8 * index, b, amount, a, b);
    return finish_code(save_around(text, &scratch), scratch.registers, free_there);
}

// Adds AMOUNT, $1 or a register, to the thread's variable. If the flags hold values, lea
// adds in a register.
static struct machine_code add_near(tree counters, unsigned index, const char *amount,
                                    const struct machine_free *free_there, int busy)
{
    const char *symbol = symbol_of_counters(counters);

    if (free_there->flags)
        return finish_code(
            xasprintf("addq\t%s, %%fs:%s@tpoff+%u", amount, symbol, 8 * index), 0,
            free_there);
    struct scratch scratch = find_scratch(1, free_there, busy);
    const char *a = scratch.names[0];
    char *address =
        *amount == '$' ? xasprintf("1(%s)", a) : xasprintf("(%s,%s)", a, amount);
    char *text = xasprintf(
        "movq\t%%fs:%s@tpoff+%u, %s\n\tleaq\t%s, %s\n\tmovq\t%s, %%fs:%s@tpoff+%u",
        symbol, 8 * index, a, address, a, a, symbol, 8 * index);
    free(address);
    return finish_code(save_around(text, &scratch), scratch.registers, free_there);
}

struct machine_code machine_code_add(tree counters, unsigned index,
                                     const struct machine_free *free_there)
{
    return DECL_THREAD_LOCAL_P(counters) ? add_near(counters, index, "$1", free_there, -1)
                                         : add_far(counters, index, "$1", free_there, -1);
}

struct machine_code machine_code_flush(tree counters, unsigned index, unsigned reg,
                                       const struct machine_free *free_there)
{
    char name[8];

    print_register(name, sizeof name, reg);
    return DECL_THREAD_LOCAL_P(counters)
               ? add_near(counters, index, name, free_there, (int)reg)
               : add_far(counters, index, name, free_there, (int)reg);
}

static_assert(offsetof(struct ccprof_stack_thread, total) == 16, "TOTAL says so");

// Adds AMOUNT, a register or a constant, to the thread's total, by one instruction, so
// that no signal handler's additions are lost. BEFORE sets the first of the NEEDED
// registers, if AMOUNT is not a constant. BUSY is a register, or -1.
static struct machine_code add_to_total(const char *amount, unsigned busy_reg,
                                        const struct machine_free *free_there)
{
    bool is_far = threadword_is_placed(), is_constant = busy_reg == NO_REGISTER;
    struct scratch scratch = find_scratch((is_far ? 1 : 0) + (is_constant ? 0 : 1),
                                          free_there, is_constant ? -1 : (int)busy_reg);
    const char *a = scratch.count ? scratch.names[scratch.count - 1] : "";
    char before[64] = "", busy[8] = "", *text;

    scratch.saves_flags = !free_there->flags;
    if (!is_constant) {
        print_register(busy, sizeof busy, busy_reg);
        snprintf(before, sizeof before, "imulq\t$%s, %s, %s\n\t", amount, busy,
                 scratch.names[0]);
    }
    const char *sign = is_constant ? "$" : "";
    const char *added = is_constant ? amount : scratch.names[0];
    if (is_far)
        text =
            xasprintf("%smovq\t" WORD_PLACE "(%%rip), %s\n\ttestq\t%s, %s\n\tje\t1f\n\t"
                      "movq\t%%fs:(%s), %s\n\taddq\t" WORD_PLACE "+8(%%rip), %s\n\t"
                      "movq\t(%s), %s\n\taddq\t%s%s, " TOTAL "(%s)\n1:",
                      before, a, a, a, a, a, a, a, a, sign, added, a);
    else
        text = xasprintf("%saddq\t%s%s, " OWN_TOTAL, before, sign, added);
    return finish_code(save_around(text, &scratch), scratch.registers, free_there);
}

struct machine_code machine_code_total(const char *amount,
                                       const struct machine_free *free_there)
{
    return add_to_total(amount, NO_REGISTER, free_there);
}

struct machine_code machine_code_total_flush(const char *amount, unsigned reg,
                                             const struct machine_free *free_there)
{
    return add_to_total(amount, reg, free_there);
}

struct machine_code machine_code_clear(unsigned reg,
                                       const struct machine_free *free_there)
{
    char name[8];

    print_register(name, sizeof name, reg);
    return finish_code(free_there->flags ? xasprintf("xorq\t%s, %s", name, name)
                                         : xasprintf("movq\t$0, %s", name),
                       (uint64_t)1 << reg, free_there);
}

struct machine_code machine_code_step(unsigned reg, const struct machine_free *free_there)
{
    char name[8];

    print_register(name, sizeof name, reg);
    return finish_code(free_there->flags ? xasprintf("addq\t$1, %s", name)
                                         : xasprintf("leaq\t1(%s), %s", name, name),
                       (uint64_t)1 << reg, free_there);
}

unsigned machine_code_slots(void)
{
    if (!ix86_using_red_zone() || crtl->drap_reg)
        return 0;
    return (RED_ZONE_SIZE - cfun->machine->frame.red_zone_size) / 8;
}

struct machine_code machine_code_lend(unsigned reg, unsigned slot)
{
    char name[8];

    print_register(name, sizeof name, reg);
    return finish_code(xasprintf("movq\t%s, -%u(%%rsp)", name, RED_ZONE_SIZE - 8 * slot),
                       0, &no_flags);
}

struct machine_code machine_code_return(unsigned reg, unsigned slot)
{
    char name[8];

    print_register(name, sizeof name, reg);
    return finish_code(xasprintf("movq\t-%u(%%rsp), %s", RED_ZONE_SIZE - 8 * slot, name),
                       0, &no_flags);
}

int machine_code_exclusive(const rtx_insn *)
{
    return 0;
}
