/* SPDX-License-Identifier: MIT */
/* Owns which stretch of the run a count belongs to: counters only ever go up, so that a
   stretch is a difference.  The threads' counters are read while they count.

   What was counted while the gate was open: at each opening the sums are added to a
   module's base, at each closing they are taken from it; so it is the sum less the base,
   or while the gate is closed what is missing from 0 in the base.

   What was counted in a unit: what each thread adds while that is its unit, but for the
   first one, to which belongs what remains.  What was written to files of its own is
   taken from the whole.  */

#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "rt/os/blocked.h"
#include "rt/table/units.h"
#include "rt/count/counts-stretch.h"
#include "rt/count/counts.h"

static bool closed;

static size_t stretch_size(const struct ccprof_counts_module *module)
{
    return module->count * sizeof(uint64_t);
}

/* Returns false if there is no memory.  */
static bool stretch_need(uint64_t **words, const struct ccprof_counts_module *module)
{
    if (!*words)
        *words = ccprof_counts_pages(stretch_size(module));
    return *words;
}

static void stretch_free(uint64_t **words, const struct ccprof_counts_module *module)
{
    if (*words)
        munmap(*words, stretch_size(module));
    *words = NULL;
}

static uint64_t *stretch_unit(struct ccprof_counts_module *module, uint64_t unit)
{
    if (!module->units)
        module->units = ccprof_counts_pages(CCPROF_UNITS_MAX * sizeof *module->units);
    if (!module->units || !stretch_need(&module->units[ccprof_units_place(unit)], module))
        return NULL;
    return module->units[ccprof_units_place(unit)];
}

static uint64_t *stretch_marks(struct ccprof_counts_thread *thread, unsigned number)
{
    if (!thread->marks)
        thread->marks = ccprof_counts_pages(CCPROF_MODULES_MAX * sizeof *thread->marks);
    if (!thread->marks ||
        !stretch_need(&thread->marks[number], &ccprof_counts_modules[number]))
        return NULL;
    return thread->marks[number];
}

/* What the thread has counted since the last time belongs to its unit if COUNTS, or to
   nothing.  All that it has counted is added to SUM, unless that is null.  */
static void stretch_settle(struct ccprof_counts_thread *thread, unsigned number,
                           bool counts, uint64_t *sum)
{
    struct ccprof_counts_module *module = &ccprof_counts_modules[number];
    uint64_t *marks = NULL, *unit = NULL;

    if (module->unloaded)
        return; /* all is settled */
    if (thread->unit != 0)
        marks = stretch_marks(thread, number);
    if (marks && counts)
        unit = stretch_unit(module, thread->unit);
    for (size_t i = 0; (marks || sum) && i < module->count; i++) {
        uint64_t now = ccprof_counts_own(module, thread, i);
        if (sum)
            sum[i] += now;
        if (unit)
            unit[i] += now - marks[i];
        if (marks)
            marks[i] = now;
    }
}

static void stretch_settle_all(struct ccprof_counts_thread *thread, bool counts)
{
    unsigned count = atomic_load(&ccprof_counts_module_count);
    for (unsigned i = 0; thread->unit != 0 && i < count; i++)
        stretch_settle(thread, i, counts, NULL);
}

void ccprof_counts_stretch_end(struct ccprof_counts_thread *thread)
{
    unsigned count = atomic_load(&ccprof_counts_module_count);

    stretch_settle_all(thread, !closed);
    for (unsigned i = 0; thread->marks && i < count; i++)
        stretch_free(&thread->marks[i], &ccprof_counts_modules[i]);
    if (thread->marks)
        munmap(thread->marks, CCPROF_MODULES_MAX * sizeof *thread->marks);
    thread->marks = NULL;
    thread->unit = 0;
}

/* Counters that each thread has for itself alone.  */
static bool stretch_is_private(const struct ccprof_counts_module *module)
{
    return module->form->is_private && !module->unloaded;
}

void ccprof_counts_stretch_stray(struct ccprof_counts_thread *thread)
{
    for (unsigned m = 0; m < atomic_load(&ccprof_counts_module_count); m++) {
        struct ccprof_counts_module *module = &ccprof_counts_modules[m];
        uint64_t *marks = stretch_is_private(module) ? stretch_marks(thread, m) : NULL;
        for (size_t i = 0; marks && i < module->count; i++) {
            uint64_t now = ccprof_counts_own(module, thread, i);
            module->totals[i] += now - marks[i];
            marks[i] = now;
        }
    }
}

void ccprof_counts_stretch_tame(struct ccprof_counts_thread *thread)
{
    for (unsigned m = 0; m < atomic_load(&ccprof_counts_module_count); m++) {
        struct ccprof_counts_module *module = &ccprof_counts_modules[m];
        const uint64_t *marks = thread->marks ? thread->marks[m] : NULL;
        for (size_t i = 0; marks && stretch_is_private(module) && i < module->count; i++)
            module->totals[i] -= marks[i];
    }
}

