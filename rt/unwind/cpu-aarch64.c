/* SPDX-License-Identifier: MIT */
/* The AArch64 version of cpu.h: registers of interrupted contexts and of callers.
   Owns no data. Called by the SIGPROF handler, by walks of the heap and for chains of
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

/* A signed return address has its signature above the 48 bits of the address. */
const struct ccprof_cpu ccprof_cpu = {32, 31, 29, (UINT64_C(1) << 48) - 1};

void ccprof_cpu_registers(const void *from, uint64_t *registers)
{
    const ucontext_t *context = from;
    for (unsigned i = 0; i < 31; i++)
        registers[i] = context->uc_mcontext.regs[i];
    registers[31] = context->uc_mcontext.sp;
}

uint64_t ccprof_cpu_pc(const void *from)
{
    const ucontext_t *context = from;
    return (uint64_t)context->uc_mcontext.pc;
}

/* The offsets are the DWARF numbers of the registers times 8. x30 has the return
   address. */
__asm__(".pushsection .text\n"
        ".globl ccprof_cpu_caller\n"
        ".hidden ccprof_cpu_caller\n"
        ".type ccprof_cpu_caller, %function\n"
        "ccprof_cpu_caller:\n"
        ".cfi_startproc\n"
        "stp x19, x20, [x0, 152]\n"
        "stp x21, x22, [x0, 168]\n"
        "stp x23, x24, [x0, 184]\n"
        "stp x25, x26, [x0, 200]\n"
        "stp x27, x28, [x0, 216]\n"
        "stp x29, x30, [x0, 232]\n"
        "mov x1, sp\n"
        "str x1, [x0, 248]\n"
        "mov x0, x30\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size ccprof_cpu_caller, . - ccprof_cpu_caller\n"
        ".popsection\n");

/* VG, the number of 8-byte units in an SVE vector, is a register of DWARF but not of
   the processor (DWARF for the Arm 64-bit Architecture, "DWARF register names"). The
   instruction cntd x0 gives VG. Its encoding is used here, since assemblers accept
   its name only with -march=armv8-a+sve. On a processor without SVE the instruction
   would end the program. getauxval takes no lock: it reads data of the loader (glibc:
   misc/getauxval.c). */
#define CPU_VG 46

bool ccprof_cpu_vector_register(uint64_t number, uint64_t *value)
{
    register uint64_t granules __asm__("x0");

    if (number != CPU_VG || !(getauxval(AT_HWCAP) & HWCAP_SVE))
        return false;
    __asm__ volatile(".inst 0x04e0e3e0" : "=r"(granules));
    *value = granules;
    return true;
}

bool ccprof_cpu_undo_call(uint64_t *registers, struct ccprof_safe_read *readable,
                          uint64_t *pc)
{
    (void)readable;
    *pc = registers[30] & ccprof_cpu.code;
    return true;
}

/* The kernel's code that ends a handler: mov x8, #139; svc #0. There, the stack
   pointer points to the siginfo_t, followed by the context. */
#define CPU_SIGRETURN UINT64_C(0xd4000001d2801168)

bool ccprof_cpu_leave_signal(uint64_t *registers, struct ccprof_safe_read *readable,
                             uint64_t *pc)
{
    uint64_t code, values[32];
    uint64_t machine =
        registers[31] + sizeof(siginfo_t) + offsetof(ucontext_t, uc_mcontext);

    if (!ccprof_safe_read(readable, *pc, &code) || code != CPU_SIGRETURN)
        return false;
    for (unsigned i = 0; i < 32; i++)
        if (!ccprof_safe_read(readable, machine + offsetof(mcontext_t, regs) + 8 * i,
                              &values[i]))
            return false;
    if (!ccprof_safe_read(readable, machine + offsetof(mcontext_t, pc), pc))
        return false;
    memcpy(registers, values, sizeof values);
    return true;
}

/* The instruction is svc 0. The number of the call is in x8, which the kernel
   preserves. */
bool ccprof_cpu_find_call(const void *from, struct ccprof_cpu_call *call)
{
    const ucontext_t *context = from;
    struct ccprof_safe_read readable = {0};
    uint64_t code;

    if (!ccprof_safe_read(&readable, ccprof_cpu_pc(context) - 4, &code) ||
        ((uint32_t)code != 0xd4000001 && code >> 32 != 0xd4000001))
        return false;
    call->address = ccprof_cpu_pc(context) - ((uint32_t)code == 0xd4000001 ? 4 : 0);
    call->number = (int)context->uc_mcontext.regs[8];
    return true;
}

bool ccprof_cpu_is_interrupted_call(const void *from)
{
    const ucontext_t *context = from;
    struct ccprof_safe_read readable = {0};
    uint64_t code;

    return (int64_t)context->uc_mcontext.regs[0] == -EINTR &&
           ccprof_safe_read(&readable, ccprof_cpu_pc(context) - 8, &code) &&
           code >> 32 == 0xd4000001;
}

bool ccprof_cpu_is_slot(uint32_t type, int64_t addend)
{
    return addend == 0 && (type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT ||
                           type == R_AARCH64_ABS64);
}
