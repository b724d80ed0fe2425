/* SPDX-License-Identifier: MIT */
/* Calls mmap and its kin and counts what they do.  Owns the size from which mappings are
   counted.  What is unmapped is counted before the call, as in heap-calls.c: another
   thread may get its addresses at once.  */

#define _GNU_SOURCE
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rt/heap/heap-mmap.h"
#include "rt/heap/heap.h"
#include "rt/heap/heap-blocks.h"
#include "rt/heap/heap-lock.h"
#include "rt/heap/heap-maps.h"
#include "rt/unwind/cpu.h"

/* 0: mappings are not counted.  */
static uint64_t least;

bool ccprof_heap_mmap_start(uint64_t size)
{
    if (!ccprof_heap_maps_start())
        return false;
    least = size;
    return true;
}

bool ccprof_heap_mmap_is_on(void)
{
    return least != 0;
}

/* The address that the heap's table has for the mapping that begins at FROM.  A block may
   begin where the mapping does, if the program has an allocator of its own there, but
   hardly 8 bytes behind that.  */
static void *mmap_key(uint64_t from)
{
    return (void *)(uintptr_t)(from | 8);
}

/* Counts what is left of the mapping that BLOCK was: MAP.  */
static void mmap_rest(const struct ccprof_heap_block *block, struct ccprof_heap_map map)
{
    if (map.from < map.to && map.to - map.from >= least && ccprof_heap_maps_put(map))
        ccprof_heap_made_part(block, mmap_key(map.from), map.to - map.from);
}

/* Counts as freed what is mapped in RANGE.  Returns whether there was something.  The
   lock of the mappings is held.  */
static bool mmap_free(struct ccprof_heap_map range)
{
    struct ccprof_heap_map map;
    struct ccprof_heap_block block;
    bool known = false;

    while (ccprof_heap_maps_take(range, &map)) {
        known = true;
        if (!ccprof_heap_take(mmap_key(map.from), &block))
            continue;
        ccprof_heap_count_freed(&block);
        mmap_rest(&block, (struct ccprof_heap_map){map.from, range.from});
        mmap_rest(&block, (struct ccprof_heap_map){range.to, map.to});
    }
    return known;
}

/* The same for the SIZE bytes at AT, if the kernel may unmap them, with the lock that
   this takes.  */
static bool mmap_unmapped(const void *at, size_t size)
{
    const uint64_t page = (uint64_t)getpagesize(), from = (uintptr_t)at;
    const struct ccprof_heap_map range = {from, (from + size + page - 1) & -page};

    if (from % page != 0 || range.to <= from ||
        !ccprof_heap_maps_hold(CCPROF_HEAP_PATIENCE))
        return false;
    bool known = mmap_free(range);
    ccprof_heap_maps_release();
    return known;
}

/* Counts the mapping.  As in heap-calls.c the walk begins at the frame of the function
   that this is inlined in.  */
static inline __attribute__((always_inline)) void mmap_made(const void *at, size_t size,
                                                            bool again)
{
    const uint64_t from = (uintptr_t)at;
    uint64_t registers[CCPROF_CPU_REGISTERS];

    if (at == MAP_FAILED || size < least || !ccprof_heap_maps_hold(CCPROF_HEAP_PATIENCE))
        return;
    uint64_t pc = ccprof_cpu_caller(registers);
    if (ccprof_heap_maps_put((struct ccprof_heap_map){from, from + size}))
        ccprof_heap_made(mmap_key(from), size, NULL, again, pc, registers);
    ccprof_heap_maps_release();
}

void *ccprof_heap_mmap_mmap(void *at, size_t size, int protection, int flags, int file,
                            off_t offset)
{
    const bool is_fixed = (flags & MAP_FIXED) != 0;
    const bool is_memory = (flags & MAP_ANONYMOUS) && (protection & PROT_WRITE);

    if (!(is_fixed || is_memory) || !ccprof_heap_enter())
        return mmap(at, size, protection, flags, file, offset);
    if (is_fixed)
        mmap_unmapped(at, size);
    void *made = mmap(at, size, protection, flags, file, offset);
    if (is_memory)
        mmap_made(made, size, false);
    ccprof_heap_leave();
    return made;
}

int ccprof_heap_mmap_munmap(void *at, size_t size)
{
    if (!ccprof_heap_enter())
        return munmap(at, size);
    mmap_unmapped(at, size);
    int status = munmap(at, size);
    ccprof_heap_leave();
    return status;
}

/* What could be neither moved nor changed is counted as made again at its place.  */
void *ccprof_heap_mmap_mremap(void *at, size_t old_size, size_t size, int flags, ...)
{
    va_list rest;

    va_start(rest, flags);
    void *to = flags & MREMAP_FIXED ? va_arg(rest, void *) : NULL;
    va_end(rest);
    if (!ccprof_heap_enter())
        return mremap(at, old_size, size, flags, to);
    bool known = mmap_unmapped(at, old_size);
    if (flags & MREMAP_FIXED)
        mmap_unmapped(to, size);
    void *made = mremap(at, old_size, size, flags, to);
    if (known) {
        bool failed = made == MAP_FAILED;
        mmap_made(failed ? at : made, failed ? old_size : size, true);
    }
    ccprof_heap_leave();
    return made;
}
