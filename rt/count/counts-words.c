/* SPDX-License-Identifier: MIT */
/* Owns the tables of words: one for each registered thread, one for all others, and one
   for threads that have ended.  A thread's pointer to its table is thread-local: all
   modules find it at the same distance from the thread's pointer.  Threads begin and end,
   and modules are attached, under the lock.  */

#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "rt/os/memory.h"
#include "rt/count/counts-words.h"

#define WORDS_SPARE 16
#define WORDS_SIZE  (CCPROF_COUNTS_MODULES_MAX * sizeof(struct ccprof_stack_word))

/* The words of threads that are not registered: what all threads have while there is no
   runtime.  */
static struct ccprof_stack_word words_none[CCPROF_COUNTS_MODULES_MAX];
static struct ccprof_stack_word words_ended[CCPROF_COUNTS_MODULES_MAX];
static __thread struct ccprof_stack_word *words_own = words_none;

/* Tables of threads that have ended, for those that begin.  */
static struct ccprof_stack_word *words_spare[WORDS_SPARE];
static unsigned words_spare_count;

static struct ccprof_stack_word *words_take_spare(void)
{
    return words_spare_count ? words_spare[--words_spare_count]
                             : ccprof_pages_map(WORDS_SIZE);
}

static void words_give_back(struct ccprof_stack_word *words)
{
    if (words_spare_count < WORDS_SPARE)
        words_spare[words_spare_count++] = words;
    else
        munmap(words, WORDS_SIZE);
}

static uintptr_t words_offset(void)
{
    return (uintptr_t)&words_own - (uintptr_t)__builtin_thread_pointer();
}

/* Returns where the thread's pointer to its table is.  */
static struct ccprof_stack_word **words_at(const struct ccprof_counts_thread *thread)
{
    return (struct ccprof_stack_word **)(thread->pointer + words_offset());
}

static bool words_are_own(const struct ccprof_stack_word *words)
{
    return words != words_none && words != words_ended;
}

void ccprof_counts_words_clear(const struct ccprof_counts_module *module, uintptr_t ended)
{
    const size_t i = (size_t)(module - ccprof_counts_modules);

    words_none[i] = (struct ccprof_stack_word){module->none, 0};
    words_ended[i] = (struct ccprof_stack_word){module->none, ended};
    for (const struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next) {
        struct ccprof_stack_word *words = *words_at(t);
        if (words_are_own(words))
            words[i] = words_none[i];
    }
}

void ccprof_counts_words_place(const struct ccprof_counts_module *module, size_t index)
{
    const size_t i = (size_t)(module - ccprof_counts_modules);
    struct ccprof_place *place = module->place;

    index += i * sizeof(struct ccprof_stack_word);
    __atomic_store_n(&place->index, index, __ATOMIC_RELAXED);
    __atomic_store_n(&place->offset, words_offset(), __ATOMIC_RELEASE);
    __atomic_store_n(&place->packed, CCPROF_PLACE_PACKED(words_offset(), index),
                     __ATOMIC_RELEASE);
}

bool ccprof_counts_words_make(const struct ccprof_counts_thread *thread)
{
    struct ccprof_stack_word *words;
    size_t used;

    if (words_are_own(*words_at(thread)))
        return true;
    words = words_take_spare();
    if (!words)
        return false;
    /* The module that is being attached is not in the list yet, maybe.  */
    used = atomic_load(&ccprof_counts_module_count) + 1;
    if (used > CCPROF_COUNTS_MODULES_MAX)
        used = CCPROF_COUNTS_MODULES_MAX;
    memcpy(words, words_none, used * sizeof *words);
    __atomic_store_n(words_at(thread), words, __ATOMIC_RELEASE);
    return true;
}

struct ccprof_stack_word *
ccprof_counts_words_of(const struct ccprof_counts_module *module,
                       const struct ccprof_counts_thread *thread)
{
    return &(*words_at(thread))[module - ccprof_counts_modules];
}

void ccprof_counts_words_end(const struct ccprof_counts_thread *thread)
{
    struct ccprof_stack_word *words = *words_at(thread);

    if (!words_are_own(words))
        return;
    __atomic_store_n(words_at(thread), words_ended, __ATOMIC_RELAXED);
    words_give_back(words);
}

void ccprof_counts_words_drop(void)
{
    words_spare_count = 0;
}
