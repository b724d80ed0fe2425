/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/heap/walk.c rt/heap/stacks.c rt/samples/tags.c rt/unwind/guess.c
   rt/unwind/guess-x86_64.c rt/unwind/unwind.c rt/unwind/unwind-rules.c
   rt/unwind/unwind-tables.c rt/unwind/cpu-x86_64.c rt/os/memory.c rt/os/lock.c */
/* The cache of stacks, on stacks made by hand; the readable words around them; and the
   check whether an address is on the thread's own stack. */
#include "rt_tests.h"
#include "rt/heap/walk.h"
#include "rt/os/memory.h"
#include "rt/unwind/cpu.h"

#define PAGE 4096u

static struct ccprof_heap_stack_cache cache;
static struct ccprof_safe_read readable;

static void forget(void)
{
    cache = (struct ccprof_heap_stack_cache){.stack = {{.number = 0}}};
    readable = (struct ccprof_safe_read){0};
}

static uint64_t slot_of(const uint64_t *word)
{
    return (uintptr_t)word;
}

/* Stores a walk that has read COUNT words of STACK. The words are STRIDE words apart. */
static bool keep(const struct ccprof_heap_begin *begin, const uint64_t *stack,
                 unsigned count, size_t stride, bool by_pointer, uint32_t number)
{
    struct ccprof_heap_cached_stack *cached =
        ccprof_heap_stack_cache_place(&cache, begin);

    for (unsigned i = 0; i < count; i++, stack += stride)
        if (!ccprof_heap_stack_cache_add(cached, slot_of(stack), *stack))
            return false;
    ccprof_heap_stack_cache_keep(cached, begin, by_pointer, number);
    return true;
}

static uint32_t find(const struct ccprof_heap_begin *begin)
{
    return ccprof_heap_stack_cache_find(&cache, begin, &readable);
}

TEST(each_word_counts)
{
    static uint64_t stack[CCPROF_HEAP_CACHED_WORDS + 1];

    for (unsigned i = 0; i <= CCPROF_HEAP_CACHED_WORDS; i++)
        stack[i] = 0x401000 + i * 0x10;
    for (unsigned count = 1; count <= CCPROF_HEAP_CACHED_WORDS; count++) {
        const struct ccprof_heap_begin begin = {slot_of(stack) - 8, 0x400100, 0, 1};
        forget();
        ck_assert_uint_eq(find(&begin), 0);
        ck_assert(keep(&begin, stack, count, 1, false, count));
        /* At the first search no page is known to be readable. */
        for (int again = 0; again < 3; again++)
            ck_assert_uint_eq(find(&begin), count);
        for (unsigned i = 0; i <= count; i++) {
            stack[i] ^= 0x10;
            ck_assert_uint_eq(find(&begin), i < count ? 0 : count);
            readable =
                (struct ccprof_safe_read){.low = slot_of(stack), .span = sizeof stack};
            ck_assert_uint_eq(find(&begin), i < count ? 0 : count);
            readable = (struct ccprof_safe_read){0};
            stack[i] ^= 0x10;
            ck_assert_uint_eq(find(&begin), count);
        }
    }
    const struct ccprof_heap_begin begin = {slot_of(stack) - 8, 0x400100, 0, 1};
    ck_assert(!keep(&begin, stack, CCPROF_HEAP_CACHED_WORDS + 1, 1, false, 1));
    ck_assert_uint_eq(find(&begin), 0);
    /* Unaligned addresses cannot be stored. */
    ck_assert(!ccprof_heap_stack_cache_add(ccprof_heap_stack_cache_place(&cache, &begin),
                                           slot_of(stack) + 4, 0));
}

TEST(each_begin_counts)
{
    static uint64_t stack[4] = {0x401000, 0x402000, 0x403000, 0x404000};
    const uint64_t at = slot_of(stack) - 8;
    const struct ccprof_heap_begin begin = {at, 0x400100, 0x7000, 5};
    const struct ccprof_heap_begin others[] = {{at, 0x400100, 0x7008, 5},
                                               {at - 16, 0x400100, 0x7000, 5},
                                               {at, 0x400104, 0x7000, 5},
                                               {at, 0x400100, 0x7000, 6}};

    ck_assert(keep(&begin, stack, 4, 1, false, 9));
    ck_assert_uint_eq(find(&others[0]), 9);
    ck_assert(keep(&begin, stack, 4, 1, true, 10));
    for (size_t i = 0; i < LENGTH(others); i++) {
        ck_assert_uint_eq(find(&others[i]), 0);
        ck_assert_uint_eq(find(&begin), 10);
    }
    /* An entry that was not completed is not found. */
    ccprof_heap_stack_cache_place(&cache, &begin);
    ck_assert_uint_eq(find(&begin), 0);
}

/* Returns whether the thread's own stack contains a frame that is BELOW bytes deeper. */
static __attribute__((noipa)) bool has_at_depth(unsigned below)
{
    volatile char *room = __builtin_alloca(below + 1);

    room[0] = 0;
    return ccprof_thread_stack_has((uintptr_t)room);
}

static void check_own_stack(void)
{
    const struct ccprof_thread_stack *stack = &ccprof_thread_stack;

    ck_assert_uint_eq(stack->span, 0);
    ck_assert(has_at_depth(0));
    const uint64_t high = stack->low + stack->span;
    ck_assert_uint_lt(stack->span, 256 * PAGE);
    ck_assert(has_at_depth(300 * PAGE));
    ck_assert_uint_eq(stack->low + stack->span, high);
    ck_assert_uint_ge(stack->span, 300 * PAGE);
    ck_assert(has_at_depth(3 * PAGE));
    ck_assert(!ccprof_thread_stack_has(high));
    ck_assert(!ccprof_thread_stack_has(0));
    ck_assert(!ccprof_thread_stack_has((uintptr_t)&cache));
}

/* LOWEST are the lowest pages of the memory. They belong to another stack, which ends
   below the guard pages of the thread's own. */
static void *check_thread(void *lowest)
{
    const struct ccprof_thread_stack *stack = &ccprof_thread_stack;
    const uint64_t at = (uintptr_t)lowest;

    check_own_stack();
    ck_assert(!ccprof_thread_stack_has(at + PAGE / 2));
    ck_assert_uint_eq(stack->floor, at + 3 * PAGE);
    ck_assert(!ccprof_thread_stack_has(at + 3 * PAGE));
    ck_assert(ccprof_thread_stack_has(at + 4 * PAGE));
    ck_assert_uint_eq(stack->low, at + 4 * PAGE);
    return NULL;
}

TEST(the_own_stack)
{
    const size_t size = 1024 * PAGE;
    char *pages = pages_new(size);
    pthread_attr_t attributes;
    pthread_t thread;

    check_own_stack();
    /* Two pages of another stack, then two guard pages of the thread's stack. */
    ck_assert_int_eq(mprotect(pages + 2 * PAGE, 2 * PAGE, PROT_NONE), 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, pages, size);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pthread_create(&thread, &attributes, check_thread, pages), 0);
        ck_assert_int_eq(pthread_join(thread, NULL), 0);
    }
    pthread_attr_destroy(&attributes);
    ck_assert_int_eq(munmap(pages, size), 0);
}
