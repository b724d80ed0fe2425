/* SPDX-License-Identifier: MIT */
/* Owns the marks: a list of struct ccprof_counts_marks, each for one thread.  Called by
   counts-accounting.c, in the SIGPROF handler, too.  */

#include <string.h>

#include "rt/count/counts-marks.h"
#include "rt/os/memory.h"
#include "rt/os/proc.h"

struct ccprof_counts_marks {
    struct ccprof_counts_marks *next;
    pid_t tid;                               /* 0: no thread has these */
    uint64_t *of[CCPROF_COUNTS_MODULES_MAX]; /* null while all are 0 */
};

static struct ccprof_counts_marks *all;

static size_t marks_size(unsigned module)
{
    return ccprof_counts_modules[module].count * sizeof(uint64_t);
}

static void marks_zero(const struct ccprof_counts_marks *marks, unsigned module)
{
    if (marks->of[module])
        memset(marks->of[module], 0, marks_size(module));
}

/* A thread that has the number of an ended thread may take over its marks.  */
static bool marks_are_free(const struct ccprof_counts_marks *marks, pid_t tid)
{
    return marks->tid == 0 || marks->tid == tid || ccprof_tasks_has_ended(marks->tid);
}

static struct ccprof_counts_marks *marks_find(pid_t tid)
{
    struct ccprof_counts_marks *marks = all;

    while (marks && !marks_are_free(marks, tid))
        marks = marks->next;
    if (marks) {
        for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++)
            marks_zero(marks, i);
    } else {
        marks = ccprof_pages_map(sizeof *marks);
        if (!marks)
            return NULL;
        marks->next = all;
        all = marks;
    }
    marks->tid = tid;
    return marks;
}

uint64_t *ccprof_counts_marks_make(struct ccprof_counts_thread *thread, unsigned module)
{
    uint64_t **of;

    if (!thread->marks)
        thread->marks = marks_find(thread->tid);
    if (!thread->marks)
        return NULL;
    of = &thread->marks->of[module];
    if (!*of)
        *of = ccprof_pages_map(marks_size(module));
    return *of;
}

const uint64_t *ccprof_counts_marks_of(const struct ccprof_counts_thread *thread,
                                       unsigned module)
{
    return thread->marks ? thread->marks->of[module] : NULL;
}

void ccprof_counts_marks_end(struct ccprof_counts_thread *thread)
{
    if (thread->marks)
        thread->marks->tid = 0;
    thread->marks = NULL;
}

void ccprof_counts_marks_clear(unsigned module)
{
    for (const struct ccprof_counts_marks *marks = all; marks; marks = marks->next)
        marks_zero(marks, module);
}

void ccprof_counts_marks_drop(struct ccprof_counts_thread *thread)
{
    if (thread->marks)
        thread->marks->tid = thread->tid;
}
