/* SPDX-License-Identifier: MIT */
/* Owns each registered thread's copies of pairs, and the thread's stack of the pairs
   that it has entered. Called under the lock of counts-lists.h. */

#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "rt/count/inclusive.h"
#include "rt/os/lock.h"
#include "rt/os/memory.h"
#include "rt/os/sys.h"
#include "rt/count/counts-lists.h"

/* Memory of a thread's stack of pairs, in words: the entries and their second words. The
   lowest PAD entries are never used; their second words are a limit for code that pops
   entries. As many entries as a machine stack of 8 MiB has words. Unused ones need no
   memory. */
#define INCLUSIVE_PAD   2
#define INCLUSIVE_WORDS (2 * (size_t)CCPROF_STACK_MOST)

/* Maximum number of attempts to read a pair while its thread changes it. */
#define INCLUSIVE_TRIES 1000

static _Atomic uint64_t last_serial;
static _Atomic bool
    switched; /* by an ended thread, or by resuming another thread's context */

void (*ccprof_inclusive_stack_made)(struct ccprof_counts_thread *thread, size_t entries);

static size_t inclusive_size(const struct ccprof_counts_module *module)
{
    return module->count * sizeof(struct ccprof_pair);
}

/* Returns the thread's word for the module. If the thread has two such words, their
   values are equal, and the word in the table is returned. */
static struct ccprof_stack_word *inclusive_word(const struct ccprof_counts_module *module,
                                                const struct ccprof_counts_thread *thread)
{
    return module->place
               ? ccprof_counts_words_of(module, thread)
               : (struct ccprof_stack_word *)(thread->pointer + module->distance);
}

static void inclusive_set(const struct ccprof_counts_module *module,
                          const struct ccprof_counts_thread *thread,
                          struct ccprof_stack_thread *stack, uintptr_t delta)
{
    struct ccprof_stack_word *const words[] = {
        module->place ? ccprof_counts_words_of(module, thread) : NULL,
        module->has_word
            ? (struct ccprof_stack_word *)(thread->pointer + module->distance)
            : NULL};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!words[i])
            continue;
        __atomic_store_n(&words[i]->delta, delta, __ATOMIC_RELAXED);
        words[i]->thread = stack;
    }
}

uintptr_t ccprof_inclusive_delta(const struct ccprof_counts_module *module,
                                 const struct ccprof_counts_thread *thread)
{
    return __atomic_load_n(&inclusive_word(module, thread)->delta, __ATOMIC_RELAXED);
}

/* Returns the thread's copy of the module's pairs; null if it has none. */
static struct ccprof_pair *inclusive_copy(const struct ccprof_counts_module *module,
                                          const struct ccprof_counts_thread *thread)
{
    uintptr_t delta = ccprof_inclusive_delta(module, thread);
    return delta ? (struct ccprof_pair *)((uintptr_t)module->storage + delta) : NULL;
}

static uintptr_t *inclusive_second(struct ccprof_pair **entry)
{
    return (uintptr_t *)(entry + CCPROF_STACK_MOST);
}

