/* SPDX-License-Identifier: MIT */
/* Owns nothing.  registers and pc are called by the handler.  */

#define _GNU_SOURCE
#include <elf.h>
#include <ucontext.h>

#include "cpu.h"

const struct ccprof_cpu ccprof_cpu = {17, 7, UINT64_MAX};

void ccprof_cpu_registers(const void *from, uint64_t *registers)
{
    static const int order[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    const ucontext_t *context = from;
    for (unsigned i = 0; i < sizeof order / sizeof *order; i++)
        registers[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
}

uint64_t ccprof_cpu_pc(const void *from)
{
    const ucontext_t *context = from;
    return (uint64_t)context->uc_mcontext.gregs[REG_RIP];
}

/* Two bytes: syscall.  The page before may hold no memory, and what the kernel itself
   has mapped cannot be read.  */
bool ccprof_cpu_is_at_call(const void *context)
{
    uint64_t pc = ccprof_cpu_pc(context);
    const uint8_t *code = (const uint8_t *)pc;

    if (pc >> 47 != 0 || pc % 4096 < 2 || pc % 4096 == 4095)
        return false;
    return (code[-2] == 0x0f && code[-1] == 0x05) || (code[0] == 0x0f && code[1] == 0x05);
}

bool ccprof_cpu_is_slot(uint32_t type)
{
    return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT || type == R_X86_64_64;
}
