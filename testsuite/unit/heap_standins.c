/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stands in for rt/heap where no heap is measured.  */

#include "rt/heap/heap.h"

bool ccprof_heap_is_on(void)
{
    return false;
}

bool ccprof_heap_postpone(void (*later)(void))
{
    (void)later;
    return false;
}

void ccprof_heap_hurry(void)
{
}

void ccprof_heap_end(void)
{
}

void ccprof_heap_write(struct ccprof_text *text, const struct ccprof_modules *modules,
                       bool ended, const struct ccprof_heap_slice *slice)
{
    (void)text;
    (void)modules;
    (void)ended;
    (void)slice;
}

void ccprof_heap_slice_told(void)
{
}
