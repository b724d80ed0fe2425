/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rt/process/children.h"
#include "rt/os/memory.h"
#include "rt/os/sys.h"

/* The page.  CLOSED is a bit of CPU: a child must not add to it after the parent has
   read it.  */
#define CLOSED (UINT64_C(1) << 63)
struct children_page {
    _Atomic uint64_t cpu; /* nanoseconds */
};

static struct {
    struct children_page *own, *parents; /* null: not mapped */
    pid_t parent;
    uint64_t given; /* nanoseconds that this process has given to its parent */
} children;

void ccprof_children_prepare(void)
{
    if (!children.own)
        children.own = ccprof_pages_share(sizeof *children.own);
}

void ccprof_children_drop(pid_t parent)
{
    if (children.parents)
        syscall(SYS_munmap, children.parents, sizeof *children.parents);
    children.parents = children.own;
    children.own = NULL;
    children.parent = parent;
    children.given = 0;
}

void ccprof_children_close(void)
{
    if (children.own)
        atomic_fetch_or(&children.own->cpu, CLOSED);
}

uint64_t ccprof_children_cpu(uint64_t cpu)
{
    if (children.own)
        cpu += atomic_load(&children.own->cpu) & ~CLOSED;
    return cpu > children.given ? cpu - children.given : 0;
}

bool ccprof_children_give(uint64_t cpu)
{
    uint64_t there;

    if (!children.parents || syscall(SYS_getppid) != children.parent)
        return false;
    there = atomic_load(&children.parents->cpu);
    do
        if (there & CLOSED)
            return false;
    while (!atomic_compare_exchange_weak(&children.parents->cpu, &there, there + cpu));
    children.given += cpu;
    return true;
}
