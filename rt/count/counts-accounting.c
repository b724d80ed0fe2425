/* SPDX-License-Identifier: MIT */
/* Assigns counts to data sets and to the time while the gate was open. Counters only
   grow, so the difference between two readings is the count in between. The counters
   of threads are read while the threads continue to count. Owns the state of the gate
   and the marks of threads. The sums are in the list of modules (counts-lists.h).

   The gate (rt/process/gate.h): at each opening, the sums of all counters are added to
   the base of their module, and at each closing they are subtracted. So the count
   while the gate was open is the sum minus the base; while the gate is closed, it is 0
   minus the base.

   Data sets: the counts of a data set are the counts of each thread while it uses the
   data set. All other counts belong to the first data set. Counts that were written
   to other files are subtracted from the total. */

#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "rt/os/lock.h"
#include "rt/os/memory.h"
#include "rt/samples/tags.h"
#include "rt/count/counts-lists.h"
#include "rt/os/proc.h"
#include "rt/count/counts.h"

/* The marks of a thread: the values of its counters when it entered its data set, or
   when they were last read. After the thread has ended, another thread gets its
   marks, so threads whose end was not seen cost no memory. */
struct ccprof_counts_marks {
    struct ccprof_counts_marks *next;
    pid_t tid;                                   /* 0: belongs to no thread */
    uint64_t *module[CCPROF_COUNTS_MODULES_MAX]; /* null: all marks of the module are 0 */
};

static struct ccprof_counts_marks *all_marks;

static size_t marks_size(unsigned module)
{
    return ccprof_counts_modules[module].count * sizeof(uint64_t);
}

static void marks_zero(const struct ccprof_counts_marks *marks, unsigned module)
{
    if (marks->module[module])
        memset(marks->module[module], 0, marks_size(module));
}

/* Returns whether the thread TID may use these marks. If the marks already have this
   thread's number, they belong to an ended thread that had the same number. */
static bool marks_are_free(const struct ccprof_counts_marks *marks, pid_t tid)
{
    return marks->tid == 0 || marks->tid == tid || ccprof_tasks_has_ended(marks->tid);
}

static struct ccprof_counts_marks *marks_find(pid_t tid)
{
    struct ccprof_counts_marks *marks = all_marks;

    while (marks && !marks_are_free(marks, tid))
        marks = marks->next;
    if (marks) {
        for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++)
            marks_zero(marks, i);
    } else {
        marks = ccprof_pages_map(sizeof *marks);
        if (!marks)
            return NULL;
        marks->next = all_marks;
        all_marks = marks;
    }
    marks->tid = tid;
    return marks;
}

/* Returns the thread's marks for the module, and creates them as 0 if there are none.
   Returns null if there is no memory. */
static uint64_t *marks_make(struct ccprof_counts_thread *thread, unsigned module)
{
    uint64_t **slot;

    if (!thread->marks)
        thread->marks = marks_find(thread->tid);
    if (!thread->marks)
        return NULL;
    slot = &thread->marks->module[module];
    if (!*slot)
        *slot = ccprof_pages_map(marks_size(module));
    return *slot;
}

/* Returns the thread's marks for the module; null if there are none. */
static const uint64_t *marks_of(const struct ccprof_counts_thread *thread,
                                unsigned module)
{
    return thread->marks ? thread->marks->module[module] : NULL;
}

void ccprof_counts_accounting_reload(unsigned module)
{
    for (const struct ccprof_counts_marks *marks = all_marks; marks; marks = marks->next)
        marks_zero(marks, module);
}

static bool closed;

static size_t accounting_size(const struct ccprof_counts_module *module)
{
    return module->count * sizeof(uint64_t);
}

/* Maps *WORDS if it is null. Returns false if there is no memory. */
static bool accounting_map(uint64_t **words, const struct ccprof_counts_module *module)
{
    if (!*words)
        *words = ccprof_pages_map(accounting_size(module));
    return *words;
}

static void accounting_free(uint64_t **words, const struct ccprof_counts_module *module)
{
    if (*words)
        munmap(*words, accounting_size(module));
    *words = NULL;
}

static uint64_t *accounting_dataset(struct ccprof_counts_module *module, uint64_t dataset)
{
    if (!module->datasets)
        module->datasets =
            ccprof_pages_map(CCPROF_DATASETS_MAX * sizeof *module->datasets);
    if (!module->datasets ||
        !accounting_map(&module->datasets[ccprof_datasets_slot(dataset)], module))
        return NULL;
    return module->datasets[ccprof_datasets_slot(dataset)];
}

/* Reads the thread's counters. If COUNTS is true, adds the counts since the last
   reading to the thread's data set. Adds the thread's complete counts to SUM, unless
   SUM is null. */