void ccprof_counts_stretch_detach(unsigned module)
{
    for (struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        if (t->unit != 0)
            stretch_settle(t, module, !closed, NULL);
}

void ccprof_counts_stretch_unit(struct ccprof_counts_thread *thread, uint64_t unit)
{
    stretch_settle_all(thread, !closed);
    thread->unit = unit;
    stretch_settle_all(thread, false);
}

static void stretch_negate(uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        words[i] = -words[i];
}

/* The gate opens, or closes: the sums are added to the base, or taken from it.  */
static void stretch_turn(unsigned number, bool open)
{
    struct ccprof_counts_module *module = &ccprof_counts_modules[number];

    if (!stretch_need(&module->base, module))
        return;
    if (!open)
        stretch_negate(module->base, module->count);
    for (size_t i = 0; i < module->count; i++)
        module->base[i] += module->totals[i] + ccprof_counts_shared(module, i);
    for (struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        stretch_settle(t, number, !open, module->base);
    if (!open)
        stretch_negate(module->base, module->count);
}

static void stretch_gate(bool open)
{
    struct ccprof_blocked blocked;

    ccprof_blocked_begin(&blocked);
    if (ccprof_counts_lock()) {
        for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++)
            stretch_turn(i, open);
        closed = !open;
        ccprof_counts_unlock();
    }
    ccprof_blocked_end(&blocked);
}

void ccprof_counts_open(void)
{
    stretch_gate(true);
}

void ccprof_counts_close(void)
{
    stretch_gate(false);
}

uint64_t ccprof_counts_stretch_of(const struct ccprof_counts_module *module, size_t i,
                                  uint64_t sum)
{
    uint64_t base = module->base ? module->base[i] : 0;
    uint64_t moved = module->moved ? module->moved[i] : 0;

    return (closed ? 0 : sum) - base - moved;
}

static void stretch_subtract(uint64_t *from, const uint64_t *what, size_t count)
{
    for (size_t i = 0; what && i < count; i++)
        from[i] -= what[i];
}

/* Of the first unit what is in no other one: counted by itself, all in one look.  */
static void stretch_rest(unsigned number)
{
    struct ccprof_counts_module *module = &ccprof_counts_modules[number];

    if (!stretch_need(&module->part, module))
        return;
    for (size_t i = 0; i < module->count; i++)
        module->part[i] = module->totals[i] + ccprof_counts_shared(module, i);
    for (struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        stretch_settle(t, number, !closed, module->part);
    if (closed)
        memset(module->part, 0, stretch_size(module));
    stretch_subtract(module->part, module->base, module->count);
    stretch_subtract(module->part, module->moved, module->count);
    for (unsigned i = 0; module->units && i < CCPROF_UNITS_MAX; i++)
        stretch_subtract(module->part, module->units[i], module->count);
}

/* What is in another unit is not there any more.  */
static void stretch_aside(unsigned number, uint64_t unit)
{
    struct ccprof_counts_module *module = &ccprof_counts_modules[number];
    uint64_t **of;

    for (struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        if (t->unit == unit)
            stretch_settle(t, number, !closed, NULL);
    of = module->units ? &module->units[ccprof_units_place(unit)] : &module->part;
    module->part = *of;
    if (of != &module->part)
        *of = NULL;
}

void ccprof_counts_part_begin(uint64_t unit)
{
    if (!ccprof_counts_lock())
        return;
    for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++) {
        if (unit == 0)
            stretch_rest(i);
        else
            stretch_aside(i, unit);
    }
    ccprof_counts_unlock();
}

/* It is in a file, or the unit's again.  */
static void stretch_put(struct ccprof_counts_module *module, uint64_t unit, bool written)
{
    uint64_t *to = NULL;

    if (written && stretch_need(&module->moved, module))
        to = module->moved;
    else if (!written && unit != 0)
        to = stretch_unit(module, unit);
    for (size_t i = 0; to && i < module->count; i++)
        to[i] += module->part[i];
    stretch_free(&module->part, module);
}

void ccprof_counts_part_end(uint64_t unit, bool written)
{
    bool locked = ccprof_counts_lock();

    for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++)
        if (ccprof_counts_modules[i].part)
            stretch_put(&ccprof_counts_modules[i], unit, written);
    if (locked)
        ccprof_counts_unlock();
}

int ccprof_counts_part_each(ccprof_counts_visit *visit, void *context)
{
    int stop = 0;

    for (unsigned m = 0; m < atomic_load(&ccprof_counts_module_count) && !stop; m++) {
        const struct ccprof_counts_module *module = &ccprof_counts_modules[m];
        for (size_t i = 0; module->part && i < module->count && !stop; i++)
            if (module->part[i])
                stop = visit(context, module->number, ccprof_counts_place(module, i),
                             module->part[i]);
    }
    return stop;
}

void ccprof_counts_unit_new(uint64_t unit)
{
    struct ccprof_blocked blocked;

    ccprof_blocked_begin(&blocked);
    if (ccprof_counts_lock()) {
        for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++) {
            struct ccprof_counts_module *module = &ccprof_counts_modules[i];
            if (module->units)
                stretch_free(&module->units[ccprof_units_place(unit)], module);
        }
        ccprof_counts_unlock();
    }
    ccprof_blocked_end(&blocked);
}

static void stretch_forget(struct ccprof_counts_module *module)
{
    stretch_free(&module->base, module);
    stretch_free(&module->moved, module);
    stretch_free(&module->part, module);
    for (unsigned i = 0; module->units && i < CCPROF_UNITS_MAX; i++)
        stretch_free(&module->units[i], module);
}

void ccprof_counts_stretch_drop(struct ccprof_counts_thread *thread)
{
    for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++)
        stretch_forget(&ccprof_counts_modules[i]);
    stretch_settle_all(thread, false);
}
