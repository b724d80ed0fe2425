// SPDX-License-Identifier: GPL-3.0-or-later
// stepcpu.h for aarch64. Every step clears the processor's exclusive monitor, so a loop
// of ldxr and stxr never ends: programs need the atomic instructions of ARMv8.1.

#define _GNU_SOURCE
#include "stepcpu.h"

#include <elf.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>

StepClass stepcpu_class(const unsigned char *code)
{
    uint32_t word;
    memcpy(&word, code, sizeof word);
    return (word & 0xffe0001f) == 0xd4000001 ? STEP_SYSCALL : STEP_PLAIN; // svc
}

static struct user_regs_struct registers(pid_t thread)
{
    struct user_regs_struct all = {0};
    struct iovec where = {&all, sizeof all};
    ptrace(PTRACE_GETREGSET, thread, (void *)(long)NT_PRSTATUS, &where);
    return all;
}

uint64_t stepcpu_pc(pid_t thread)
{
    return registers(thread).pc;
}

bool stepcpu_is_step(int code, bool syscall)
{
    return code == TRAP_TRACE || (syscall && code == SI_USER);
}

bool stepcpu_is_breakpoint(int code)
{
    return code == TRAP_BRKPT;
}

uint64_t stepcpu_executed(uint64_t from, uint64_t pc, int code)
{
    return code == SI_USER && from == pc ? pc - 4 : from;
}

uint64_t stepcpu_beyond(pid_t thread, uint64_t from)
{
    (void)thread;
    (void)from;
    return 0;
}

bool stepcpu_repeats(pid_t thread)
{
    (void)thread;
    return false;
}

bool stepcpu_can_call(void)
{
    return false;
}

void stepcpu_call(pid_t thread, uint64_t outside, long number, uint64_t a, uint64_t b,
                  uint64_t c)
{
    (void)thread, (void)outside, (void)number, (void)a, (void)b, (void)c;
}

long stepcpu_skip(pid_t thread)
{
    (void)thread;
    return 0;
}

uint64_t stepcpu_again(pid_t thread, long number)
{
    (void)number;
    return stepcpu_pc(thread);
}

bool stepcpu_mapped(pid_t thread)
{
    uint64_t number = registers(thread).regs[8];
    return number == SYS_mmap || number == SYS_munmap || number == SYS_mremap ||
           number == SYS_mprotect || number == SYS_shmat || number == SYS_shmdt;
}

void stepcpu_hide_step(pid_t thread)
{
    (void)thread;
}
