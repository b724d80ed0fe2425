// SPDX-License-Identifier: GPL-3.0-or-later
// model WAY: spends its CPU time in known functions, and prints its account of it. Each
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

#define ENTER()  int place = account_enter(__func__)
#define LEAVE()  (account_leave(place), no_tail_call())
#define BACK()   account_back(place)
#define SPEND(n) ACCOUNT_SPEND(n)

static inline void no_tail_call()
{
    __asm__ volatile("");
}

// What the innermost of two functions does.
static void (*out)();

static KEEP void second()
{
    ENTER();
    SPEND(2);
    out();
    LEAVE();
}

static KEEP void first()
{
    ENTER();
    SPEND(1);
    second();
    LEAVE();
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
}

static sigjmp_buf landing;

static void jumps()
{
    siglongjmp(landing, 1);
}

static KEEP void handler(int)
{
    ENTER();
    SPEND(1);
    account_leave(place);
    siglongjmp(landing, 1);
}

static void signals()
{
    raise(SIGUSR1);
}

static KEEP void lander()
{
    ENTER();
    SPEND(1);
    if (sigsetjmp(landing, 1) == 0) {
        first();
    } else {
        BACK();
        SPEND(2);
    }
    SPEND(1);
    LEAVE();
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
}

static KEEP void fills()
{
    static char memory[1 << 20];
    ENTER();
    uint64_t start = account_now();
    for (int i = 0; i < 100; i++) {
        std::memset(memory, i, sizeof memory);
        account_sink = static_cast<uint64_t>(memory[i]);
    }
    account_charge(start);
    LEAVE();
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

// The ends: after 100 rounds, when two functions are active.
static int rounds;

static void exits()
{
    if (++rounds < 100)
        return;
    account_print();
    std::exit(9);
}

// Nobody catches what is thrown then, and nothing else is to be had.
static void runs_out()
{
    struct rlimit limit = {64 << 20, 64 << 20};

    if (++rounds < 100)
        return;
    account_print();
    setrlimit(RLIMIT_AS, &limit);
    for (;;)
        account_sink = reinterpret_cast<uintptr_t>(new char[1 << 20]);
}

// What a way calls how often, and what the innermost function does then.
static const struct {
    const char *name;
    void (*function)();
    int times;
    void (*innermost)();
} ways[] = {
    {"throw", catcher, 100, throws},          {"jump", lander, 100, jumps},
    {"signal", lander, 100, signals},         {"sigaltstack", lander, 100, signals},
    {"qsort", sorter, 30, nullptr},           {"libc", fills, 20, nullptr},
    {"swapcontext", scheduler, 100, nullptr}, {"exit", first, 100, exits},
    {"memory", first, 100, runs_out},
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    bool on_other = std::strcmp(name, "sigaltstack") == 0;
    struct rlimit no_core = {0, 0};

    setrlimit(RLIMIT_CORE, &no_core);
    ENTER();
    SPEND(100);
    if (on_other)
        other_stack();
    on_signal(on_other ? SA_ONSTACK : 0);
    routine_make(0);
    routine_make(1);
    for (const auto &way : ways)
        if (std::strcmp(way.name, name) == 0) {
            out = way.innermost;
            for (int i = 0; i < way.times; i++)
                way.function();
        }
    LEAVE();
    account_print();
    return 0;
}
