// SPDX-License-Identifier: GPL-3.0-or-later
// For instructions-unwind.test: unwinds at each instruction of profiled code, by single
// steps of its own. With -DWORK this is the profiled shared object, without it the
// program.

#define NOINLINE __attribute__((noinline, noclone))

#ifdef WORK
volatile long cell;

// -fipa-ra: callers know that this changes few registers, so its counters must save
// others.
NOINLINE static long leaf(long x)
{
    cell = x;
    return x * 3;
}

// A conditional jump needs the flags of the instruction before.
NOINLINE static long chosen(long x)
{
    cell = x;
    if (x & 1)
        cell = 3;
    return x;
}

// Registers and flags hold values at the places of counters.
NOINLINE static long busy(long a, long b, long c, long d, long e, long f, long rounds)
{
    long g = a ^ b, h = c ^ d, i = e ^ f, j = a + c, k = b + d, l = e + a;
    for (long n = 0; n < rounds; n++) {
        if (__builtin_add_overflow(a, b, &a))
            g ^= leaf(a);
        b += c ^ g, c = c * 3 + h, d ^= a >> 2, e += i, f ^= j + k;
        g += l, h ^= g, i += h, j ^= i, k += j, l ^= k;
    }
    return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l;
}

NOINLINE static long sized(long n)
{
    char room[n + 16];
    __asm__ volatile("" : : "r"(room) : "memory");
    return n > 0 ? sized(n - 8) + room[n] * 0 : leaf(n);
}

long work(long n)
{
    return busy(n, 1, 2, 3, 4, 5, 20) + sized(40) + chosen(n) + leaf(n | 1);
}

#else
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unwind.h>

#define TRAP_FLAG 0x100

long work(long n);

static unsigned long start, end; // of the shared object's code
static long steps, wrong;
static struct {
    void *function; // the caller of work
    int depth;
    _Bool found;
} search;

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *unused)
{
    (void)unused;
    search.found =
        _Unwind_FindEnclosingFunction((void *)_Unwind_GetIP(context)) == search.function;
    return search.found || ++search.depth > 30 ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static void step(int number, siginfo_t *info, void *context)
{
    unsigned long at = (unsigned long)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    (void)number, (void)info;
    if (at < start || at >= end)
        return;
    steps++;
    search.depth = 0;
    _Unwind_Backtrace(visit, NULL);
    if (!search.found && wrong++ < 5)
        printf("no caller at 0x%lx\n", at - start);
}

NOINLINE static long caller(long n)
{
    __asm__ volatile("pushfq; orq %0, (%%rsp); popfq"
                     :
                     : "i"(TRAP_FLAG)
                     : "cc", "memory");
    long sum = work(n);
    __asm__ volatile("pushfq; andq %0, (%%rsp); popfq"
                     :
                     : "i"(~TRAP_FLAG)
                     : "cc", "memory");
    return sum;
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};
    Dl_info found;
    dladdr((void *)work, &found);
    start = (unsigned long)found.dli_fbase;
    end = start + 0x100000;
    search.function = (void *)caller;
    sigaction(SIGTRAP, &action, NULL);
    long sum = caller(7);
    printf("%ld\n%s\n", sum, wrong ? "wrong" : steps > 200 ? "unwound" : "no steps");
    return wrong != 0;
}
#endif