static bool inclusive_has_stack(struct ccprof_counts_thread *thread)
{
    void *entries;

    if (thread->entries)
        return true;
    if (ccprof_strict)
        return false;
    entries = mmap(NULL, INCLUSIVE_WORDS * sizeof *thread->entries,
                   PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (entries == MAP_FAILED)
        return false;
    thread->entries = (struct ccprof_pair **)entries + INCLUSIVE_PAD;
    for (int i = -INCLUSIVE_PAD; i < 0; i++)
        *inclusive_second(&thread->entries[i]) = UINTPTR_MAX;
    thread->serial = atomic_fetch_add(&last_serial, 1) + 1;
    thread->stack = (struct ccprof_stack_thread){
        .top = thread->entries,
        .limit =
            thread->entries + CCPROF_STACK_MOST - INCLUSIVE_PAD - CCPROF_STACK_ENTRIES};
    if (ccprof_inclusive_stack_made)
        ccprof_inclusive_stack_made(thread, CCPROF_STACK_MOST - INCLUSIVE_PAD);
    return true;
}

static void inclusive_give(const struct ccprof_counts_module *module,
                           struct ccprof_counts_thread *thread)
{
    struct ccprof_pair *copy;

    if (!inclusive_has_stack(thread) ||
        (module->place && !ccprof_counts_words_make(thread)))
        return;
    copy = ccprof_pages_map(inclusive_size(module));
    if (!copy)
        return;
    inclusive_set(module, thread, &thread->stack,
                  (uintptr_t)copy - (uintptr_t)module->storage);
}

/* Reads the count of a pair. A count greater than the thread's total shows that the
   pair was read in the middle of a change; it is then read again. Returns 0 if all
   attempts fail. */
static uint64_t inclusive_read(const struct ccprof_pair *pair,
                               const struct ccprof_stack_thread *stack)
{
    for (int i = 0; i < INCLUSIVE_TRIES; i++) {
        uint64_t depth = __atomic_load_n(&pair->depth, __ATOMIC_SEQ_CST);
        uint64_t count = __atomic_load_n(&pair->inclusive, __ATOMIC_SEQ_CST);
        uint64_t total = __atomic_load_n(&stack->total, __ATOMIC_SEQ_CST);
        if (depth)
            count += total;
        if (depth == __atomic_load_n(&pair->depth, __ATOMIC_SEQ_CST) && count <= total)
            return count;
    }
    return 0;
}

static uint64_t inclusive_own(const struct ccprof_counts_module *module,
                              const struct ccprof_counts_thread *thread, size_t i)
{
    const struct ccprof_pair *copy = inclusive_copy(module, thread);
    return copy ? inclusive_read(&copy[i], &thread->stack) : 0;
}

static void inclusive_take(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread)
{
    struct ccprof_pair *copy = inclusive_copy(module, thread);

    if (!copy)
        return;
    for (size_t i = 0; i < module->count; i++)
        module->totals[i] += inclusive_read(&copy[i], &thread->stack);
    inclusive_set(module, thread, module->none, 0);
    if (!thread->goes_on)
        munmap(copy, inclusive_size(module));
}

void ccprof_inclusive_park(struct ccprof_counts_thread *thread,
                           struct ccprof_inclusive_parked *parked)
{
    struct ccprof_stack_thread *stack = &thread->stack;
    struct ccprof_inclusive_entry *entries = parked->few;

    parked->more = NULL;
    parked->count = thread->entries ? (size_t)(stack->top - thread->entries) : 0;
    parked->serial = thread->entries ? thread->serial : 0;
    if (parked->count > CCPROF_INCLUSIVE_FEW) {
        parked->more = ccprof_pages_map(parked->count * sizeof *parked->more);
        entries = parked->more;
        if (!entries) {
            parked->count = 0;
            switched = true;
        }
    }
    for (size_t i = 0; i < parked->count; i++)
        entries[i] = (struct ccprof_inclusive_entry){
            thread->entries[i], *inclusive_second(&thread->entries[i])};
    while (thread->entries && stack->top > thread->entries) {
        struct ccprof_pair **entry = stack->top - 1, *pair = *entry;
        /* Read the entry before it is removed: a signal handler overwrites entries
           above the top. */
        atomic_signal_fence(memory_order_seq_cst);
        stack->top = entry;
        if (pair && --pair->depth == 0)
            pair->inclusive += stack->total;
    }
}

void ccprof_inclusive_resume(struct ccprof_counts_thread *thread,
                             struct ccprof_inclusive_parked *parked)
{
    const struct ccprof_inclusive_entry *entries =
        parked->more ? parked->more : parked->few;
    struct ccprof_stack_thread *stack = &thread->stack;
    struct ccprof_inclusive_parked left;
    bool same = thread->entries ? thread->serial == parked->serial : parked->serial == 0;

    if (!same)
        switched = true;
    if (same && thread->entries) {
        ccprof_inclusive_park(thread, &left);
        if (left.more)
            munmap(left.more, left.count * sizeof *left.more);
        for (size_t i = 0; i < parked->count; i++) {
            struct ccprof_pair **entry = stack->top;
            stack->top = entry + 1;
            atomic_signal_fence(memory_order_seq_cst);
            *inclusive_second(entry) = entries[i].second;
            *entry = entries[i].pair;
            if (*entry && (*entry)->depth++ == 0)
                (*entry)->inclusive -= stack->total;
        }
    }
    if (parked->more)
        munmap(parked->more, parked->count * sizeof *parked->more);
}

bool ccprof_inclusive_are_wrong(void)
{
    bool wrong = switched;

    for (const struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        wrong |= t->stack.switched != 0;
    return wrong;
}

void ccprof_inclusive_end(struct ccprof_counts_thread *thread)
{
    switched |= thread->stack.switched != 0;
    if (thread->entries && !thread->goes_on)
        munmap(thread->entries - INCLUSIVE_PAD,
               INCLUSIVE_WORDS * sizeof *thread->entries);
    thread->entries = NULL;
    if (thread->printed && !thread->goes_on)
        munmap(thread->printed, thread->printed_size);
    thread->printed = NULL;
}

static void inclusive_zero(const struct ccprof_counts_module *module,
                           struct ccprof_counts_thread *thread)
{
    struct ccprof_pair *copy = inclusive_copy(module, thread);

    thread->stack.total = thread->stack.switched = 0;
    switched = false;
    for (size_t i = 0; copy && i < module->count; i++)
        copy[i].inclusive = 0;
}

const struct ccprof_counts_form ccprof_inclusive_form = {
    .words = sizeof(struct ccprof_pair) / sizeof(uint64_t),
    .give = inclusive_give,
    .take = inclusive_take,
    .private_count = inclusive_own,
    .zero = inclusive_zero};