static void accounting_read(struct ccprof_counts_thread *thread, unsigned number,
                            bool counts, uint64_t *sum)
{
    struct ccprof_counts_module *module = &ccprof_counts_modules[number];
    uint64_t *marks = NULL, *dataset = NULL;

    if (module->unloaded)
        return; /* the counts were read when the module was unloaded */
    if (thread->dataset != 0)
        marks = marks_make(thread, number);
    if (marks && counts)
        dataset = accounting_dataset(module, thread->dataset);
    for (size_t i = 0; (marks || sum) && i < module->count; i++) {
        uint64_t now = ccprof_counts_own(module, thread, i);
        if (sum)
            sum[i] += now;
        if (dataset)
            dataset[i] += now - marks[i];
        if (marks)
            marks[i] = now;
    }
}

static void accounting_read_all(struct ccprof_counts_thread *thread, bool counts)
{
    unsigned count = atomic_load(&ccprof_counts_module_count);
    for (unsigned i = 0; thread->dataset != 0 && i < count; i++)
        accounting_read(thread, i, counts, NULL);
}

void ccprof_counts_accounting_end(struct ccprof_counts_thread *thread)
{
    accounting_read_all(thread, !closed);
    if (thread->marks)
        thread->marks->tid = 0;
    thread->marks = NULL;
    thread->dataset = 0;
}

/* Returns whether each thread has its own counters in the module. */
static bool accounting_is_private(const struct ccprof_counts_module *module)
{
    return module->form->is_private && !module->unloaded;
}

void ccprof_counts_accounting_unregistered(struct ccprof_counts_thread *thread)
{
    for (unsigned m = 0; m < atomic_load(&ccprof_counts_module_count); m++) {
        struct ccprof_counts_module *module = &ccprof_counts_modules[m];
        uint64_t *marks = accounting_is_private(module) ? marks_make(thread, m) : NULL;
        for (size_t i = 0; marks && i < module->count; i++) {
            uint64_t now = ccprof_counts_own(module, thread, i);
            module->totals[i] += now - marks[i];
            marks[i] = now;
        }
    }
}

void ccprof_counts_accounting_registered(struct ccprof_counts_thread *thread)
{
    for (unsigned m = 0; m < atomic_load(&ccprof_counts_module_count); m++) {
        struct ccprof_counts_module *module = &ccprof_counts_modules[m];
        const uint64_t *marks = marks_of(thread, m);
        for (size_t i = 0; marks && accounting_is_private(module) && i < module->count;
             i++)
            module->totals[i] -= marks[i];
    }
}

