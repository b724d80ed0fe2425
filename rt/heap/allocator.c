/* SPDX-License-Identifier: MIT */
/* Calls the program's allocator, its operators and mmap, and reports blocks to heap.c.
   Owns the list of operators, and the minimum size of counted mappings. Calls of libc
   and of the allocator go through slots of libccprof.so.1, as in os/libc-shared.c.
   The program calls these functions in any thread, also in signal handlers and in
   children of vfork. The constructor calls the functions whose names end in _start.

   A block or mapping is counted as freed before the allocator or the kernel frees it,
   since another thread may get its address immediately. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rt/heap/blocks.h"
#include "rt/heap/allocator.h"
#include "rt/heap/heap.h"
#include "rt/heap/slots.h"
#include "rt/unwind/cpu.h"

/* Counts the block ADDRESS, unless ADDRESS is null. Must be inlined into the function
   that the program has called, since the walk begins at the frame of this function. */
static inline __attribute__((always_inline)) void
allocator_count_reallocated(const void *address, uint64_t size,
                            const struct ccprof_heap_block *old)
{
    uint64_t registers[CCPROF_CPU_REGISTERS];

    if (!address)
        return;
    uint64_t pc = ccprof_cpu_caller(registers);
    ccprof_heap_add(address, size, old, pc, registers);
}

static inline __attribute__((always_inline)) void allocator_count(const void *address,
                                                                  uint64_t size)
{
    allocator_count_reallocated(address, size, NULL);
}

/* For functions that count a block. If a block is not counted, the replacement jumps
   to the allocator. The code that counts is in a separate function, so that the usual
   path saves no registers. The compiler also turns the call of this function into a
   jump, so that the walk still begins at the frame of the function that the program
   has called. */
#define ALLOCATOR_COUNTED static __attribute__((noinline))

ALLOCATOR_COUNTED void *allocator_malloc(size_t size)
{
    if (!ccprof_heap_sampling_hit(size) || !ccprof_heap_enter())
        return malloc(size);
    void *address = malloc(size);
    allocator_count(address, size);
    ccprof_heap_leave();
    return address;
}

void *ccprof_heap_allocator_malloc(size_t size)
{
    return ccprof_heap_pass(size) ? malloc(size) : allocator_malloc(size);
}

ALLOCATOR_COUNTED void *allocator_calloc(size_t count, size_t size)
{
    const size_t bytes = count * size;

    if (!ccprof_heap_sampling_hit(bytes) || !ccprof_heap_enter())
        return calloc(count, size);
    void *address = calloc(count, size);
    allocator_count(address, bytes);
    ccprof_heap_leave();
    return address;
}

/* If the product overflows, calloc fails and nothing is counted. */
void *ccprof_heap_allocator_calloc(size_t count, size_t size)
{
    size_t bytes;

    return __builtin_mul_overflow(count, size, &bytes) || ccprof_heap_pass(bytes)
               ? calloc(count, size)
               : allocator_calloc(count, size);
}

/* COUNTS: the new block must be counted. In libc, a size of 0 frees the block and
   returns null. With any other size, null means that the old block is unchanged. */
ALLOCATOR_COUNTED void *allocator_realloc(void *address, size_t size, bool counts)
{
    struct ccprof_heap_block old;

    if (!ccprof_heap_enter())
        return realloc(address, size);
    bool known = address && ccprof_heap_take(address, &old);
    void *to = realloc(address, size);
    if (counts)
        allocator_count_reallocated(to, size, known ? &old : NULL);
    if (known && to && !counts)
        ccprof_heap_count_freed(&old);
    if (known && !to)
        size == 0 ? ccprof_heap_count_freed(&old) : ccprof_heap_put_back(&old);
    ccprof_heap_leave();
    return to;
}

void *ccprof_heap_allocator_realloc(void *address, size_t size)
{
    bool counts = !ccprof_heap_pass(size) && ccprof_heap_sampling_hit(size);

    ccprof_heap_sampling_free(address);
    return counts || ccprof_heap_filter_may(address)
               ? allocator_realloc(address, size, counts)
               : realloc(address, size);
}

/* Does not call libc's reallocarray, since this would call realloc through a changed
   slot. */
void *ccprof_heap_allocator_reallocarray(void *address, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return ccprof_heap_allocator_realloc(address, bytes);
}

