/* SPDX-License-Identifier: MIT */
/* Owns the list of modules with pairs, the threads that have copies of them, and these.
   attach: constructor; begin and end: the thread; each: where the profile is written. The
   list of threads is locked while it changes and while it is read.  */

#define _GNU_SOURCE
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "format.h"
#include "inclusive.h"
#include "notes.h"
#include "spin.h"
#include "sys.h"

/* How often one waits for the list of threads, a millisecond each time; the holder may be
   a thread that a fatal signal has cut off.  */
#define INCLUSIVE_PATIENCE 100
#define INCLUSIVE_SLEEP    1000000

/* Entries of a thread's stack: as many as a machine stack of 8 MiB has words.  What is
   not used takes no memory.  */
#define INCLUSIVE_ENTRIES (1u << 20)

/* How often a pair is read that its thread changes at the time.  */
#define INCLUSIVE_TRIES 1000

struct inclusive_module {
    int number;                /* of struct ccprof_modules */
    struct ccprof_pair *pairs; /* in the module; no thread uses them but unknown ones */
    size_t count;
    uintptr_t distance; /* from a thread's pointer to its ccprof_stack_word */
    struct ccprof_stack_thread *none;
    uint64_t *totals; /* of the threads that have ended */
    bool unloaded;
};

struct inclusive_thread {
    struct ccprof_stack_thread stack;
    struct inclusive_thread *next, **at; /* AT null: not in the list */
    uintptr_t pointer;
    struct ccprof_pair **entries;
};

static struct inclusive_module modules[CCPROF_MODULES_MAX];
static _Atomic unsigned module_count;
static struct inclusive_thread *threads;
static ccprof_spin busy;
static __thread struct inclusive_thread self;

static bool inclusive_lock(void)
{
    for (int i = 0; i < INCLUSIVE_PATIENCE; i++) {
        if (ccprof_spin_try(&busy))
            return true;
        ccprof_sys_sleep(INCLUSIVE_SLEEP);
    }
    return false;
}

/* Zeroed; null if there is none.  */
static void *inclusive_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static size_t inclusive_size(const struct inclusive_module *module)
{
    return module->count * sizeof *module->pairs;
}

static struct ccprof_stack_word *inclusive_word(const struct inclusive_module *module,
                                                const struct inclusive_thread *thread)
{
    return (struct ccprof_stack_word *)(thread->pointer + module->distance);
}

/* The thread's copy of the module's pairs; null if it has none.  */
static struct ccprof_pair *inclusive_copy(const struct inclusive_module *module,
                                          const struct inclusive_thread *thread)
{
    uintptr_t delta =
        __atomic_load_n(&inclusive_word(module, thread)->delta, __ATOMIC_RELAXED);
    return delta ? (struct ccprof_pair *)((uintptr_t)module->pairs + delta) : NULL;
}

static void inclusive_give(const struct inclusive_module *module,
                           struct inclusive_thread *thread)
{
    struct ccprof_stack_word *word = inclusive_word(module, thread);
    struct ccprof_pair *copy = NULL;

    if (!module->unloaded)
        copy = inclusive_memory(inclusive_size(module));
    if (!copy)
        return;
    __atomic_store_n(&word->delta, (uintptr_t)copy - (uintptr_t)module->pairs,
                     __ATOMIC_RELAXED);
    word->thread = &thread->stack;
}

/* What the pair has counted; the thread may be at work on it.  What is counted never is
   more than all that the thread has counted, and so never looks negative.  */
static uint64_t inclusive_read(const struct ccprof_pair *pair,
                               const struct inclusive_thread *thread)
{
    for (int i = 0; i < INCLUSIVE_TRIES; i++) {
        uint64_t depth = __atomic_load_n(&pair->depth, __ATOMIC_SEQ_CST);
        uint64_t count = __atomic_load_n(&pair->inclusive, __ATOMIC_SEQ_CST);
        uint64_t total = __atomic_load_n(&thread->stack.total, __ATOMIC_SEQ_CST);
        if (depth)
            count += total;
        if (depth == __atomic_load_n(&pair->depth, __ATOMIC_SEQ_CST) && count <= total)
            return count;
    }
    return 0;
}

/* Adds what the thread has counted to the totals.  */
static void inclusive_take(const struct inclusive_module *module,
                           const struct inclusive_thread *thread)
{
    struct ccprof_stack_word *word = inclusive_word(module, thread);
    struct ccprof_pair *copy = NULL;

    if (!module->unloaded)
        copy = inclusive_copy(module, thread);
    if (!copy)
        return;
    for (size_t i = 0; i < module->count; i++)
        module->totals[i] += inclusive_read(&copy[i], thread);
    word->thread = module->none;
    word->delta = 0;
    munmap(copy, inclusive_size(module));
}

static void inclusive_enlist(void)
{
    self.pointer = (uintptr_t)__builtin_thread_pointer();
    self.next = threads;
    self.at = &threads;
    if (threads)
        threads->at = &self.next;
    threads = &self;
}

static void inclusive_delist(void)
{
    *self.at = self.next;
    if (self.next)
        self.next->at = self.at;
    self.at = NULL;
}

