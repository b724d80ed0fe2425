/* SPDX-License-Identifier: MIT */
/* Finds RISC-V stores into the field by executing the next instructions, for the
   SIGPROF handler. Owns no data.

   A store is one of these sequences, with any registers, in this order, without
   compressed instructions. If a register still has a value, the instructions that
   load the value are missing.

     lui a0, HIGH; add a0, a0, tp; addi a0, a0, LOW
     auipc a0, NONE; addi a0, a0, NONE; ld a1, 16(a0); beqz a1, END;
         sext.w a0, a1; add a0, a0, tp
     auipc a1, SITE; addi a1, a1, SITE
     sd a1, 0(a0)  or  sd zero, 0(a0)

   Before a store, a callback loads the content of the field. It loads and restores
   the content with these sequences:

     auipc a0, PACKED; ld a0, PACKED(a0); beqz a0, END; sext.w a0, a0;
         add a0, a0, tp; ld a0, 0(a0)  or  sd a2, 0(a0)

   If there is a compressed instruction, no store has begun. The code below executes
   the other instructions with the registers at the signal, until an instruction stores
   into the field. It also executes additions of the program before a store. This is
   harmless, since they take no time. */

#define _GNU_SOURCE
#include <string.h>
#include <ucontext.h>

#include "rt/format.h"
#include "rt/os/memory.h"
#include "rt/unwind/cpu.h"

/* Number of instructions in the longest store, including the load before it. */
#define STORE_LONGEST 16

enum { STORE_THREAD = 4 }; /* register tp */

struct store_machine {
    uint64_t pc;
    uint64_t registers[32]; /* the first one is always 0 */
    uint64_t field;         /* address of the field */
    uint64_t packed;        /* PACKED of the field's struct ccprof_place */
    struct ccprof_safe_read readable;
};

static unsigned store_bits(uint32_t code, unsigned from, unsigned count)
{
    return code >> from & ((1u << count) - 1);
}

/* The constants in the instructions lui and auipc (high), and addi and ld (low). */
static uint64_t store_high(uint32_t code)
{
    return (uint64_t)(int64_t)(int32_t)(code & ~UINT32_C(0xfff));
}

static uint64_t store_low(uint32_t code)
{
    return (uint64_t)(int64_t)((int32_t)code >> 20);
}

/* Bits of the instructions, without registers and constants. */
enum store_kind {
    STORE_LUI = 0x37,
    STORE_AUIPC = 0x17,
    STORE_ADDI = 0x13,
    STORE_ADDIW = 0x1b,
    STORE_BEQ = 0x63,
    STORE_ADD = 0x33,
    STORE_LD = 0x3003,
    STORE_SD = 0x3023,
};

static enum store_kind store_kind_of(uint32_t code)
{
    unsigned opcode = store_bits(code, 0, 7);
    if (opcode == STORE_LUI || opcode == STORE_AUIPC)
        return opcode;
    if (opcode == STORE_ADD)
        return code & 0xfe00707f;
    return code & 0x707f;
}

/* Executes a load. Returns false unless it loads from the place or the field. */
static bool store_load(struct store_machine *machine, uint64_t address, uint64_t *to)
{
    return ccprof_safe_read(&machine->readable, address, to) &&
           (address == machine->field || *to == machine->packed);
}

/* Executes an instruction before the store. Returns false if CODE is none of the
   instructions above. */
static bool store_execute(struct store_machine *machine, uint32_t code)
{
    uint64_t *to = &machine->registers[store_bits(code, 7, 5)];
    uint64_t from = machine->registers[store_bits(code, 15, 5)];

    switch (store_kind_of(code)) {
    case STORE_LUI:
        *to = store_high(code);
        break;
    case STORE_AUIPC:
        *to = machine->pc + store_high(code);
        break;
    case STORE_ADDI:
        *to = from + store_low(code);
        break;
    case STORE_ADDIW:
        *to = (uint64_t)(int64_t)(int32_t)(from + store_low(code));
        break;
    case STORE_BEQ: /* changes no register */
        return store_bits(code, 20, 5) == 0 && from == machine->packed;
    case STORE_ADD:
        *to = from + machine->registers[store_bits(code, 20, 5)];
        break;
    case STORE_LD:
        if (!store_load(machine, from + store_low(code), to))
            return false;
        break;
    default:
        return false;
    }
    machine->registers[0] = 0;
    return true;
}

/* Reads the instruction at the program counter, which is even. Reads no memory after
   the instruction, since none may be mapped there. */
static bool store_fetch(struct store_machine *machine, uint32_t *code)
{
    unsigned skipped = machine->pc & 7;
    uint64_t value;

    if (skipped == 6)
        skipped = 0;
    if (!ccprof_safe_read(&machine->readable, machine->pc - skipped, &value))
        return false;
    *code = (uint32_t)(value >> 8 * skipped);
    return true;
}

bool ccprof_store_interrupted(const void *context, intptr_t offset, uint64_t *site)
{
    const ucontext_t *from = context;
    struct store_machine machine = {.packed = CCPROF_PLACE_PACKED(offset, 0)};
    uint32_t code;

    for (unsigned i = 1; i < 32; i++)
        machine.registers[i] = from->uc_mcontext.__gregs[i];
    machine.pc = from->uc_mcontext.__gregs[REG_PC];
    machine.field = machine.registers[STORE_THREAD] + (uint64_t)offset;
    for (unsigned i = 0; i < STORE_LONGEST; i++, machine.pc += sizeof code) {
        if (!store_fetch(&machine, &code))
            return false;
        if (store_kind_of(code) == STORE_SD && store_bits(code, 7, 5) == 0 &&
            store_bits(code, 25, 7) == 0 &&
            machine.registers[store_bits(code, 15, 5)] == machine.field) {
            *site = machine.registers[store_bits(code, 20, 5)];
            return true;
        }
        if (!store_execute(&machine, code))
            return false;
    }
    return false;
}
