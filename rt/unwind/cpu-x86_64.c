/* SPDX-License-Identifier: MIT */
/* The x86-64 version of cpu.h: registers of interrupted contexts and of callers. Owns
   no data. Called by the SIGPROF handler, by walks of the heap and for chains of
   calls. The constructor calls ccprof_cpu_is_slot. */

#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <ucontext.h>

#include "rt/format.h"
#include "rt/os/memory.h"
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

/* The offsets are the DWARF numbers of the registers times 8: rbx is 3, rbp 6, rsp 7. */
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

/* The code that ends a handler is in libc and has unwind tables. */
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

/* The runtime searches this many bytes before a system call for the number of the
   call. */
#define CPU_CALL_BEFORE 32

/* Reads up to CPU_CALL_BEFORE bytes before ADDRESS into the end of TEXT. The start is
   filled with zeros. */
static void cpu_read_before(uint64_t address, uint8_t text[CPU_CALL_BEFORE])
{
    struct ccprof_safe_read readable = {0};
    uint64_t code;

    memset(text, 0, CPU_CALL_BEFORE);
    for (int i = CPU_CALL_BEFORE - 8; i >= 0; i -= 8) {
        if (!ccprof_safe_read(&readable, address - CPU_CALL_BEFORE + (uint64_t)i, &code))
            break;
        memcpy(text + i, &code, sizeof code);
    }
}

/* Returns the register with this number in machine code, or -1 if the kernel does not
   preserve it, or if it is rdi, which has the call's first argument by now. */
static int64_t cpu_register(const ucontext_t *context, unsigned number)
{
    static const int order[] = {-1,      -1,      REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                REG_RSI, -1,      REG_R8,  REG_R9,  REG_R10, -1,
                                REG_R12, REG_R13, REG_R14, REG_R15};
    return order[number] < 0 ? -1 : context->uc_mcontext.gregs[order[number]];
}

/* Returns the number that the code before a system call moves to eax, which has the
   call's result by now: from the last `mov $NUMBER, %eax', `xor %eax, %eax' or `mov
   %REGISTER, %eax' in TEXT. Returns -1 if there is none, or if eax is loaded after
   it. */
static int64_t cpu_number_before(const ucontext_t *context, const uint8_t *text)
{
    for (unsigned i = CPU_CALL_BEFORE - 2; i >= 1; i--) {
        const uint8_t *code = text + i;
        unsigned prefix = (code[-1] & 0xf0) == 0x40 ? code[-1] & 0xfu : 0;
        uint32_t number;

        if (code[0] == 0xb8 && prefix == 0 && i + 5 <= CPU_CALL_BEFORE) {
            memcpy(&number, code + 1, sizeof number);
            if (number < CCPROF_KERNEL_CALLS_MOST)
                return number;
        }
        if ((code[0] == 0x31 || code[0] == 0x33) && code[1] == 0xc0 && prefix == 0)
            return 0;
        if (code[0] == 0x89 && (code[1] & 0xc7) == 0xc0 && (prefix & ~4u) == 0)
            return cpu_register(context, (code[1] >> 3 & 7u) | prefix << 1);
        if (code[0] == 0x8b && (code[1] & 0x38) == 0 && (prefix & 4) == 0)
            return -1;
    }
    return -1;
}

/* If the call will be repeated, rax has the call's number again. */
bool ccprof_cpu_find_call(const void *from, struct ccprof_cpu_call *call)
{
    const ucontext_t *context = from;
    struct ccprof_safe_read readable = {0};
    uint8_t text[CPU_CALL_BEFORE];
    uint64_t code, pc = ccprof_cpu_pc(context);
    int64_t number;

    if (!ccprof_safe_read(&readable, pc - 4, &code))
        return false;
    if (cpu_is_syscall(code >> 16)) {
        call->address = pc - 2;
        cpu_read_before(call->address, text);
        number = cpu_number_before(context, text);
    } else if (cpu_is_syscall(code >> 32)) {
        call->address = pc;
        number = context->uc_mcontext.gregs[REG_RAX];
    } else {
        return false;
    }
    call->argument[0] = (uint64_t)context->uc_mcontext.gregs[REG_RDI];
    call->argument[1] = (uint64_t)context->uc_mcontext.gregs[REG_RSI];
    call->number = number >= 0 && number < CCPROF_KERNEL_CALLS_MOST ? (int)number : -1;
    return true;
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

/* For the first two types, the loader ignores the addend: with ld -z mark-plt the
   addend of a jump slot is the address of the slot's entry. */
bool ccprof_cpu_is_slot(uint32_t type, int64_t addend)
{
    return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT ||
           (type == R_X86_64_64 && addend == 0);
}
