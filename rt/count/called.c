/* SPDX-License-Identifier: MIT */
/* A table's entries are written by its thread alone, but for START, AMOUNT and CALLS,
   which a flush by another thread exchanges. A signal handler that calls the same target
   finds its entry open or closed. */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

#include "rt/count/called.h"
#include "rt/os/memory.h"

/* Entries of a table, a power of 2. The targets of further entries are not known. Unused
   pages need no memory. */
#define CALLED_ROOM 16384
#define CALLED_MOST (CALLED_ROOM / 2)

#ifdef __x86_64__
#define CALLED_GENERAL __attribute__((target("general-regs-only")))
#else
#define CALLED_GENERAL
#endif

struct called_entry {
    uint64_t site, target;  /* SITE 0: free entry */
    uint64_t depth;         /* stack pointer of the outermost call; 0: none */
    _Atomic uint64_t start; /* the thread's total there, or at the last flush */
    _Atomic uint64_t amount, calls;
    struct called_entry *outer;   /* the open entry around this one */
    struct called_entry *earlier; /* the used entry before this one */
};

struct ccprof_called {
    struct called_entry *open;           /* the innermost one */
    struct called_entry *_Atomic latest; /* the list of used entries */
    size_t used;
    struct called_entry entries[CALLED_ROOM];
};

void ccprof_called_begin(struct ccprof_stack_thread *stack)
{
    stack->called = ccprof_pages_map(sizeof *stack->called);
}

/* Takes a free entry, unless a signal handler takes it first. */
CALLED_GENERAL static bool called_take(struct ccprof_called *called,
                                       struct called_entry *entry, uint64_t site,
                                       uint64_t target)
{
    uint64_t none = 0;

    if (!__atomic_compare_exchange_n(&entry->site, &none, site, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
        return false;
    called->used++;
    entry->target = target;
    entry->earlier = atomic_load_explicit(&called->latest, memory_order_relaxed);
    while (!atomic_compare_exchange_weak(&called->latest, &entry->earlier, entry))
        continue;
    return true;
}

/* Returns the entry, or null if there is no room. Multiplicative hashing with the golden
   ratio (Knuth, TAOCP 3, 6.4). */
CALLED_GENERAL static struct called_entry *called_find(struct ccprof_called *called,
                                                       uint64_t site, uint64_t target)
{
    size_t i = (size_t)((site + target * 31) * 0x9e3779b97f4a7c15 >> 32);

    for (;; i++) {
        struct called_entry *entry = &called->entries[i % CALLED_ROOM];
        if (entry->site == site && entry->target == target)
            return entry;
        if (entry->site)
            continue;
        if (called->used == CALLED_MOST)
            return NULL;
        if (called_take(called, entry, site, target))
            return entry;
    }
}

/* Adds what the open ENTRY has executed since START. */
CALLED_GENERAL static void called_add(struct called_entry *entry, uint64_t total)
{
    uint64_t start = atomic_exchange_explicit(&entry->start, total, memory_order_relaxed);
    if (total > start)
        atomic_fetch_add_explicit(&entry->amount, total - start, memory_order_relaxed);
}

CALLED_GENERAL static void called_close(struct called_entry *entry, uint64_t total)
{
    called_add(entry, total);
    entry->depth = 0;
}

/* An entry that is open with a stack pointer that is not above that of a new call was
   left without notice. */
CALLED_GENERAL static void called_open(struct ccprof_stack_thread *stack,
                                       struct called_entry *entry, uint64_t sp)
{
    struct ccprof_called *called = stack->called;

    atomic_fetch_add_explicit(&entry->calls, 1, memory_order_relaxed);
    if (entry->depth > sp)
        return;
    if (entry->depth) {
        ccprof_called_cut(stack, sp + 1);
        if (entry->depth)
            return;
    }
    atomic_store_explicit(&entry->start, stack->total, memory_order_relaxed);
    entry->outer = called->open;
    entry->depth = sp;
    atomic_signal_fence(memory_order_seq_cst);
    called->open = entry;
}

CALLED_GENERAL void ccprof_called_indirect(struct ccprof_stack_thread *stack,
                                           const struct ccprof_pair *site,
                                           unsigned long long sp,
                                           unsigned long long target)
{
    struct ccprof_called *called = stack->called;
    struct called_entry *entry;

    if (!called)
        return;
    if (target) {
        entry = called_find(called, (uintptr_t)site, target);
        if (entry)
            called_open(stack, entry, sp);
        return;
    }
    entry = called->open;
    if (!entry || entry->site != (uintptr_t)site || entry->depth != sp)
        return;
    called->open = entry->outer;
    called_close(entry, stack->total);
}

CALLED_GENERAL void ccprof_called_cut(struct ccprof_stack_thread *stack,
                                      unsigned long long sp)
{
    struct ccprof_called *called = stack->called;

    while (called && called->open && called->open->depth < sp) {
        struct called_entry *entry = called->open;
        called->open = entry->outer;
        called_close(entry, stack->total);
    }
}

void ccprof_called_flush(struct ccprof_stack_thread *stack,
                         void (*visit)(uint64_t site, uint64_t target, uint64_t count))
{
    struct ccprof_called *called = stack->called;

    for (struct called_entry *entry = called ? atomic_load(&called->latest) : NULL; entry;
         entry = entry->earlier) {
        if (entry->depth)
            called_add(entry, stack->total);
        uint64_t calls = atomic_exchange(&entry->calls, 0);
        visit(entry->site, entry->target, atomic_exchange(&entry->amount, 0));
        visit(entry->site + offsetof(struct ccprof_pair, inclusive), entry->target,
              calls);
    }
}

void ccprof_called_zero(struct ccprof_stack_thread *stack)
{
    struct ccprof_called *called = stack->called;

    for (struct called_entry *entry = called ? atomic_load(&called->latest) : NULL; entry;
         entry = entry->earlier) {
        entry->start = stack->total;
        entry->amount = entry->calls = 0;
    }
}

void ccprof_called_end(struct ccprof_stack_thread *stack)
{
    if (!stack->called)
        return;
    munmap(stack->called, sizeof *stack->called);
    stack->called = NULL;
}
