/* SPDX-License-Identifier: MIT */
/* Stores counters. Owns the lists of modules and registered threads with their lock,
   the copies of counters, and the tables of words. Called under the lock.

   Shared objects: a registered thread counts in its own copy of the module's storage.
   A word of the thread for this module holds the distance to the copy. This word is
   in the thread's table, or thread-local, or both. Other threads count in the
   module's own storage.

   Executables: counters are thread-local words, whose offsets are in records. Each
   thread, registered or not, has its own. */

#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "rt/format.h"
#include "rt/os/lock.h"
#include "rt/os/memory.h"
#include "rt/unwind/sharedword.h"
#include "rt/count/counts-lists.h"
#include "rt/count/counts.h"

/* How long to wait for the lock, in nanoseconds. The limit matters if a fatal signal
   interrupted the holder. */
#define COUNTS_PATIENCE 10000000000u

struct ccprof_counts_module *ccprof_counts_modules;
_Atomic unsigned ccprof_counts_module_count;
struct ccprof_modules *ccprof_counts_loaded;

struct ccprof_counts_thread *ccprof_counts_list;

static ccprof_lock busy;

bool ccprof_counts_lock(void)
{
    static _Atomic bool
        holder_is_gone; /* the holder never continues: do not wait again */
    bool good =
        ccprof_lock_wait(&busy, atomic_load(&holder_is_gone) ? 0 : COUNTS_PATIENCE);

    atomic_store(&holder_is_gone, !good);
    return good;
}

bool ccprof_counts_lock_try(void)
{
    return ccprof_lock_try(&busy);
}

void ccprof_counts_lock_take(void)
{
    ccprof_lock_take(&busy);
}

void ccprof_counts_unlock(void)
{
    ccprof_lock_release(&busy);
}

void ccprof_counts_give(const struct ccprof_counts_module *module,
                        struct ccprof_counts_thread *thread)
{
    if (!module->unloaded && module->form->give)
        module->form->give(module, thread);
}

uint64_t ccprof_counts_own(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread, size_t i)
{
    return module->unloaded ? 0 : module->form->private_count(module, thread, i);
}

uint64_t ccprof_counts_shared(const struct ccprof_counts_module *module, size_t i)
{
    bool has_own = !module->unloaded && module->form->shared;
    return has_own ? module->form->shared(module, i) : 0;
}

bool ccprof_counts_number(struct ccprof_counts_module *module)
{
    uintptr_t storage = (uintptr_t)module->storage;

    if (module->number < 0 && module->unloaded)
        module->number = ccprof_modules_find(ccprof_counts_loaded, storage);
    else if (module->number < 0)
        module->number = ccprof_modules_find_now(ccprof_counts_loaded, storage);
    return module->number >= 0;
}

uint64_t ccprof_counts_sum(const struct ccprof_counts_module *module, size_t i)
{
    uint64_t sum = module->totals[i] + ccprof_counts_shared(module, i);

    for (const struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        sum += ccprof_counts_own(module, t, i);
    return sum;
}

uintptr_t ccprof_counts_address(const struct ccprof_counts_module *module, size_t i)
{
    return (uintptr_t)&module->storage[module->form->words * i];
}

/* The tables of words: one for each registered thread, one shared by all unregistered
   threads, and one shared by threads that have ended. A thread's pointer to its table
   is thread-local. It has the same distance from the thread pointer in all threads,
   so all modules find it. */

#define WORDS_SPARE 16
#define WORDS_SIZE  (CCPROF_COUNTS_MODULES_MAX * sizeof(struct ccprof_stack_word))

/* The table of unregistered threads. Without the runtime, all threads would use it. */
static struct ccprof_stack_word words_none[CCPROF_COUNTS_MODULES_MAX];
static struct ccprof_stack_word words_ended[CCPROF_COUNTS_MODULES_MAX];
static __thread struct ccprof_stack_word *words_own = words_none;

/* Tables of threads that have ended, for new threads. */
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
    uintptr_t offset = (uintptr_t)&words_own - (uintptr_t)__builtin_thread_pointer();

    /* GCC 16 would compute the lower half by an instruction that the assembler of
       binutils 2.47.50 refuses. */
    asm("" : "+r"(offset));
    return offset;
}

/* Returns the address of the thread's pointer to its table. */
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
    /* Includes one entry more, since the module being attached may not be in the list
       yet. */
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

/* The path of a thread (plugin/alloc/alloc-path.cc). All modules of the kind alloc
   use the same word of a thread. The runtime may have to provide this word. */
static __thread uintptr_t own_path;
static struct ccprof_sharedword path = {.note = CCPROF_NOTE_PATH,
                                        .placed = CCPROF_NOTE_PATH_PLACED};

void ccprof_path_attach(const void *address)
{
    ccprof_sharedword_attach(&path, address, &own_path);
}

/* Clears the path of the thread with the thread pointer THREAD if it points into the
   SIZE bytes of counters at FROM, which are about to be freed. */
static void path_forget(uintptr_t thread, const void *from, size_t size)
{
    if (!path.is_there)
        return;
    uintptr_t *word = (uintptr_t *)(thread + (uintptr_t)path.offset);
    if (*word - (uintptr_t)from < size)
        *word = 0;
}

