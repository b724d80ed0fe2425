/* SPDX-License-Identifier: MIT */
/* A table's entries are written by its thread alone, but for what was TAKEN by flushes. A
   signal handler that calls the same target finds its entry open or closed. */

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
    uint64_t site, target; /* SITE 0: free entry */
    uint64_t depth;        /* stack pointer of the outermost call; 0: none */
    uint64_t start;        /* the thread's total there */
    uint64_t amount, calls;
    uint64_t amount_taken, calls_taken;
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

CALLED_GENERAL static void called_close(struct called_entry *entry, uint64_t total)
{
    entry->amount += total - entry->start;
    atomic_signal_fence(memory_order_seq_cst);
    entry->depth = 0;
}

/* An entry that is open with a stack pointer that is not above that of a new call was
   left without notice. */
CALLED_GENERAL static void called_open(struct ccprof_stack_thread *stack,
                                       struct called_entry *entry, uint64_t sp)
{
    struct ccprof_called *called = stack->called;

    entry->calls++;
    if (entry->depth > sp)
        return;
    if (entry->depth) {
        ccprof_called_cut(stack, sp + 1);
        if (entry->depth)
            return;
    }
    entry->start = stack->total;
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

/* Returns the entry's amount, of an open one as if it were closed now. If its thread
   changes it meanwhile, the next flush takes the rest. */
static uint64_t called_amount(const struct called_entry *entry,
                              const struct ccprof_stack_thread *stack)
{
    uint64_t amount, open, depth = __atomic_load_n(&entry->depth, __ATOMIC_SEQ_CST);

    do {
        uint64_t start = __atomic_load_n(&entry->start, __ATOMIC_SEQ_CST);
        open = depth;
        amount = __atomic_load_n(&entry->amount, __ATOMIC_SEQ_CST);
        if (open)
            amount += __atomic_load_n(&stack->total, __ATOMIC_SEQ_CST) - start;
        depth = __atomic_load_n(&entry->depth, __ATOMIC_SEQ_CST);
    } while (open != depth);
    return amount;
}

/* Adds to *TAKEN what is new of NOW, and returns it. */
static uint64_t called_new(uint64_t now, uint64_t *taken)
{
    uint64_t more = now > *taken ? now - *taken : 0;

    *taken += more;
    return more;
}

void ccprof_called_flush(struct ccprof_stack_thread *stack,
                         void (*visit)(uint64_t site, uint64_t target, uint64_t count))
{
    struct ccprof_called *called = stack->called;

    for (struct called_entry *entry = called ? atomic_load(&called->latest) : NULL; entry;
         entry = entry->earlier) {
        visit(entry->site, entry->target,
              called_new(called_amount(entry, stack), &entry->amount_taken));
        visit(entry->site + offsetof(struct ccprof_pair, inclusive), entry->target,
              called_new(__atomic_load_n(&entry->calls, __ATOMIC_RELAXED),
                         &entry->calls_taken));
    }
}

void ccprof_called_zero(struct ccprof_stack_thread *stack)
{
    struct ccprof_called *called = stack->called;

    for (struct called_entry *entry = called ? atomic_load(&called->latest) : NULL; entry;
         entry = entry->earlier) {
        entry->start = stack->total;
        entry->amount = entry->calls = entry->amount_taken = entry->calls_taken = 0;
    }
}

void ccprof_called_end(struct ccprof_stack_thread *stack)
{
    if (!stack->called)
        return;
    munmap(stack->called, sizeof *stack->called);
    stack->called = NULL;
}
