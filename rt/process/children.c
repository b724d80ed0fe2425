/* SPDX-License-Identifier: MIT */
/* Shares a page with forked children, to which they add their CPU time. */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

#include "rt/process/children.h"
#include "rt/os/memory.h"
#include "rt/os/sys.h"

/* The page: nanoseconds of CPU time, or CLOSED. */
#define CLOSED (UINT64_C(1) << 63)
typedef _Atomic uint64_t children_page;

static struct {
    children_page *_Atomic page, *parent_page; /* null: not mapped */
    _Atomic bool closed;
    uint64_t taken; /* nanoseconds */
} children;

/* The last file may be written while another thread forks for the first time. */
void ccprof_children_prepare(void)
{
    if (children.page)
        return;
    children.page = ccprof_pages_share(sizeof *children.page);
    if (children.page && children.closed)
        atomic_store(children.page, CLOSED);
}

void ccprof_children_drop(void)
{
    if (children.parent_page)
        syscall(SYS_munmap, children.parent_page, sizeof *children.parent_page);
    children.parent_page = children.page;
    children.page = NULL;
    children.closed = false;
    children.taken = 0;
}

bool ccprof_children_close(void)
{
    children.closed = true;
    if (children.page)
        children.taken += atomic_exchange(children.page, CLOSED) & ~CLOSED;
    return children.taken != 0;
}

void ccprof_children_open(void)
{
    children.closed = false;
    if (children.page)
        atomic_fetch_and(children.page, ~CLOSED);
}

uint64_t ccprof_children_cpu(uint64_t cpu)
{
    uint64_t there = children.parent_page ? atomic_load(children.parent_page) : 0;

    while (there != 0 && there != CLOSED &&
           !atomic_compare_exchange_weak(children.parent_page, &there, 0))
        ;
    children.taken += there & ~CLOSED;
    return cpu + children.taken;
}

bool ccprof_children_give(uint64_t cpu)
{
    uint64_t there;

    if (!children.parent_page)
        return false;
    there = atomic_load(children.parent_page);
    do
        if (there == CLOSED)
            return false;
    while (!atomic_compare_exchange_weak(children.parent_page, &there,
                                         there + cpu + children.taken));
    return true;
}
