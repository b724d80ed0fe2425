/* SPDX-License-Identifier: MIT */
/* Owns the tables of words: one for each registered thread, one for all others, and one
   for threads that have ended.  A thread's pointer to its table is in its struct
   ccprof_counts_thread, which is thread-local: all modules find it at the same distance
   from the thread's pointer.  Threads begin and end, and modules are attached, under the
   lock.  */

#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "rt/os/pages.h"
#include "rt/count/counts-words.h"

#define WORDS_SIZE (CCPROF_COUNTS_MODULES_MAX * sizeof(struct ccprof_stack_word))

struct ccprof_stack_word ccprof_counts_words_none[CCPROF_COUNTS_MODULES_MAX];
static struct ccprof_stack_word words_ended[CCPROF_COUNTS_MODULES_MAX];

static bool words_has_own(const struct ccprof_counts_thread *thread)
{
    return thread->words != ccprof_counts_words_none && thread->words != words_ended;
}

void ccprof_counts_words_clear(const struct ccprof_counts_module *module)
{
    const size_t i = (size_t)(module - ccprof_counts_modules);
    const bool counts = module->form == &ccprof_counts_storage;

    ccprof_counts_words_none[i] = (struct ccprof_stack_word){module->none, 0};
    words_ended[i] = (struct ccprof_stack_word){
        module->none,
        counts ? (uintptr_t)module->totals - (uintptr_t)module->storage : 0};
    for (struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        if (words_has_own(t))
            t->words[i] = ccprof_counts_words_none[i];
}

void ccprof_counts_words_place(const struct ccprof_counts_module *module,
                               const struct ccprof_counts_thread *self, size_t index)
{
    const size_t i = (size_t)(module - ccprof_counts_modules);
    struct ccprof_place *place = module->place;
    uintptr_t offset = (uintptr_t)&self->words - (uintptr_t)__builtin_thread_pointer();

    __atomic_store_n(&place->index, i * sizeof(struct ccprof_stack_word) + index,
                     __ATOMIC_RELAXED);
    __atomic_store_n(&place->offset, offset, __ATOMIC_RELEASE);
}

bool ccprof_counts_words_make(struct ccprof_counts_thread *thread)
{
    struct ccprof_stack_word *words;
    size_t used;

    if (words_has_own(thread))
        return true;
    words = ccprof_pages_map(WORDS_SIZE);
    if (!words)
        return false;
    /* One of the modules is not in the list yet, maybe.  */
    used = atomic_load(&ccprof_counts_module_count) + 1;
    if (used > CCPROF_COUNTS_MODULES_MAX)
        used = CCPROF_COUNTS_MODULES_MAX;
    memcpy(words, ccprof_counts_words_none, used * sizeof *words);
    __atomic_store_n(&thread->words, words, __ATOMIC_RELEASE);
    return true;
}

struct ccprof_stack_word *
ccprof_counts_words_of(const struct ccprof_counts_module *module,
                       const struct ccprof_counts_thread *thread)
{
    return &thread->words[module - ccprof_counts_modules];
}

void ccprof_counts_words_end(struct ccprof_counts_thread *thread)
{
    struct ccprof_stack_word *words = thread->words;

    if (!words_has_own(thread))
        return;
    __atomic_store_n(&thread->words, words_ended, __ATOMIC_RELAXED);
    munmap(words, WORDS_SIZE);
}
