/* SPDX-License-Identifier: MIT */
/* Finds AArch64 stores into the field by executing the next instructions, for the
   SIGPROF handler. Owns no data.

   A store is one of these sequences, with any registers, in this order. If a register
   still has a value, the instructions that load the value are missing. At the start
   of a function there is a landing pad before the store.

     mrs x0, tpidr_el0; add x0, x0, #HIGH, lsl #12; add x0, x0, #LOW
     adrp x0, NONE; add x0, x0, #NONE; ldr x1, [x0, #16]; cbz x1, END;
         mrs x0, tpidr_el0; add x0, x0, w1, sxtw
     adrp x1, SITE; add x1, x1, #SITE
     str x1, [x0]  or  str xzr, [x0]

   Before a store, a callback loads the content of the field. It loads and restores
   the content with these sequences:

     adrp x0, PACKED; ldr x0, [x0, #PACKED]; cbz x0, END; mrs x1, tpidr_el0;
         ldr x0, [x1, w0, sxtw]  or  str x2, [x1, w0, sxtw]

   The code below executes these instructions with the registers at the signal, until
   an instruction stores into the field. It also executes additions of the program
   before a store. This is harmless, since they take no time. */

#define _GNU_SOURCE
#include <string.h>
#include <ucontext.h>

#include "rt/format.h"
#include "rt/os/memory.h"
#include "rt/unwind/cpu.h"

/* Number of instructions in the longest store, including the load before it. */
#define STORE_LONGEST 16

struct store_machine {
    uint64_t pc;
    uint64_t registers[32]; /* the last one is the zero register */
    uint64_t thread, field; /* thread pointer, and address of the field */
    uint64_t packed;        /* PACKED of the field's struct ccprof_place */
    struct ccprof_safe_read readable;
};

static uint64_t store_bits(uint32_t code, unsigned from, unsigned count)
{
    return code >> from & ((UINT32_C(1) << count) - 1);
}

/* Returns the page address that the adrp instruction CODE at PC computes. */
static uint64_t store_page(uint32_t code, uint64_t pc)
{
    uint64_t pages = store_bits(code, 5, 19) << 2 | store_bits(code, 29, 2);
    pages = (pages ^ UINT64_C(1) << 20) - (UINT64_C(1) << 20);
    return (pc & ~UINT64_C(0xfff)) + (pages << 12);
}

static bool store_is_adrp(uint32_t code)
{
    return (code & 0x9f000000) == 0x90000000;
}

/* Returns whether CODE is ldr of 8 bytes with an unsigned offset. */
static bool store_is_ldr(uint32_t code)
{
    return (code & 0xffc00000) == 0xf9400000;
}

/* Returns whether CODE is a landing pad: bti, paciasp or pacibsp. */
static bool store_is_pad(uint32_t code)
{
    return (code & 0xffffff3f) == 0xd503241f || code == 0xd503233f || code == 0xd503237f;
}

/* Returns the sum of a register and the lower half of another one, as in [x1, w0,
   sxtw]. */
static uint64_t store_sum(const struct store_machine *machine, uint32_t code)
{
    return machine->registers[store_bits(code, 5, 5)] +
           (uint64_t)(int64_t)(int32_t)machine->registers[store_bits(code, 16, 5)];
}

/* Executes a load from ADDRESS. Returns false unless it loads from the place or the
   field. */
static bool store_load(struct store_machine *machine, uint32_t code, uint64_t address)
{
    uint64_t value;

    if (!ccprof_safe_read(&machine->readable, address, &value) ||
        (address != machine->field && value != machine->packed))
        return false;
    machine->registers[store_bits(code, 0, 5)] = value;
    return true;
}

/* Executes an instruction before the store. Returns false if CODE is none of the
   instructions above. */
static bool store_execute(struct store_machine *machine, uint32_t code)
{
    uint64_t *to = &machine->registers[store_bits(code, 0, 5)];
    uint64_t from = machine->registers[store_bits(code, 5, 5)];

    if (store_is_pad(code))
        return true;
    if (store_bits(code, 0, 5) == 31)
        return false;
    if ((code & 0xffffffe0) == 0xd53bd040)
        *to = machine->thread;
    else if (store_is_adrp(code))
        *to = store_page(code, machine->pc);
    else if ((code & 0xff800000) == 0x91000000 && store_bits(code, 5, 5) != 31)
        *to = from + (store_bits(code, 10, 12) << 12 * store_bits(code, 22, 1));
    else if ((code & 0xffe0fc00) == 0x8b20c000 && store_bits(code, 5, 5) != 31)
        *to = store_sum(machine, code);
    else if ((code & 0xff000000) == 0xb4000000)
        return *to == machine->packed;
    else if ((code & 0xffe0fc00) == 0xf860c800)
        return store_load(machine, code, store_sum(machine, code));
    else
        return store_is_ldr(code) &&
               store_load(machine, code, from + 8 * store_bits(code, 10, 12));
    return true;
}

/* Returns whether CODE stores into the field. */
static bool store_is_done(const struct store_machine *machine, uint32_t code)
{
    if (store_bits(code, 5, 5) == 31)
        return false;
    if ((code & 0xffe0fc00) == 0xf820c800)
        return store_sum(machine, code) == machine->field;
    return (code & 0xfffffc00) == 0xf9000000 &&
           machine->registers[store_bits(code, 5, 5)] == machine->field;
}

bool ccprof_store_interrupted(const void *context, intptr_t offset, uint64_t *site)
{
    const ucontext_t *from = context;
    struct store_machine machine = {.pc = from->uc_mcontext.pc,
                                    .packed = CCPROF_PLACE_PACKED(offset, 0)};
    uint64_t code;

    memcpy(machine.registers, from->uc_mcontext.regs, 31 * sizeof *machine.registers);
    machine.thread = (uintptr_t)__builtin_thread_pointer();
    machine.field = machine.thread + (uint64_t)offset;
    for (unsigned i = 0; i < STORE_LONGEST; i++, machine.pc += 4) {
        if (!ccprof_safe_read(&machine.readable, machine.pc & ~UINT64_C(7), &code))
            return false;
        uint32_t instruction = (uint32_t)(code >> 8 * (machine.pc & 4));
        if (store_is_done(&machine, instruction)) {
            *site = machine.registers[store_bits(instruction, 0, 5)];
            return true;
        }
        if (!store_execute(&machine, instruction))
            return false;
    }
    return false;
}
