// SPDX-License-Identifier: GPL-3.0-or-later
// stepcpu.h for x86-64.

#define _GNU_SOURCE
#include "stepcpu.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define VSYSCALL  UINT64_C(0xffffffffff600000)
#define TRAP_FLAG 0x100L

static bool is_prefix(unsigned char byte)
{
    return strchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3", byte) != NULL && byte;
}

StepClass stepcpu_class(const unsigned char *code)
{
    bool repeated = false;
    int i = 0;
    for (; i < STEPCPU_BYTES - 2 && is_prefix(code[i]); i++)
        repeated = repeated || code[i] == 0xf2 || code[i] == 0xf3;
    if ((code[i] & 0xf0) == 0x40) // REX
        i++;
    unsigned char op = code[i], next = code[i + 1];
    if (repeated && ((op >= 0xa4 && op <= 0xa7) || (op >= 0xaa && op <= 0xaf) ||
                     (op >= 0x6c && op <= 0x6f)))
        return STEP_REPEAT;
    if ((op == 0x0f && (next == 0x05 || next == 0x34)) || (op == 0xcd && next == 0x80))
        return STEP_SYSCALL;
    return op == 0x9c ? STEP_SAVES_FLAGS : STEP_PLAIN;
}

static long user_word(pid_t thread, size_t offset)
{
    errno = 0;
    return ptrace(PTRACE_PEEKUSER, thread, offset, 0);
}

uint64_t stepcpu_pc(pid_t thread)
{
    return (uint64_t)user_word(thread, offsetof(struct user_regs_struct, rip));
}

bool stepcpu_is_step(int code, bool syscall)
{
    (void)syscall;
    return code == TRAP_TRACE || code == TRAP_BRKPT; // after a system call: TRAP_BRKPT
}

bool stepcpu_is_breakpoint(int code)
{
    return code == SI_KERNEL;
}

uint64_t stepcpu_executed(uint64_t from, uint64_t pc, int code)
{
    // A thread stands behind its system call when a signal interrupts the call. The
    // kernel sets the thread back after that stop.
    return code == TRAP_BRKPT && from == pc ? pc - 2 : from;
}

uint64_t stepcpu_beyond(pid_t thread, uint64_t from)
{
    if (from < VSYSCALL || from >= VSYSCALL + 4096)
        return 0;
    long stack = user_word(thread, offsetof(struct user_regs_struct, rsp));
    return (uint64_t)ptrace(PTRACE_PEEKDATA, thread, stack, 0);
}

bool stepcpu_repeats(pid_t thread)
{
    return user_word(thread, offsetof(struct user_regs_struct, rcx)) != 0;
}

bool stepcpu_can_call(void)
{
    return true;
}

void stepcpu_call(pid_t thread, uint64_t outside, long number, uint64_t a, uint64_t b,
                  uint64_t c)
{
    struct user_regs_struct before, call;
    unsigned long seen = 0; // signals
    int status;
    ptrace(PTRACE_GETREGS, thread, 0, &before);
    long word = ptrace(PTRACE_PEEKTEXT, thread, outside, 0);
    ptrace(PTRACE_POKETEXT, thread, outside, (word & ~0xffffL) | 0x050f);
    call = before;
    call.rip = outside;
    call.rax = (unsigned long long)number;
    call.orig_rax = ~0ULL; // no call to restart
    call.rdi = a;
    call.rsi = b;
    call.rdx = c;
    ptrace(PTRACE_SETREGS, thread, 0, &call);
    while (ptrace(PTRACE_SINGLESTEP, thread, 0, 0) == 0 &&
           waitpid(thread, &status, __WALL) == thread && WIFSTOPPED(status) &&
           stepcpu_pc(thread) == outside)
        if (status >> 16 == 0 && WSTOPSIG(status) != SIGTRAP)
            seen |= 1UL << WSTOPSIG(status);
    ptrace(PTRACE_POKETEXT, thread, outside, word);
    ptrace(PTRACE_SETREGS, thread, 0, &before);
    for (int i = 1; i < 64; i++)
        if (seen >> i & 1)
            syscall(SYS_tkill, thread, i);
}

long stepcpu_skip(pid_t thread)
{
    size_t at = offsetof(struct user_regs_struct, orig_rax);
    long number = user_word(thread, at);
    switch (number) {
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
    case SYS_execve:
    case SYS_execveat:
    case SYS_mremap:
        // Where the kernel leaves it alone, for stepcpu_again.
        ptrace(PTRACE_POKEUSER, thread, at, -1L);
        return number;
    }
    return 0;
}

uint64_t stepcpu_again(pid_t thread, long number)
{
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, thread, 0, &registers);
    registers.rip -= 2;
    registers.rax = (unsigned long long)number;
    ptrace(PTRACE_SETREGS, thread, 0, &registers);
    return registers.rip;
}

bool stepcpu_mapped(pid_t thread)
{
    long number = user_word(thread, offsetof(struct user_regs_struct, orig_rax));
    return number == SYS_mmap || number == SYS_munmap || number == SYS_mremap ||
           number == SYS_mprotect || number == SYS_shmat || number == SYS_shmdt;
}

void stepcpu_hide_step(pid_t thread)
{
    long stack = user_word(thread, offsetof(struct user_regs_struct, rsp));
    errno = 0;
    long flags = ptrace(PTRACE_PEEKDATA, thread, stack, 0);
    if (errno == 0)
        ptrace(PTRACE_POKEDATA, thread, stack, flags & ~TRAP_FLAG);
}
