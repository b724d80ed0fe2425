/* SPDX-License-Identifier: MIT */
/* Owns nothing.  ccprof_cpu_pc is called by the handler.  */

#define _GNU_SOURCE
#include <elf.h>
#include <ucontext.h>

#include "cpu.h"

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
