/* SPDX-License-Identifier: MIT */
/* Calls the program's allocator and counts what it does.  Owns nothing.  The calls of the
   allocator go through slots of libccprof.so.1, as in os/libc-shared.c.  Called wherever
   the program allocates or frees, in any thread, signal handlers and children of vfork
   included.  */

#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "rt/heap/heap-calls.h"
#include "rt/heap/heap.h"
#include "rt/heap/heap-blocks.h"
#include "rt/heap/heap-filter.h"
#include "rt/unwind/cpu.h"

/* Counts the block AT, if there is one, in the function that the program has called.  It
   must be inlined there: the walk begins at that function's frame.  */
static inline __attribute__((always_inline)) void
calls_made_again(const void *at, uint64_t size, const struct ccprof_heap_block *old,
                 bool again)
{
    uint64_t registers[CCPROF_CPU_REGISTERS];

    if (!at)
        return;
    uint64_t pc = ccprof_cpu_caller(registers);
    ccprof_heap_made(at, size, old, again, pc, registers);
}

static inline __attribute__((always_inline)) void calls_made(const void *at,
                                                             uint64_t size)
{
    calls_made_again(at, size, NULL, false);
}

/* What has nothing to count jumps to the allocator; the rest is apart, so that no
   register need be saved before that is known.  A jump leads there, too: the walk begins
   at the frame of the function that the program has called.  */
#define CALLS_COUNTED static __attribute__((noinline))

CALLS_COUNTED void *calls_malloc(size_t size)
{
    if (!ccprof_heap_hits(size) || !ccprof_heap_enter())
        return malloc(size);
    void *at = malloc(size);
    calls_made(at, size);
    ccprof_heap_leave();
    return at;
}

void *ccprof_heap_calls_malloc(size_t size)
{
    return ccprof_heap_samples_pass(size) ? malloc(size) : calls_malloc(size);
}

CALLS_COUNTED void *calls_calloc(size_t count, size_t size)
{
    const size_t bytes = count * size;

    if (!ccprof_heap_hits(bytes) || !ccprof_heap_enter())
        return calloc(count, size);
    void *at = calloc(count, size);
    calls_made(at, bytes);
    ccprof_heap_leave();
    return at;
}

/* What is more than there can be fails.  */
void *ccprof_heap_calls_calloc(size_t count, size_t size)
{
    size_t bytes;

    return __builtin_mul_overflow(count, size, &bytes) || ccprof_heap_samples_pass(bytes)
               ? calloc(count, size)
               : calls_calloc(count, size);
}

/* WANTED tells that the new block is to be counted.  A size of 0 frees the block in libc
   and gives no new one.  Otherwise, without a new block, the old one is as it was.  */
CALLS_COUNTED void *calls_realloc(void *at, size_t size, bool wanted)
{
    struct ccprof_heap_block old;

    if (!ccprof_heap_enter())
        return realloc(at, size);
    bool known = at && ccprof_heap_take(at, &old);
    void *to = realloc(at, size);
    if (wanted)
        calls_made_again(to, size, known ? &old : NULL, at != NULL);
    if (known && to && !wanted)
        ccprof_heap_count_freed(&old);
    if (known && !to)
        size == 0 ? ccprof_heap_count_freed(&old) : ccprof_heap_put_back(&old);
    ccprof_heap_leave();
    return to;
}

void *ccprof_heap_calls_realloc(void *at, size_t size)
{
    bool wanted = !ccprof_heap_samples_pass(size) && ccprof_heap_hits(size);

    ccprof_heap_samples_free(at);
    return wanted || ccprof_heap_filter_may(at) ? calls_realloc(at, size, wanted)
                                                : realloc(at, size);
}

/* libc's function would call realloc through a slot that is changed, too.  */
void *ccprof_heap_calls_reallocarray(void *at, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return ccprof_heap_calls_realloc(at, bytes);
}

CALLS_COUNTED void calls_free(void *at)
{
    if (!at || !ccprof_heap_enter()) {
        free(at);
        return;
    }
    ccprof_heap_freed(at);
    free(at);
    ccprof_heap_leave();
}

void ccprof_heap_calls_free(void *at)
{
    ccprof_heap_samples_free(at);
    if (ccprof_heap_filter_may(at))
        calls_free(at);
    else
        free(at);
}

/* These are rare, and need not be fast.  */
#define CALLS_WANTS(size)                                                                \
    (!ccprof_heap_samples_pass(size) && ccprof_heap_hits(size) && ccprof_heap_enter())

void *ccprof_heap_calls_aligned_alloc(size_t alignment, size_t size)
{
    if (!CALLS_WANTS(size))
        return aligned_alloc(alignment, size);
    void *at = aligned_alloc(alignment, size);
    calls_made(at, size);
    ccprof_heap_leave();
    return at;
}

void *ccprof_heap_calls_memalign(size_t alignment, size_t size)
{
    if (!CALLS_WANTS(size))
        return memalign(alignment, size);
    void *at = memalign(alignment, size);
    calls_made(at, size);
    ccprof_heap_leave();
    return at;
}

int ccprof_heap_calls_posix_memalign(void **at, size_t alignment, size_t size)
{
    if (!CALLS_WANTS(size))
        return posix_memalign(at, alignment, size);
    int error = posix_memalign(at, alignment, size);
    calls_made(error ? NULL : *at, size);
    ccprof_heap_leave();
    return error;
}

void *ccprof_heap_calls_valloc(size_t size)
{
    if (!CALLS_WANTS(size))
        return valloc(size);
    void *at = valloc(size);
    calls_made(at, size);
    ccprof_heap_leave();
    return at;
}

void *ccprof_heap_calls_pvalloc(size_t size)
{
    if (!CALLS_WANTS(size))
        return pvalloc(size);
    void *at = pvalloc(size);
    calls_made(at, size);
    ccprof_heap_leave();
    return at;
}