/* Returns the thread-local word whose value the thread adds to the address of a
   counter. */
static uintptr_t *counts_word(const struct ccprof_counts_module *module,
                              const struct ccprof_counts_thread *thread)
{
    return (uintptr_t *)(thread->pointer + module->distance);
}

/* Returns the corresponding word in the thread's table. */
static uintptr_t *counts_placed(const struct ccprof_counts_module *module,
                                const struct ccprof_counts_thread *thread)
{
    return &ccprof_counts_words_of(module, thread)->delta;
}

/* Returns the thread's copy, or the module's own storage if the thread has no copy. */
static uint64_t *counts_of(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread)
{
    const uintptr_t *word =
        module->place ? counts_placed(module, thread) : counts_word(module, thread);
    uintptr_t delta = __atomic_load_n(word, __ATOMIC_RELAXED);
    return (uint64_t *)((uintptr_t)module->storage + delta);
}

static void counts_set(const struct ccprof_counts_module *module,
                       const struct ccprof_counts_thread *thread, const uint64_t *storage)
{
    uintptr_t delta = (uintptr_t)storage - (uintptr_t)module->storage;
    if (module->has_word)
        __atomic_store_n(counts_word(module, thread), delta, __ATOMIC_RELAXED);
    if (module->place)
        __atomic_store_n(counts_placed(module, thread), delta, __ATOMIC_RELAXED);
}

static void counts_give(const struct ccprof_counts_module *module,
                        struct ccprof_counts_thread *thread)
{
    uint64_t *storage;

    if (module->place && !ccprof_counts_words_make(thread))
        return;
    storage = ccprof_pages_map(module->count * sizeof *storage);
    if (storage)
        counts_set(module, thread, storage);
}

/* Makes the thread count in the totals from now on, in case it still counts. Returns
   the size of its copy in bytes. */
static size_t counts_use_totals(const struct ccprof_counts_module *module,
                                const struct ccprof_counts_thread *thread,
                                uint64_t *storage)
{
    size_t size = module->count * sizeof *storage;

    counts_set(module, thread, module->totals);
    path_forget(thread->pointer, storage, size);
    return size;
}

static void counts_take(const struct ccprof_counts_module *module,
                        const struct ccprof_counts_thread *thread)
{
    uint64_t *storage = counts_of(module, thread);

    if (storage == module->storage)
        return;
    for (size_t i = 0; i < module->count; i++)
        module->totals[i] += storage[i];
    size_t size = counts_use_totals(module, thread, storage);
    if (!thread->goes_on)
        munmap(storage, size);
}

static uint64_t counts_load(const uint64_t *count)
{
    return __atomic_load_n(count, __ATOMIC_RELAXED);
}

static uint64_t counts_own(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread, size_t i)
{
    const uint64_t *storage = counts_of(module, thread);
    return storage == module->storage ? 0 : counts_load(&storage[i]);
}

static uint64_t counts_shared(const struct ccprof_counts_module *module, size_t i)
{
    return counts_load(&module->storage[i]);
}

/* Keeps the copies mapped but gives back their memory: at the exit of the program
   other threads continue to run, and a thread may have just read the distance to its
   copy. */
static void counts_share(const struct ccprof_counts_module *module)
{
    for (const struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next) {
        uint64_t *storage = counts_of(module, t);
        if (storage != module->storage)
            madvise(storage, counts_use_totals(module, t, storage), MADV_DONTNEED);
    }
}

static void counts_zero(const struct ccprof_counts_module *module,
                        struct ccprof_counts_thread *thread)
{
    size_t size = module->count * sizeof *module->storage;

    memset(counts_of(module, thread), 0, size);
    memset(module->storage, 0, size);
}

const struct ccprof_counts_form ccprof_counts_storage = {.words = 1,
                                                         .give = counts_give,
                                                         .take = counts_take,
                                                         .private_count = counts_own,
                                                         .shared = counts_shared,
                                                         .share = counts_share,
                                                         .zero = counts_zero};

/* Returns the thread's counter for record I. */
static uint64_t *records_of(const struct ccprof_counts_module *module,
                            const struct ccprof_counts_thread *thread, size_t i)
{
    intptr_t offset = (int32_t)module->storage[i];
    uintptr_t from = thread->pointer + (offset < 0 ? 0 : module->distance);
    return (uint64_t *)(from + (uintptr_t)offset);
}

static void records_take(const struct ccprof_counts_module *module,
                         const struct ccprof_counts_thread *thread)
{
    for (size_t i = 0; i < module->count; i++) {
        uint64_t *count = records_of(module, thread, i);
        module->totals[i] += *count;
        *count = 0;
    }
}

static uint64_t records_own(const struct ccprof_counts_module *module,
                            const struct ccprof_counts_thread *thread, size_t i)
{
    return __atomic_load_n(records_of(module, thread, i), __ATOMIC_RELAXED);
}

static void records_zero(const struct ccprof_counts_module *module,
                         struct ccprof_counts_thread *thread)
{
    records_take(module, thread);
}

const struct ccprof_counts_form ccprof_counts_records = {.words = 1,
                                                         .is_private = true,
                                                         .take = records_take,
                                                         .private_count = records_own,
                                                         .zero = records_zero};