ALLOCATOR_COUNTED void allocator_free(void *address)
{
    if (!address || !ccprof_heap_enter()) {
        free(address);
        return;
    }
    ccprof_heap_remove(address);
    free(address);
    ccprof_heap_leave();
}

void ccprof_heap_allocator_free(void *address)
{
    ccprof_heap_sampling_free(address);
    if (ccprof_heap_filter_may(address))
        allocator_free(address);
    else
        free(address);
}

/* The functions below are called rarely and need not be fast. */
#define ALLOCATOR_ENTER(size)                                                            \
    (!ccprof_heap_pass(size) && ccprof_heap_sampling_hit(size) && ccprof_heap_enter())

void *ccprof_heap_allocator_aligned_alloc(size_t alignment, size_t size)
{
    if (!ALLOCATOR_ENTER(size))
        return aligned_alloc(alignment, size);
    void *address = aligned_alloc(alignment, size);
    allocator_count(address, size);
    ccprof_heap_leave();
    return address;
}

void *ccprof_heap_allocator_memalign(size_t alignment, size_t size)
{
    if (!ALLOCATOR_ENTER(size))
        return memalign(alignment, size);
    void *address = memalign(alignment, size);
    allocator_count(address, size);
    ccprof_heap_leave();
    return address;
}

int ccprof_heap_allocator_posix_memalign(void **result, size_t alignment, size_t size)
{
    if (!ALLOCATOR_ENTER(size))
        return posix_memalign(result, alignment, size);
    int error = posix_memalign(result, alignment, size);
    allocator_count(error ? NULL : *result, size);
    ccprof_heap_leave();
    return error;
}

void *ccprof_heap_allocator_valloc(size_t size)
{
    if (!ALLOCATOR_ENTER(size))
        return valloc(size);
    void *address = valloc(size);
    allocator_count(address, size);
    ccprof_heap_leave();
    return address;
}

void *ccprof_heap_allocator_pvalloc(size_t size)
{
    if (!ALLOCATOR_ENTER(size))
        return pvalloc(size);
    void *address = pvalloc(size);
    allocator_count(address, size);
    ccprof_heap_leave();
    return address;
}

/* The type of all operators. C++'s operators have at most three arguments; the first
   is the size or the block. Passing more arguments than an operator has is harmless.
   An operator new may throw, so the thread must not be inside while the operator runs. */
typedef void *(*operators_function)(uintptr_t first, uintptr_t second, uintptr_t third);

/* The mangled names of all forms: for objects and for arrays, with std::nothrow, with
   an alignment, and for delete with a size. */
#define OPERATORS_NEW(X)                                                                 \
    X(0, "_Znwm")                                                                        \
    X(1, "_Znam")                                                                        \
    X(2, "_ZnwmRKSt9nothrow_t")                                                          \
    X(3, "_ZnamRKSt9nothrow_t")                                                          \
    X(4, "_ZnwmSt11align_val_t")                                                         \
    X(5, "_ZnamSt11align_val_t")                                                         \
    X(6, "_ZnwmSt11align_val_tRKSt9nothrow_t")                                           \
    X(7, "_ZnamSt11align_val_tRKSt9nothrow_t")
#define OPERATORS_DELETE(X)                                                              \
    X(8, "_ZdlPv")                                                                       \
    X(9, "_ZdaPv")                                                                       \
    X(10, "_ZdlPvm")                                                                     \
    X(11, "_ZdaPvm")                                                                     \
    X(12, "_ZdlPvRKSt9nothrow_t")                                                        \
    X(13, "_ZdaPvRKSt9nothrow_t")                                                        \
    X(14, "_ZdlPvSt11align_val_t")                                                       \
    X(15, "_ZdaPvSt11align_val_t")                                                       \
    X(16, "_ZdlPvmSt11align_val_t")                                                      \
    X(17, "_ZdaPvmSt11align_val_t")                                                      \
    X(18, "_ZdlPvSt11align_val_tRKSt9nothrow_t")                                         \
    X(19, "_ZdaPvSt11align_val_tRKSt9nothrow_t")

enum { OPERATORS = 20 };

/* The allocator's own operators; null: the allocator has no operator of this form. */
static operators_function allocators[OPERATORS];

