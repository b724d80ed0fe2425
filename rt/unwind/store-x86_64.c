/* SPDX-License-Identifier: MIT */
/* Decodes x86-64 stores into the field, for the SIGPROF handler. Owns no data.

   A store is one of these sequences, with any registers instead of rax and rcx. At
   the start of a function there is an endbr64 before the store.

     lea SITE(%rip),%rax; mov %rax,%fs:OFFSET
     movq $SITE,%fs:OFFSET
     mov SLOT(%rip),%rcx; lea SITE(%rip),%rax; GUARD; mov %rax,%fs:(%rcx)
     mov SLOT(%rip),%rcx; GUARD; movq $SITE,%fs:(%rcx)

   GUARD, which may be missing, jumps over the store while the slot is 0:

     test %rcx,%rcx; je
     jrcxz

   Before a store, a callback loads the content of the field in the same ways. */

#define _GNU_SOURCE
#include <string.h>
#include <ucontext.h>

#include "rt/os/memory.h"
#include "rt/unwind/cpu.h"

/* Number of bytes of the longest store, including the load before it. */
#define STORE_LONGEST 56

static const uint8_t store_endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};

/* The instructions being decoded. */
struct store_code {
    uint8_t byte[STORE_LONGEST + 16]; /* unreadable bytes are zeros */
    unsigned position;
    uint64_t address; /* address of the first byte */
    const greg_t *registers;
};

static int32_t store_number(const struct store_code *code, unsigned index)
{
    int32_t number;
    memcpy(&number, code->byte + code->position + index, sizeof number);
    return number;
}

/* Returns the register for a field of 3 bits. UPPER is the register number's fourth
   bit, from the prefix. */
static uint64_t store_register(const struct store_code *code, unsigned field, bool upper)
{
    static const uint8_t order[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                    REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                    REG_R12, REG_R13, REG_R14, REG_R15};
    return (uint64_t)code->registers[order[(field & 7) + (upper ? 8 : 0)]];
}

/* Skips the instruction OPCODE d(%rip),%r and returns the operand's address. Returns
   0, and skips nothing, if there is another instruction. */
static uint64_t store_relative(struct store_code *code, uint8_t opcode)
{
    const uint8_t *byte = code->byte + code->position;

    if ((byte[0] & ~4u) != 0x48 || byte[1] != opcode || (byte[2] & 0xc7) != 0x05)
        return 0;
    int32_t distance = store_number(code, 3);
    code->position += 7;
    return code->address + code->position + (uint64_t)(int64_t)distance;
}

/* Returns whether the operand at INDEX, after the opcode, is the field. KNOWN: the
   register already has the offset. Sets *END to the end of the operand. */
static bool store_is_field(const struct store_code *code, unsigned index, intptr_t offset,
                           bool known, unsigned *end)
{
    const uint8_t *byte = code->byte + code->position;
    unsigned mode = byte[index] >> 6, base = byte[index] & 7;

    if (mode == 0 && base == 4 && byte[index + 1] == 0x25) {
        *end = index + 6;
        return store_number(code, index + 2) == offset;
    }
    *end = index + 1;
    return mode == 0 && base != 4 && base != 5 &&
           (!known || (intptr_t)store_register(code, base, byte[1] & 1) == offset);
}

/* Skips a guard. Returns the target address of its jump, or 0 if there is no guard. */
static uint64_t store_guard(struct store_code *code)
{
    const uint8_t *byte = code->byte + code->position;
    bool tests = (byte[0] & ~5u) == 0x48 && byte[1] == 0x85 && byte[2] >= 0xc0;
    unsigned length = tests ? 3 : 0;

    if (byte[length] != 0x74 && (tests || byte[length] != 0xe3))
        return 0;
    code->position += length + 2;
    return code->address + code->position + byte[length + 1];
}

/* Skips a load of the field into a register. Returns whether there is a load. The
   instruction before the load may also set the register for the store, so this
   register's value is not known yet. */
static bool store_skip_load(struct store_code *code, intptr_t offset)
{
    unsigned before = code->position, end;
    bool known = store_relative(code, 0x8b) == 0;
    uint64_t target = store_guard(code);
    const uint8_t *byte = code->byte + code->position;

    if (byte[0] == 0x64 && (byte[1] & ~5u) == 0x48 && byte[2] == 0x8b &&
        store_is_field(code, 3, offset, known, &end) &&
        (!target || target == code->address + code->position + end)) {
        code->position += end;
        return true;
    }
    code->position = before;
    return false;
}

bool ccprof_store_interrupted(const void *context, intptr_t offset, uint64_t *site)
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
        code.position = sizeof store_endbr;
    bool loads = store_skip_load(&code, offset);
    bool known = store_relative(&code, 0x8b) == 0 && !loads;
    uint64_t loaded = store_relative(&code, 0x8d);
    uint64_t target = store_guard(&code);
    const uint8_t *byte = code.byte + code.position;
    if (byte[0] != 0x64 || (byte[1] & ~5u) != 0x48 ||
        !store_is_field(&code, 3, offset, known, &end))
        return false;
    if (target &&
        target != code.address + code.position + end + (byte[2] == 0xc7 ? 4 : 0))
        return false;
    if (byte[2] == 0xc7 && (byte[3] & 0x38) == 0)
        *site = (uint64_t)(int64_t)store_number(&code, end);
    else if (byte[2] == 0x89)
        *site = loaded ? loaded : store_register(&code, byte[3] >> 3, byte[1] & 4);
    else
        return false;
    return true;
}
