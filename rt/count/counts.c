/* SPDX-License-Identifier: MIT */
/* Registers threads and reads their counts. Owns the calling thread's entry in the
   list. Threads call begin and end. each is called when the profile is written. The
   lock of the lists is held while a thread gets or frees storage. */

#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "rt/count/called.h"
#include "rt/count/counts.h"
#include "rt/os/lock.h"
#include "rt/os/sys.h"
#include "rt/count/counts-lists.h"
#include "rt/count/inclusive.h"

static uint64_t thread_count, unregistered;
static __thread struct ccprof_counts_thread self;

/* Returns the entry of the calling thread. Not inlined: after a switch of contexts
   another thread may be running, so the address of the entry must be computed again. */
static __attribute__((noinline, noclone)) struct ccprof_counts_thread *counts_self(void)
{
    __asm__ volatile("");
    return &self;
}

static void counts_take_module(const struct ccprof_counts_module *module)
{
    if (!module->unloaded)
        module->form->take(module, &self);
}

static void counts_enlist(void)
{
    self.pointer = (uintptr_t)__builtin_thread_pointer();
    self.tid = ccprof_sys_gettid();
    self.next = ccprof_counts_list;
    self.link = &ccprof_counts_list;
    if (ccprof_counts_list)
        ccprof_counts_list->link = &self.next;
    ccprof_counts_list = &self;
    thread_count++;
}

static void counts_delist(void)
{
    *self.link = self.next;
    if (self.next)
        self.next->link = self.link;
    self.link = NULL;
}

bool ccprof_counts_thread_is_registered(void)
{
    return self.link != NULL;
}

void ccprof_counts_thread_begin(uint64_t dataset)
{
    if (self.link || !ccprof_counts_any())
        return;
    /* Waits without a time limit, since an unregistered thread's counts could be lost. */
    ccprof_counts_lock_take();
    counts_enlist();
    if (self.unregistered) {
        ccprof_counts_accounting_registered(&self);
        self.unregistered = false;
        unregistered--;
    }
    for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++)
        ccprof_counts_give(&ccprof_counts_modules[i], &self);
    ccprof_counts_accounting_switch(&self, dataset);
    ccprof_counts_unlock();
}

void ccprof_counts_thread_end(bool goes_on)
{
    if (!self.link)
        return;
    self.goes_on = goes_on;
    /* Waits without a time limit, since the entry must be removed from the list before
       the thread's memory is freed. */
    ccprof_counts_lock_take();
    ccprof_counts_accounting_end(&self);
    for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++)
        counts_take_module(&ccprof_counts_modules[i]);
    ccprof_counts_words_end(&self);
    ccprof_inclusive_end(&self);
    counts_delist();
    self.ended = true;
    ccprof_counts_unlock();
}

void ccprof_counts_switch(uint64_t dataset)
{
    struct ccprof_blocked blocked;

    if (!self.link)
        return;
    ccprof_blocked_begin(&blocked);
    if (ccprof_counts_lock()) {
        ccprof_counts_accounting_switch(&self, dataset);
        ccprof_counts_unlock();
    }
    ccprof_blocked_end(&blocked);
}

/* Sets the calling thread's counters and the totals to 0. */
static void counts_zero_module(const struct ccprof_counts_module *module)
{
    if (!module->unloaded)
        module->form->zero(module, &self);
    memset(module->totals, 0, module->count * sizeof *module->totals);
}

void ccprof_counts_drop(void)
{
    ccprof_counts_unlock();
    ccprof_counts_words_drop();
    ccprof_counts_list = NULL;
    thread_count = unregistered = 0;
    counts_enlist();
    for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++)
        counts_zero_module(&ccprof_counts_modules[i]);
    ccprof_counts_accounting_drop(&self);
}

uint64_t ccprof_counts_unregistered(void)
{
    return unregistered;
}

bool ccprof_counts_is_registered(pid_t tid)
{
    const struct ccprof_counts_thread *thread;

    if (!ccprof_counts_lock())
        return true;
    thread = ccprof_counts_list;
    while (thread && thread->tid != tid)
        thread = thread->next;
    ccprof_counts_unlock();
    return thread;
}

bool ccprof_counts_add_unregistered(bool patient)
{
    if (self.link || self.ended || !ccprof_counts_are_private() ||
        !(patient ? ccprof_counts_lock() : ccprof_counts_lock_try()))
        return false;
    self.pointer = (uintptr_t)__builtin_thread_pointer();
    self.tid = ccprof_sys_gettid();
    unregistered += !self.unregistered;
    self.unregistered = true;
    ccprof_counts_accounting_unregistered(&self);
    ccprof_counts_unlock();
    return true;
}

bool ccprof_counts_are_switched(void)
{
    bool locked = ccprof_counts_lock(), wrong = ccprof_inclusive_are_wrong();

    if (locked)
        ccprof_counts_unlock();
    return wrong;
}

int ccprof_counts_park(int (*other)(ucontext_t *, const ucontext_t *),
                       ucontext_t *previous, const ucontext_t *resumed)
{
    struct ccprof_inclusive_parked parked;
    int result, saved;

    ccprof_inclusive_park(&self, &parked, &resumed->uc_stack);
    result = other(previous, resumed);
    saved = errno;
    ccprof_inclusive_resume(counts_self(), &parked);
    errno = saved;
    return result;
}

uint64_t ccprof_counts_threads(void)
{
    return thread_count + unregistered;
}

/* Number of counters that are read under one hold of the lock. */
#define COUNTS_BATCH 64

/* Stores the values of the counters from FIRST on in VALUES, without counts that belong
   to other files. Returns the number of values stored; 0 after the last counter. */
static size_t counts_read_some(struct ccprof_counts_module *module, size_t first,
                               uint64_t *values)
{
    bool locked = ccprof_counts_lock();
    size_t count =
        module->count - first < COUNTS_BATCH ? module->count - first : COUNTS_BATCH;

    if (!ccprof_counts_number(module))
        count = 0;
    for (size_t i = 0; i < count; i++)
        values[i] = ccprof_counts_accounting_of(module, first + i,
                                                ccprof_counts_sum(module, first + i));
    if (locked)
        ccprof_counts_unlock();
    return count;
}

void ccprof_counts_called(ccprof_counts_visit_called *visit, bool own)
{
    bool locked = ccprof_counts_lock();

    for (struct ccprof_counts_thread *thread = ccprof_counts_list; thread;
         thread = thread->next)
        if (thread->entries && (!own || thread == &self))
            ccprof_called_flush(thread->stack, visit);
    if (locked)
        ccprof_counts_unlock();
}

int ccprof_counts_each(ccprof_counts_visit *visit, void *context)
{
    uint64_t values[COUNTS_BATCH];
    int stop = 0;

    for (unsigned m = 0; m < atomic_load(&ccprof_counts_module_count) && !stop; m++) {
        struct ccprof_counts_module *module = &ccprof_counts_modules[m];
        size_t first = 0, count;
        if (module->form == &ccprof_inclusive_form && ccprof_counts_are_switched())
            continue;
        while (!stop && (count = counts_read_some(module, first, values)) != 0) {
            for (size_t i = 0; i < count && !stop; i++)
                if (values[i])
                    stop = visit(context, module->number,
                                 ccprof_counts_address(module, first + i), values[i]);
            first += count;
        }
    }
    return stop;
}