/* The walk begins at the frame of this function. The replaced operator jumps here, so
   the next frame is the program's. */
static __attribute__((noinline)) void *
operators_new(uintptr_t size, uintptr_t second, uintptr_t third, operators_function call)
{
    uint64_t registers[CCPROF_CPU_REGISTERS];
    bool hit = ccprof_heap_sampling_hit(size);
    void *address = call(size, second, third);

    if (!address || !hit || !ccprof_heap_enter())
        return address;
    uint64_t pc = ccprof_cpu_caller(registers);
    ccprof_heap_add(address, size, NULL, pc, registers);
    ccprof_heap_leave();
    return address;
}

static __attribute__((noinline)) void operators_delete(uintptr_t address,
                                                       uintptr_t second, uintptr_t third,
                                                       operators_function call)
{
    if (address && ccprof_heap_enter()) {
        ccprof_heap_remove((const void *)address);
        ccprof_heap_leave();
    }
    call(address, second, third);
}

#define OPERATORS_DEFINE_NEW(number, name)                                               \
    static void *operators_##number(uintptr_t size, uintptr_t second, uintptr_t third)   \
    {                                                                                    \
        return ccprof_heap_pass(size)                                                    \
                   ? allocators[number](size, second, third)                             \
                   : operators_new(size, second, third, allocators[number]);             \
    }
#define OPERATORS_DEFINE_DELETE(number, name)                                            \
    static void operators_##number(uintptr_t address, uintptr_t second, uintptr_t third) \
    {                                                                                    \
        ccprof_heap_sampling_free((const void *)address);                                \
        if (ccprof_heap_filter_may((const void *)address))                               \
            operators_delete(address, second, third, allocators[number]);                \
        else                                                                             \
            allocators[number](address, second, third);                                  \
    }
OPERATORS_NEW(OPERATORS_DEFINE_NEW)
OPERATORS_DELETE(OPERATORS_DEFINE_DELETE)