void ccprof_counts_accounting_detach(unsigned module)
{
    for (struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        if (t->dataset != 0)
            accounting_read(t, module, !closed, NULL);
}

void ccprof_counts_accounting_switch(struct ccprof_counts_thread *thread,
                                     uint64_t dataset)
{
    accounting_read_all(thread, !closed);
    thread->dataset = dataset;
    accounting_read_all(thread, false);
}

static void accounting_negate(uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        words[i] = -words[i];
}

/* Opens or closes the gate for one module: adds the sums to its base, or subtracts
   them from it. */
static void accounting_switch_gate(unsigned number, bool open)
{
    struct ccprof_counts_module *module = &ccprof_counts_modules[number];

    if (!accounting_map(&module->base, module))
        return;
    if (!open)
        accounting_negate(module->base, module->count);
    for (size_t i = 0; i < module->count; i++)
        module->base[i] += module->totals[i] + ccprof_counts_shared(module, i);
    for (struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        accounting_read(t, number, !open, module->base);
    if (!open)
        accounting_negate(module->base, module->count);
}

static void accounting_gate(bool open)
{
    struct ccprof_blocked blocked;

    ccprof_blocked_begin(&blocked);
    if (ccprof_counts_lock()) {
        for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++)
            accounting_switch_gate(i, open);
        closed = !open;
        ccprof_counts_unlock();
    }
    ccprof_blocked_end(&blocked);
}

void ccprof_counts_open(void)
{
    accounting_gate(true);
}

void ccprof_counts_close(void)
{
    accounting_gate(false);
}

uint64_t ccprof_counts_accounting_of(const struct ccprof_counts_module *module, size_t i,
                                     uint64_t sum)
{
    uint64_t base = module->base ? module->base[i] : 0;
    uint64_t moved = module->moved ? module->moved[i] : 0;

    return (closed ? 0 : sum) - base - moved;
}

static void accounting_subtract(uint64_t *from, const uint64_t *what, size_t count)
{
    for (size_t i = 0; what && i < count; i++)
        from[i] -= what[i];
}

/* Stores the counts of the first data set in `writing': all counts that are in no
   other data set. ALL: stores the counts of all data sets, and empties the other data
   sets. */
static void accounting_collect_first(unsigned number, bool all)
{
    struct ccprof_counts_module *module = &ccprof_counts_modules[number];

    if (!accounting_map(&module->writing, module))
        return;
    for (size_t i = 0; i < module->count; i++)
        module->writing[i] = module->totals[i] + ccprof_counts_shared(module, i);
    for (struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        accounting_read(t, number, !closed, module->writing);
    if (closed)
        memset(module->writing, 0, accounting_size(module));
    accounting_subtract(module->writing, module->base, module->count);
    accounting_subtract(module->writing, module->moved, module->count);
    /* The count of a pair may be too small if its thread was changing the pair. The
       difference is then negative. The next file will contain the count. */
    for (size_t i = 0; all && i < module->count; i++)
        if (module->writing[i] >> 63)
            module->writing[i] = 0;
    for (unsigned i = 0; module->datasets && i < CCPROF_DATASETS_MAX; i++) {
        if (all)
            accounting_free(&module->datasets[i], module);
        else
            accounting_subtract(module->writing, module->datasets[i], module->count);
    }
}

/* Moves the counts of a data set to `writing'. Not for the first data set. */
static void accounting_collect_dataset(unsigned number, uint64_t dataset)
{
    struct ccprof_counts_module *module = &ccprof_counts_modules[number];
    uint64_t **slot;

    for (struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        if (t->dataset == dataset)
            accounting_read(t, number, !closed, NULL);
    slot = module->datasets ? &module->datasets[ccprof_datasets_slot(dataset)]
                            : &module->writing;
    module->writing = *slot;
    if (slot != &module->writing)
        *slot = NULL;
}

void ccprof_counts_dataset_begin(uint64_t dataset)
{
    if (!ccprof_counts_lock())
        return;
    for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++) {
        if (!ccprof_counts_number(&ccprof_counts_modules[i]))
            continue;
        if (dataset == 0 || dataset == CCPROF_DATASETS_ALL)
            accounting_collect_first(i, dataset != 0);
        else
            accounting_collect_dataset(i, dataset);
    }
    ccprof_counts_unlock();
}

/* Ends the writing of a module's counts. WRITTEN: records that the counts are in a
   file; otherwise returns them to the data set. */
static void accounting_finish(struct ccprof_counts_module *module, uint64_t dataset,
                              bool written)
{
    uint64_t *to = NULL;

    if (written && accounting_map(&module->moved, module))
        to = module->moved;
    else if (!written && dataset != 0 && dataset != CCPROF_DATASETS_ALL)
        to = accounting_dataset(module, dataset);
    for (size_t i = 0; to && i < module->count; i++)
        to[i] += module->writing[i];
    accounting_free(&module->writing, module);
}

void ccprof_counts_dataset_end(uint64_t dataset, bool written)
{
    bool locked = ccprof_counts_lock();

    for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++)
        if (ccprof_counts_modules[i].writing)
            accounting_finish(&ccprof_counts_modules[i], dataset, written);
    if (locked)
        ccprof_counts_unlock();
}

int ccprof_counts_dataset_each(ccprof_counts_visit *visit, void *context)
{
    int stop = 0;

    for (unsigned m = 0; m < atomic_load(&ccprof_counts_module_count) && !stop; m++) {
        const struct ccprof_counts_module *module = &ccprof_counts_modules[m];
        for (size_t i = 0; module->writing && i < module->count && !stop; i++)
            if (module->writing[i])
                stop = visit(context, module->number, ccprof_counts_address(module, i),
                             module->writing[i]);
    }
    return stop;
}

void ccprof_counts_dataset_new(uint64_t dataset)
{
    struct ccprof_blocked blocked;

    ccprof_blocked_begin(&blocked);
    if (ccprof_counts_lock()) {
        for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++) {
            struct ccprof_counts_module *module = &ccprof_counts_modules[i];
            if (module->datasets)
                accounting_free(&module->datasets[ccprof_datasets_slot(dataset)], module);
        }
        ccprof_counts_unlock();
    }
    ccprof_blocked_end(&blocked);
}

static void accounting_forget(struct ccprof_counts_module *module)
{
    accounting_free(&module->base, module);
    accounting_free(&module->moved, module);
    accounting_free(&module->writing, module);
    for (unsigned i = 0; module->datasets && i < CCPROF_DATASETS_MAX; i++)
        accounting_free(&module->datasets[i], module);
}

void ccprof_counts_accounting_drop(struct ccprof_counts_thread *thread)
{
    for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++)
        accounting_forget(&ccprof_counts_modules[i]);
    if (thread->marks)
        thread->marks->tid = thread->tid;
    accounting_read_all(thread, false);
}
