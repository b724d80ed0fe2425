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
    children_page *_Atomic own, *parents; /* null: not mapped */
    _Atomic bool closed;
    uint64_t taken; /* nanoseconds */
} children;

/* The last file may be written while another thread forks for the first time. */
void ccprof_children_prepare(void)
{
    if (children.own)
        return;
    children.own = ccprof_pages_share(sizeof *children.own);
    if (children.own && children.closed)
        atomic_store(children.own, CLOSED);
}

void ccprof_children_drop(void)
{
    if (children.parents)
        syscall(SYS_munmap, children.parents, sizeof *children.parents);
    children.parents = children.own;
    children.own = NULL;
    children.closed = false;
    children.taken = 0;
}

bool ccprof_children_close(void)
{
    children.closed = true;
    if (children.own)
        children.taken += atomic_exchange(children.own, CLOSED) & ~CLOSED;
    return children.taken != 0;
}

void ccprof_children_open(void)
{
    children.closed = false;
    if (children.own)
        atomic_fetch_and(children.own, ~CLOSED);
}

uint64_t ccprof_children_cpu(uint64_t cpu)
{
    uint64_t there = children.parents ? atomic_load(children.parents) : 0;

    while (there != 0 && there != CLOSED &&
           !atomic_compare_exchange_weak(children.parents, &there, 0))
        ;
    children.taken += there & ~CLOSED;
    return cpu + children.taken;
}

bool ccprof_children_give(uint64_t cpu)
{
    uint64_t there;

    if (!children.parents)
        return false;
    there = atomic_load(children.parents);
    do
        if (there == CLOSED)
            return false;
    while (!atomic_compare_exchange_weak(children.parents, &there,
                                         there + cpu + children.taken));
    return true;
}
