/* SPDX-License-Identifier: MIT */
/* Owns nothing.  registers and pc are called by the handler.  */

#define _GNU_SOURCE
#include <elf.h>
#include <ucontext.h>

#include "cpu.h"

const struct ccprof_cpu ccprof_cpu = {32, 2, UINT64_MAX};

void ccprof_cpu_registers(const void *from, uint64_t *registers)
{
    const ucontext_t *context = from;
    /* In the place of register 0, which is 0, stands the program counter.  */
    registers[0] = 0;
    for (unsigned i = 1; i < 32; i++)
        registers[i] = context->uc_mcontext.__gregs[i];
}

uint64_t ccprof_cpu_pc(const void *from)
{
    const ucontext_t *context = from;
    return (uint64_t)context->uc_mcontext.__gregs[REG_PC];
}

/* The instruction ecall.  The page before may hold no memory.  */
bool ccprof_cpu_is_at_call(const void *context)
{
    uint64_t pc = ccprof_cpu_pc(context);
    const uint32_t *code = (const uint32_t *)pc;

    if (pc % 4096 < 4 || pc % 4 != 0)
        return false;
    return code[-1] == 0x00000073 || code[0] == 0x00000073;
}

bool ccprof_cpu_is_slot(uint32_t type)
{
    return type == R_RISCV_JUMP_SLOT || type == R_RISCV_64;
}
