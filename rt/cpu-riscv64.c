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

bool ccprof_cpu_is_slot(uint32_t type)
{
    return type == R_RISCV_JUMP_SLOT || type == R_RISCV_64;
}