#define OPERATORS_ENTRY(number, name)                                                    \
    [number] = {name, (void (*)(void))operators_##number},
static const struct {
    const char *name;
    void (*function)(void);
} operators[OPERATORS] = {OPERATORS_NEW(OPERATORS_ENTRY)
                              OPERATORS_DELETE(OPERATORS_ENTRY)};

/* Address of one of the allocator's operators, or null. */
static const void *operators_home;

/* Returns whether both functions are in the same module. */
static bool operators_are_together(void *first, void *second)
{
    Dl_info first_info, second_info;

    return first && second && dladdr(first, &first_info) &&
           dladdr(second, &second_info) && first_info.dli_fbase == second_info.dli_fbase;
}

void ccprof_heap_operators_start(void)
{
    void *allocator = dlsym(RTLD_DEFAULT, "malloc");

    for (unsigned i = 0; i < OPERATORS; i++) {
        void *found = dlsym(RTLD_DEFAULT, operators[i].name);
        if (operators_are_together(found, allocator)) {
            allocators[i] = (operators_function)found;
            operators_home = found;
        }
    }
    /* The first call of dlerror returns the message of the last error, and the second
       call frees this message. */
    dlerror();
    dlerror();
}

const void *ccprof_heap_operators_home(void)
{
    return operators_home;
}

void (*ccprof_heap_operators_find(const char *name))(void)
{
    if (strncmp(name, "_Zn", 3) != 0 && strncmp(name, "_Zd", 3) != 0)
        return NULL;
    for (unsigned i = 0; i < OPERATORS; i++)
        if (allocators[i] && strcmp(name, operators[i].name) == 0)
            return operators[i].function;
    return NULL;
}

/* Minimum size of counted mappings; 0: no mapping is counted. */
static uint64_t mmap_least;

bool ccprof_heap_mmap_start(uint64_t size)
{
    if (!ccprof_heap_mappings_start())
        return false;
    mmap_least = size;
    return true;
}

bool ccprof_heap_mmap_is_on(void)
{
    return mmap_least != 0;
}

/* Returns the address that the table of blocks uses for the mapping that begins at
   FROM. If the program has its own allocator, a block may begin at FROM, too, but
   hardly 8 bytes after it. */
static void *mmap_key(uint64_t from)
{
    return (void *)(uintptr_t)(from | 8);
}

/* Counts MAP, a part of the unmapped mapping BLOCK that is still mapped. */
static void mmap_count_rest(const struct ccprof_heap_block *block,
                            struct ccprof_heap_mapping map)
{
    if (map.from < map.to && map.to - map.from >= mmap_least &&
        ccprof_heap_mappings_put(map))
        ccprof_heap_add_part(block, mmap_key(map.from), map.to - map.from);
}

/* Counts the mappings in RANGE as freed. Returns whether RANGE contained a counted
   mapping. The caller holds the list of mappings. */
static bool mmap_count_freed(struct ccprof_heap_mapping range)
{
    struct ccprof_heap_mapping map;
    struct ccprof_heap_block block;
    bool known = false;

    while (ccprof_heap_mappings_take(range, &map)) {
        known = true;
        if (!ccprof_heap_take(mmap_key(map.from), &block))
            continue;
        ccprof_heap_count_freed(&block);
        mmap_count_rest(&block, (struct ccprof_heap_mapping){map.from, range.from});
        mmap_count_rest(&block, (struct ccprof_heap_mapping){range.to, map.to});
    }
    return known;
}

/* If munmap would accept the SIZE bytes at ADDRESS, counts the mappings in them as freed.
   Returns whether they contained a counted mapping. Takes the lock of the list of
   mappings. */
static bool mmap_count_unmapped(const void *address, size_t size)
{
    const uint64_t page = (uint64_t)getpagesize(), from = (uintptr_t)address;
    const struct ccprof_heap_mapping range = {from, (from + size + page - 1) & -page};

    if (from % page != 0 || range.to <= from ||
        !ccprof_heap_mappings_hold(CCPROF_HEAP_PATIENCE))
        return false;
    bool known = mmap_count_freed(range);
    ccprof_heap_mappings_release();
    return known;
}

/* Counts the mapping. Must be inlined, like allocator_count_reallocated. */
static inline __attribute__((always_inline)) void mmap_count(const void *address,
                                                             size_t size)
{
    const uint64_t from = (uintptr_t)address;
    uint64_t registers[CCPROF_CPU_REGISTERS];

    if (address == MAP_FAILED || size < mmap_least ||
        !ccprof_heap_mappings_hold(CCPROF_HEAP_PATIENCE))
        return;
    uint64_t pc = ccprof_cpu_caller(registers);
    if (ccprof_heap_mappings_put((struct ccprof_heap_mapping){from, from + size}))
        ccprof_heap_add(mmap_key(from), size, NULL, pc, registers);
    ccprof_heap_mappings_release();
}

void *ccprof_heap_mmap_mmap(void *address, size_t size, int protection, int flags,
                            int file, off_t offset)
{
    const bool is_fixed = (flags & MAP_FIXED) != 0;
    const bool is_memory = (flags & MAP_ANONYMOUS) && (protection & PROT_WRITE);

    if (!(is_fixed || is_memory) || !ccprof_heap_enter())
        return mmap(address, size, protection, flags, file, offset);
    if (is_fixed)
        mmap_count_unmapped(address, size);
    void *made = mmap(address, size, protection, flags, file, offset);
    if (is_memory)
        mmap_count(made, size);
    ccprof_heap_leave();
    return made;
}

int ccprof_heap_mmap_munmap(void *address, size_t size)
{
    if (!ccprof_heap_enter())
        return munmap(address, size);
    mmap_count_unmapped(address, size);
    int status = munmap(address, size);
    ccprof_heap_leave();
    return status;
}

/* If mremap fails, the mapping is counted as allocated again at its old address. */
void *ccprof_heap_mmap_mremap(void *address, size_t old_size, size_t size, int flags, ...)
{
    va_list rest;

    va_start(rest, flags);
    void *to = flags & MREMAP_FIXED ? va_arg(rest, void *) : NULL;
    va_end(rest);
    if (!ccprof_heap_enter())
        return mremap(address, old_size, size, flags, to);
    bool known = mmap_count_unmapped(address, old_size);
    if (flags & MREMAP_FIXED)
        mmap_count_unmapped(to, size);
    void *made = mremap(address, old_size, size, flags, to);
    if (known) {
        bool failed = made == MAP_FAILED;
        mmap_count(failed ? address : made, failed ? old_size : size);
    }
    ccprof_heap_leave();
    return made;
}