void ccprof_inclusive_thread_begin(void)
{
    if (self.at || !ccprof_inclusive_any())
        return;
    self.entries = inclusive_memory(INCLUSIVE_ENTRIES * sizeof *self.entries);
    if (!self.entries || !inclusive_lock())
        return;
    self.stack = (struct ccprof_stack_thread){.top = self.entries,
                                              .limit = self.entries + INCLUSIVE_ENTRIES -
                                                       CCPROF_STACK_ENTRIES};
    inclusive_enlist();
    for (unsigned i = 0; i < atomic_load(&module_count); i++)
        inclusive_give(&modules[i], &self);
    ccprof_spin_release(&busy);
}

void ccprof_inclusive_thread_end(void)
{
    if (!self.at || !inclusive_lock())
        return;
    for (unsigned i = 0; i < atomic_load(&module_count); i++)
        inclusive_take(&modules[i], &self);
    inclusive_delist();
    munmap(self.entries, INCLUSIVE_ENTRIES * sizeof *self.entries);
    ccprof_spin_release(&busy);
}

static uint64_t inclusive_sum(const struct inclusive_module *module, size_t i)
{
    uint64_t sum = module->totals[i];

    for (const struct inclusive_thread *t = threads; t && !module->unloaded;
         t = t->next) {
        const struct ccprof_pair *copy = inclusive_copy(module, t);
        if (copy)
            sum += inclusive_read(&copy[i], t);
    }
    return sum;
}

/* Libc calls this where the module is unloaded, or the program exits.  The copies stay:
   their addresses may stand on stacks.  */
static void inclusive_detach(void *from)
{
    struct inclusive_module *module = from;

    if (!inclusive_lock())
        return;
    for (size_t i = 0; i < module->count; i++)
        module->totals[i] = inclusive_sum(module, i);
    module->unloaded = true;
    ccprof_spin_release(&busy);
}

int __cxa_atexit(void (*function)(void *), void *argument, void *handle);

static void *inclusive_at(const int *distance)
{
    return (char *)distance + *distance;
}

static void inclusive_add(const struct ccprof_pairs_note *note,
                          const struct ccprof_modules *loaded)
{
    unsigned count = atomic_load(&module_count);
    struct inclusive_module *module = &modules[count];
    void **handle = inclusive_at(&note->handle);

    if (note->version != CCPROF_ATTACH_VERSION || count == CCPROF_MODULES_MAX)
        return;
    module->pairs = inclusive_at(&note->start);
    module->count =
        (size_t)((struct ccprof_pair *)inclusive_at(&note->stop) - module->pairs);
    module->distance = ((uintptr_t(*)(void))inclusive_at(&note->offset))();
    module->none = inclusive_at(&note->none);
    module->number = ccprof_modules_find(loaded, (uintptr_t)note);
    module->totals = inclusive_memory(module->count * sizeof *module->totals);
    if (!module->totals || module->number < 0)
        return;
    for (struct inclusive_thread *t = threads; t; t = t->next)
        inclusive_give(module, t);
    atomic_store(&module_count, count + 1);
    /* That of an executable is null.  */
    if (*handle == handle)
        __cxa_atexit(inclusive_detach, module, handle);
}

/* What inclusive_visit looks for, and finds.  */
struct inclusive_search {
    uintptr_t address;
    const struct ccprof_pairs_note *note;
};

static int inclusive_visit(struct dl_phdr_info *info, size_t size, void *of)
{
    struct inclusive_search *search = of;

    (void)size;
    if (!ccprof_notes_holds(info, search->address))
        return 0;
    search->note = ccprof_notes_find(info, CCPROF_NOTE_PAIRS, sizeof *search->note);
    return 1;
}

void ccprof_inclusive_attach(const void *address, const struct ccprof_modules *loaded)
{
    struct inclusive_search search = {(uintptr_t)address, NULL};

    dl_iterate_phdr(inclusive_visit, &search);
    if (search.note && inclusive_lock()) {
        inclusive_add(search.note, loaded);
        ccprof_spin_release(&busy);
    }
    ccprof_inclusive_thread_begin();
}

bool ccprof_inclusive_any(void)
{
    return atomic_load(&module_count) != 0;
}

/* What is open begins anew.  */
static void inclusive_zero(const struct inclusive_module *module)
{
    struct ccprof_pair *copy = NULL;

    memset(module->totals, 0, module->count * sizeof *module->totals);
    if (!module->unloaded && self.at)
        copy = inclusive_copy(module, &self);
    for (size_t i = 0; copy && i < module->count; i++)
        copy[i].inclusive = 0;
}

void ccprof_inclusive_drop(void)
{
    ccprof_spin_release(&busy);
    threads = NULL;
    for (unsigned i = 0; i < atomic_load(&module_count); i++)
        inclusive_zero(&modules[i]);
    self.stack.total = 0;
    if (self.at)
        inclusive_enlist();
}

int ccprof_inclusive_each(ccprof_counts_visit *visit, void *context)
{
    bool locked = inclusive_lock();
    int stop = 0;

    for (unsigned m = 0; m < atomic_load(&module_count) && !stop; m++) {
        const struct inclusive_module *module = &modules[m];
        for (size_t i = 0; i < module->count && !stop; i++) {
            uint64_t sum = inclusive_sum(module, i);
            if (sum)
                stop = visit(context, module->number, (uintptr_t)&module->pairs[i], sum);
        }
    }
    if (locked)
        ccprof_spin_release(&busy);
    return stop;
}
