// SPDX-License-Identifier: GPL-3.0-or-later
// model WAY: spends its CPU time in known functions, and prints its account of it.  Each
// way comes back to a function from where the functions that it called did not return, or
// goes through code that is not profiled.

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include "account.h"
#include "kernel.h"

// With -DKEEP= the functions are inlined where GCC likes.
#ifndef KEEP
#define KEEP __attribute__((noinline, noclone))
#endif

// No tail calls.
#define NOT_LAST() __asm__ volatile("")

#define ENTER()  int place = account_enter(__func__)
#define LEAVE()  account_leave(place)
#define BACK()   account_back(place)
#define SPEND(n) ACCOUNT_SPEND(n)

extern "C" void early_call(void (*function)(void));

// What the innermost of three functions does.
static void (*out)();

static KEEP void third()
{
    ENTER();
    SPEND(1);
    out();
    LEAVE();
    NOT_LAST();
}

static KEEP void second()
{
    ENTER();
    SPEND(1);
    third();
    LEAVE();
    NOT_LAST();
}

static KEEP void first()
{
    ENTER();
    SPEND(1);
    second();
    LEAVE();
    NOT_LAST();
}

static void throws()
{
    throw 1;
}

static KEEP void catcher()
{
    ENTER();
    SPEND(1);
    try {
        first();
    } catch (int) {
        BACK();
        SPEND(2);
    }
    SPEND(1);
    LEAVE();
    NOT_LAST();
}

static jmp_buf landing;

static void jumps()
{
    longjmp(landing, 1);
}

static KEEP void lander()
{
    ENTER();
    SPEND(1);
    if (setjmp(landing) == 0) {
        first();
    } else {
        BACK();
        SPEND(2);
    }
    SPEND(1);
    LEAVE();
    NOT_LAST();
}

static sigjmp_buf signal_landing;

static KEEP void handler(int)
{
    ENTER();
    SPEND(1);
    account_leave(place);
    siglongjmp(signal_landing, 1);
}

static void signals()
{
    raise(SIGUSR1);
}

static KEEP void signalled()
{
    ENTER();
    SPEND(1);
    if (sigsetjmp(signal_landing, 1) == 0) {
        first();
    } else {
        BACK();
        SPEND(2);
    }
    SPEND(1);
    LEAVE();
    NOT_LAST();
}

static KEEP int compare(const void *a, const void *b)
{
    ENTER();
    SPEND(1);
    LEAVE();
    return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

static KEEP void sorter()
{
    int numbers[] = {3, 1, 4, 1, 5, 9, 2, 6};
    ENTER();
    SPEND(4);
    qsort(numbers, sizeof numbers / sizeof *numbers, sizeof *numbers, compare);
    SPEND(8);
    LEAVE();
    NOT_LAST();
}

static KEEP void g(int depth);

// Out and back: some of the time before the call, some behind it.
static KEEP void f(int depth)
{
    ENTER();
    SPEND(2);
    if (depth > 0)
        g(depth - 1);
    SPEND(1);
    LEAVE();
    NOT_LAST();
}

static KEEP void g(int depth)
{
    ENTER();
    SPEND(1);
    if (depth > 0)
        f(depth - 1);
    LEAVE();
    NOT_LAST();
}

static KEEP void filler(char *memory, size_t size)
{
    ENTER();
    uint64_t start = account_now();
    for (int i = 0; i < 100; i++) {
        std::memset(memory, i, size);
        account_sink = static_cast<uint64_t>(memory[i]);
    }
    account_charge(start);
    LEAVE();
    NOT_LAST();
}

static KEEP void called_back()
{
    ENTER();
    SPEND(2);
    LEAVE();
    NOT_LAST();
}

static ucontext_t home, away[2];
static account_list lists[2], *main_list;

static KEEP void routine(int number)
{
    ENTER();
    for (;;) {
        SPEND(1 + number);
        account_active = main_list;
        swapcontext(&away[number], &home);
    }
    LEAVE();
}

static void routine_make(int number)
{
    size_t size = 256 << 10;
    getcontext(&away[number]);
    away[number].uc_stack.ss_sp = std::malloc(size);
    away[number].uc_stack.ss_size = size;
    away[number].uc_link = nullptr;
    makecontext(&away[number], reinterpret_cast<void (*)()>(routine), 1, number);
}

static KEEP void scheduler()
{
    ENTER();
    main_list = account_active;
    for (int i = 0; i < 2; i++) {
        SPEND(2);
        account_active = &lists[i];
        swapcontext(&home, &away[i]);
        SPEND(1);
    }
    LEAVE();
    NOT_LAST();
}

static void on_signal(int flags)
{
    struct sigaction action;
    std::memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(SIGUSR1, &action, nullptr);
}

static void other_stack()
{
    stack_t stack;
    std::memset(&stack, 0, sizeof stack);
    stack.ss_size = 64 << 10;
    stack.ss_sp = std::malloc(stack.ss_size);
    sigaltstack(&stack, nullptr);
}

// The ends: after 100 rounds, when three functions are active.
static const char *end_way;
static volatile int *volatile nowhere;
static int rounds;

static void ends()
{
    if (++rounds < 100)
        return;
    account_print();
    if (std::strcmp(end_way, "abort") == 0)
        std::abort();
    if (std::strcmp(end_way, "term") == 0)
        raise(SIGTERM);
    if (std::strcmp(end_way, "segv") == 0)
        *nowhere = 1;
    if (std::strcmp(end_way, "_exit") == 0)
        _exit(9);
    if (std::strcmp(end_way, "exit") == 0)
        std::exit(9);
    // Nobody catches this, and nothing else is to be had.
    struct rlimit limit = {64 << 20, 64 << 20};
    setrlimit(RLIMIT_AS, &limit);
    for (;;)
        account_sink = reinterpret_cast<uintptr_t>(new char[1 << 20]);
}

static void repeat(int times, void (*function)())
{
    for (int i = 0; i < times; i++)
        function();
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    struct rlimit no_core = {0, 0};

    setrlimit(RLIMIT_CORE, &no_core);
    ENTER();
    SPEND(100);
    if (std::strcmp(way, "throw") == 0) {
        out = throws;
        repeat(100, catcher);
    } else if (std::strcmp(way, "longjmp") == 0) {
        out = jumps;
        repeat(100, lander);
    } else if (std::strcmp(way, "signal") == 0) {
        out = signals;
        on_signal(0);
        repeat(100, signalled);
    } else if (std::strcmp(way, "sigaltstack") == 0) {
        out = signals;
        other_stack();
        on_signal(SA_ONSTACK);
        repeat(100, signalled);
    } else if (std::strcmp(way, "qsort") == 0) {
        repeat(30, sorter);
    } else if (std::strcmp(way, "mutual") == 0) {
        for (int i = 0; i < 50; i++)
            f(6);
    } else if (std::strcmp(way, "libc") == 0) {
        size_t size = 1 << 20;
        char *memory = static_cast<char *>(std::calloc(size, 1));
        for (int i = 0; i < 20; i++)
            filler(memory, size);
    } else if (std::strcmp(way, "callback") == 0) {
        for (int i = 0; i < 100; i++)
            early_call(called_back);
    } else if (std::strcmp(way, "swapcontext") == 0) {
        routine_make(0);
        routine_make(1);
        repeat(100, scheduler);
    } else {
        end_way = way;
        out = ends;
        repeat(100, first);
    }
    LEAVE();
    account_print();
    return 0;
}
