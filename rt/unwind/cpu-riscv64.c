/* SPDX-License-Identifier: MIT */
/* The RISC-V version of cpu.h: registers of interrupted contexts and of callers. Owns
   no data. Called by the SIGPROF handler, by walks of the heap and for chains of
   calls. The constructor calls ccprof_cpu_is_slot. */

#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <ucontext.h>

#include "rt/os/memory.h"
#include "rt/unwind/cpu.h"

const struct ccprof_cpu ccprof_cpu = {32, 2, 8, UINT64_MAX};

void ccprof_cpu_registers(const void *from, uint64_t *registers)
{
    const ucontext_t *context = from;
    /* Register 0 is always 0. In the context the program counter is in its place. */
    registers[0] = 0;
    for (unsigned i = 1; i < 32; i++)
        registers[i] = context->uc_mcontext.__gregs[i];
}

uint64_t ccprof_cpu_pc(const void *from)
{
    const ucontext_t *context = from;
    return (uint64_t)context->uc_mcontext.__gregs[REG_PC];
}

/* The offsets are the DWARF numbers of the registers times 8: ra is 1, sp 2, s0 8. */
__asm__(".pushsection .text\n"
        ".globl ccprof_cpu_caller\n"
        ".hidden ccprof_cpu_caller\n"
        ".type ccprof_cpu_caller, @function\n"
        "ccprof_cpu_caller:\n"
        ".cfi_startproc\n"
        "sd ra, 8(a0)\n"
        "sd sp, 16(a0)\n"
        "sd s0, 64(a0)\n"
        "sd s1, 72(a0)\n"
        "sd s2, 144(a0)\n"
        "sd s3, 152(a0)\n"
        "sd s4, 160(a0)\n"
        "sd s5, 168(a0)\n"
        "sd s6, 176(a0)\n"
        "sd s7, 184(a0)\n"
        "sd s8, 192(a0)\n"
        "sd s9, 200(a0)\n"
        "sd s10, 208(a0)\n"
        "sd s11, 216(a0)\n"
        "mv a0, ra\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size ccprof_cpu_caller, . - ccprof_cpu_caller\n"
        ".popsection\n");

/* vlenb, the number of bytes in a vector, is control and status register 0xc22; DWARF
   numbers these registers from 4096 on (RISC-V ABIs Specification, "DWARF Register
   Numbers"). Each assembler accepts the register by its number. The kernel reports
   the extension V as the bit of this letter (linux:
   arch/riscv/include/uapi/asm/hwcap.h); without the extension, reading vlenb would end
   the program. getauxval takes no lock: it reads data of the loader (glibc:
   misc/getauxval.c). */
#define CPU_VLENB (4096 + 0xc22)
#define CPU_HAS_V (1UL << ('V' - 'A'))

bool ccprof_cpu_vector_register(uint64_t number, uint64_t *value)
{
    if (number != CPU_VLENB || !(getauxval(AT_HWCAP) & CPU_HAS_V))
        return false;
    __asm__ volatile("csrr %0, 0xc22" : "=r"(*value));
    return true;
}

bool ccprof_cpu_undo_call(uint64_t *registers, struct ccprof_safe_read *readable,
                          uint64_t *pc)
{
    (void)readable;
    *pc = registers[1] & ccprof_cpu.code;
    return true;
}

/* The kernel's code that ends a handler: li a7, 139; ecall. There, the stack pointer
   points to the siginfo_t, followed by the context. The context's registers begin
   with the program counter. */
#define CPU_SIGRETURN UINT64_C(0x0000007308b00893)

bool ccprof_cpu_leave_signal(uint64_t *registers, struct ccprof_safe_read *readable,
                             uint64_t *pc)
{
    uint64_t code, values[32];
    uint64_t machine =
        registers[2] + sizeof(siginfo_t) + offsetof(ucontext_t, uc_mcontext);

    if (!ccprof_safe_read(readable, *pc, &code) || code != CPU_SIGRETURN)
        return false;
    for (unsigned i = 0; i < 32; i++)
        if (!ccprof_safe_read(readable, machine + 8 * i, &values[i]))
            return false;
    *pc = values[0];
    values[0] = 0;
    memcpy(registers, values, sizeof values);
    return true;
}

/* The instruction is ecall. The number of the call is in a7, which the kernel
   preserves. */
bool ccprof_cpu_find_call(const void *from, struct ccprof_cpu_call *call)
{
    const ucontext_t *context = from;
    struct ccprof_safe_read readable = {0};
    uint64_t code;

    if (!ccprof_safe_read(&readable, ccprof_cpu_pc(context) - 4, &code) ||
        ((uint32_t)code != 0x00000073 && code >> 32 != 0x00000073))
        return false;
    call->address = ccprof_cpu_pc(context) - ((uint32_t)code == 0x00000073 ? 4 : 0);
    call->number = (int)context->uc_mcontext.__gregs[REG_A0 + 7];
    return true;
}

bool ccprof_cpu_is_interrupted_call(const void *from)
{
    const ucontext_t *context = from;
    struct ccprof_safe_read readable = {0};
    uint64_t code;

    return (int64_t)context->uc_mcontext.__gregs[REG_A0] == -EINTR &&
           ccprof_safe_read(&readable, ccprof_cpu_pc(context) - 8, &code) &&
           code >> 32 == 0x00000073;
}

bool ccprof_cpu_is_slot(uint32_t type, int64_t addend)
{
    return addend == 0 && (type == R_RISCV_JUMP_SLOT || type == R_RISCV_64);
}
