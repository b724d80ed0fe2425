/* SPDX-License-Identifier: MIT */
/* Reads the registers of an interrupted x86-64 context, for the unwinder.  Owns nothing.
   Called by the SIGPROF handler; is_slot by the constructor.  */

#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <ucontext.h>

#include "rt/os/safe-read.h"
#include "rt/unwind/cpu.h"

const struct ccprof_cpu ccprof_cpu = {17, 7, 6, UINT64_MAX};

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

/* The numbers are 8 times those of DWARF: rbx is 3, rbp 6, rsp 7.  */
__asm__(".pushsection .text\n"
        ".globl ccprof_cpu_caller\n"
        ".hidden ccprof_cpu_caller\n"
        ".type ccprof_cpu_caller, @function\n"
        "ccprof_cpu_caller:\n"
        ".cfi_startproc\n"
        "movq %rbx, 24(%rdi)\n"
        "movq %rbp, 48(%rdi)\n"
        "leaq 8(%rsp), %rax\n"
        "movq %rax, 56(%rdi)\n"
        "movq %r12, 96(%rdi)\n"
        "movq %r13, 104(%rdi)\n"
        "movq %r14, 112(%rdi)\n"
        "movq %r15, 120(%rdi)\n"
        "movq (%rsp), %rax\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size ccprof_cpu_caller, . - ccprof_cpu_caller\n"
        ".popsection\n");

bool ccprof_cpu_vector_register(uint64_t number, uint64_t *value)
{
    (void)number;
    (void)value;
    return false;
}

bool ccprof_cpu_undo_call(uint64_t *registers, struct ccprof_safe_read *readable,
                          uint64_t *pc)
{
    if (!ccprof_safe_read(readable, registers[7], pc))
        return false;
    registers[7] += sizeof *pc;
    return true;
}

/* The code that ends a handler is libc's and has unwind tables.  */
bool ccprof_cpu_leave_signal(uint64_t *registers, struct ccprof_safe_read *readable,
                             uint64_t *pc)
{
    (void)registers;
    (void)readable;
    (void)pc;
    return false;
}

static bool cpu_is_syscall(uint64_t code)
{
    return (code & 0xffff) == 0x050f;
}

bool ccprof_cpu_is_at_call(const void *context)
{
    struct ccprof_safe_read readable = {0};
    uint64_t code;

    return ccprof_safe_read(&readable, ccprof_cpu_pc(context) - 4, &code) &&
           (cpu_is_syscall(code >> 16) || cpu_is_syscall(code >> 32));
}

bool ccprof_cpu_is_interrupted_call(const void *from)
{
    const ucontext_t *context = from;
    struct ccprof_safe_read readable = {0};
    uint64_t code;

    return context->uc_mcontext.gregs[REG_RAX] == -EINTR &&
           ccprof_safe_read(&readable, ccprof_cpu_pc(context) - 8, &code) &&
           cpu_is_syscall(code >> 48);
}

/* The loader takes no addend of the former two: with ld -z mark-plt that of a jump slot
   tells where the slot's entry is.  */
bool ccprof_cpu_is_slot(uint32_t type, int64_t addend)
{
    return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT ||
           (type == R_X86_64_64 && addend == 0);
}
