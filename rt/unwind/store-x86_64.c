/* SPDX-License-Identifier: MIT */
/* Decodes the stores of x86-64 code.  slot: constructor; begun: the SIGPROF handler.

   A store is one of these, with any register for rax and rcx, and endbr64 before it where
   a function starts:

       lea SITE(%rip),%rax; mov %rax,%fs:OFFSET
       movq $SITE,%fs:OFFSET
       mov SLOT(%rip),%rcx; lea SITE(%rip),%rax; mov %rax,%fs:(%rcx)
       mov SLOT(%rip),%rcx; movq $SITE,%fs:(%rcx)

   Before it a callback loads what the field holds, in the same ways.  */

#define _GNU_SOURCE
#include <string.h>
#include <ucontext.h>

#include "rt/os/safe-read.h"
#include "rt/unwind/cpu.h"
#include "rt/unwind/store.h"

/* With a load before it.  */
#define STORE_LONGEST 56

static const uint8_t store_endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};

/* On the way through the instructions.  */
struct store_code {
    uint8_t byte[STORE_LONGEST + 16]; /* zeros behind what can be read */
    unsigned at;
    uint64_t address; /* of the first one */
    const greg_t *registers;
};

intptr_t *ccprof_store_slot(ccprof_store_offset *function)
{
    static const uint8_t load[] = {0x48, 0x8b, 0x05};
    const uint8_t *code = (const uint8_t *)(uintptr_t)function;
    int32_t distance;

    if (memcmp(code, store_endbr, sizeof store_endbr) != 0 ||
        memcmp(code + sizeof store_endbr, load, sizeof load) != 0)
        return NULL;
    code += sizeof store_endbr + sizeof load;
    memcpy(&distance, code, sizeof distance);
    return (intptr_t *)((uintptr_t)code + sizeof distance +
                        (uintptr_t)(intptr_t)distance);
}

static int32_t store_number(const struct store_code *code, unsigned at)
{
    int32_t number;
    memcpy(&number, code->byte + code->at + at, sizeof number);
    return number;
}

/* The register of an instruction's field, whose upper bit is in its prefix.  */
static uint64_t store_register(const struct store_code *code, unsigned field, bool upper)
{
    static const uint8_t order[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                    REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                    REG_R12, REG_R13, REG_R14, REG_R15};
    return (uint64_t)code->registers[order[(field & 7) + (upper ? 8 : 0)]];
}

/* Skips OPCODE d(%rip),%r and gives the address; 0 if there is none.  */
static uint64_t store_relative(struct store_code *code, uint8_t opcode)
{
    const uint8_t *byte = code->byte + code->at;

    if ((byte[0] & ~4u) != 0x48 || byte[1] != opcode || (byte[2] & 0xc7) != 0x05)
        return 0;
    int32_t distance = store_number(code, 3);
    code->at += 7;
    return code->address + code->at + (uint64_t)(int64_t)distance;
}

/* Whether the operand at AT, behind the opcode, is the field; *END is behind it.  */
static bool store_is_field(const struct store_code *code, unsigned at, intptr_t offset,
                           bool known, unsigned *end)
{
    const uint8_t *byte = code->byte + code->at;
    unsigned mode = byte[at] >> 6, base = byte[at] & 7;

    if (mode == 0 && base == 4 && byte[at + 1] == 0x25) {
        *end = at + 6;
        return store_number(code, at + 2) == offset;
    }
    *end = at + 1;
    return mode == 0 && base != 4 && base != 5 &&
           (!known || (intptr_t)store_register(code, base, byte[1] & 1) == offset);
}

/* Skips the load of the field into a register; returns whether there is one.  It may have
   left the offset in the store's register, which is then not known yet.  */
static bool store_skip_load(struct store_code *code, intptr_t offset)
{
    unsigned before = code->at, end;
    bool known = store_relative(code, 0x8b) == 0;
    const uint8_t *byte = code->byte + code->at;

    if (byte[0] == 0x64 && (byte[1] & ~5u) == 0x48 && byte[2] == 0x8b &&
        store_is_field(code, 3, offset, known, &end)) {
        code->at += end;
        return true;
    }
    code->at = before;
    return false;
}

bool ccprof_store_begun(const void *context, intptr_t offset, uint64_t *site)
{
    struct store_code code = {.address = ccprof_cpu_pc(context)};
    struct ccprof_safe_read readable = {0};
    const ucontext_t *from = context;
    unsigned end;

    code.registers = from->uc_mcontext.gregs;
    for (unsigned i = 0; i < STORE_LONGEST; i += sizeof(uint64_t)) {
        uint64_t word;
        if (!ccprof_safe_read(&readable, code.address + i, &word))
            break;
        memcpy(code.byte + i, &word, sizeof word);
    }
    if (memcmp(code.byte, store_endbr, sizeof store_endbr) == 0)
        code.at = sizeof store_endbr;
    bool loads = store_skip_load(&code, offset);
    bool known = store_relative(&code, 0x8b) == 0 && !loads;
    uint64_t loaded = store_relative(&code, 0x8d);
    const uint8_t *byte = code.byte + code.at;
    if (byte[0] != 0x64 || (byte[1] & ~5u) != 0x48 ||
        !store_is_field(&code, 3, offset, known, &end))
        return false;
    if (byte[2] == 0xc7 && (byte[3] & 0x38) == 0)
        *site = (uint64_t)(int64_t)store_number(&code, end);
    else if (byte[2] == 0x89)
        *site = loaded ? loaded : store_register(&code, byte[3] >> 3, byte[1] & 4);
    else
        return false;
    return true;
}
