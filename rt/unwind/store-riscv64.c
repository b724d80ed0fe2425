/* SPDX-License-Identifier: MIT */
/* Follows the stores of RISC-V code into the field, for the SIGPROF handler.  Owns
   nothing.

   A store is one of these sequences, with any registers, in this order, with no
   compressed instruction.  Where a register still holds a value, it is not loaded again.
       lui a0, HIGH; add a0, a0, tp; addi a0, a0, LOW
       auipc a0, NONE; addi a0, a0, NONE; ld a1, 16(a0); beqz a1, BEHIND;
           sext.w a0, a1; add a0, a0, tp
       auipc a1, SITE; addi a1, a1, SITE
       sd a1, 0(a0)  or  sd zero, 0(a0)
   Before a store, a callback loads the content of the field; this and what it puts back
   is done by
       auipc a0, PACKED; ld a0, PACKED(a0); beqz a0, BEHIND; sext.w a0, a0;
           add a0, a0, tp; ld a0, 0(a0)  or  sd a2, 0(a0)
   A compressed instruction means that no store has begun.  Here the other
   instructions are executed with the registers that the signal found, until one stores
   into the field.  The program's own additions before a store are executed, too, which
   does no harm: they take no time.  */

#define _GNU_SOURCE
#include <string.h>
#include <ucontext.h>

#include "rt/format.h"
#include "rt/os/memory.h"
#include "rt/unwind/cpu.h"

/* Instructions of the longest store, with the load before it.  */
#define STORE_LONGEST 16

enum { STORE_THREAD = 4 }; /* register tp */

struct store_machine {
    uint64_t pc;
    uint64_t registers[32]; /* the first one is always 0 */
    uint64_t field;         /* the address of the field */
    uint64_t packed;        /* of the field's places (struct ccprof_place) */
    struct ccprof_safe_read readable;
};

static unsigned store_bits(uint32_t code, unsigned from, unsigned count)
{
    return code >> from & ((1u << count) - 1);
}

/* The constants in instructions: of lui and auipc, and of addi and ld.  */
static uint64_t store_high(uint32_t code)
{
    return (uint64_t)(int64_t)(int32_t)(code & ~UINT32_C(0xfff));
}

static uint64_t store_low(uint32_t code)
{
    return (uint64_t)(int64_t)((int32_t)code >> 20);
}

/* The instruction's bits without its registers and constants.  */
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

/* Executes a load; returns false unless it loads the place or the field.  */
static bool store_load(struct store_machine *machine, uint64_t address, uint64_t *to)
{
    return ccprof_safe_read(&machine->readable, address, to) &&
           (address == machine->field || *to == machine->packed);
}

/* Executes an instruction before the store; returns false if CODE is none of those
   above.  */
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
    case STORE_BEQ: /* has no register that it changes */
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

/* Reads the instruction at the program counter, which is even.  No memory behind the
   instruction is read, since none may be mapped there.  */
static bool store_fetch(struct store_machine *machine, uint32_t *code)
{
    unsigned behind = machine->pc & 7;
    uint64_t value;

    if (behind == 6)
        behind = 0;
    if (!ccprof_safe_read(&machine->readable, machine->pc - behind, &value))
        return false;
    *code = (uint32_t)(value >> 8 * behind);
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
