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

/* The targets of further entries are not known. Unused pages need no memory. */
#define CALLED_MOST (CCPROF_CALLED_ROOM / 2)

#ifdef __x86_64__
#define CALLED_GENERAL __attribute__((target("general-regs-only")))
#else
#define CALLED_GENERAL
#endif

void ccprof_called_begin(struct ccprof_stack_thread *stack)
{
    stack->called = ccprof_pages_map(sizeof *stack->called);
}

/* Takes a free entry, unless a signal handler takes it first. */
CALLED_GENERAL static bool called_take(struct ccprof_called *called,
                                       struct ccprof_called_entry *entry, uint64_t site,
                                       uint64_t target)
{
    unsigned long long none = 0;

    if (!__atomic_compare_exchange_n(&entry->site, &none, site, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
        return false;
    called->used++;
    entry->target = target;
    entry->earlier = __atomic_load_n(&called->latest, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&called->latest, &entry->earlier, entry, false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        continue;
    return true;
}

/* Returns the entry, or null if there is no room. */
CALLED_GENERAL static struct ccprof_called_entry *
called_find(struct ccprof_called *called, uint64_t site, uint64_t target)
{
    size_t i = (size_t)CCPROF_CALLED_HASH(site, target);

    for (;; i++) {
        struct ccprof_called_entry *entry = &called->entries[i % CCPROF_CALLED_ROOM];
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

CALLED_GENERAL static void called_close(struct ccprof_called_entry *entry, uint64_t total)
{
    entry->amount += total - entry->start;
    atomic_signal_fence(memory_order_seq_cst);
    entry->depth = 0;
}

/* An entry that is open with a stack pointer that is not above that of a new call was
   left without notice. */
CALLED_GENERAL static void called_open(struct ccprof_stack_thread *stack,
                                       struct ccprof_called_entry *entry, uint64_t sp)
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
    struct ccprof_called_entry *entry;

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
        struct ccprof_called_entry *entry = called->open;
        called->open = entry->outer;
        called_close(entry, stack->total);
    }
}

/* Returns the entry's amount, of an open one as if it were closed now. If its thread
   changes it meanwhile, the next flush takes the rest. */
static uint64_t called_amount(const struct ccprof_called_entry *entry,
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
static uint64_t called_new(uint64_t now, unsigned long long *taken)
{
    uint64_t more = now > *taken ? now - *taken : 0;

    *taken += more;
    return more;
}

void ccprof_called_flush(struct ccprof_stack_thread *stack,
                         void (*visit)(uint64_t site, uint64_t target, uint64_t count))
{
    struct ccprof_called *called = stack->called;

    for (struct ccprof_called_entry *entry =
             called ? __atomic_load_n(&called->latest, __ATOMIC_ACQUIRE) : NULL;
         entry; entry = entry->earlier) {
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

    for (struct ccprof_called_entry *entry =
             called ? __atomic_load_n(&called->latest, __ATOMIC_ACQUIRE) : NULL;
         entry; entry = entry->earlier) {
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
