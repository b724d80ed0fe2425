/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/heap/heap-memo.c rt/heap/heap-words.c rt/os/safe-read.c */
/* links: rt/unwind/cpu-x86_64.c */
/* Memos of walks, on stacks that are made by hand, and the readable words around them. */

#include <check.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "rt/heap/heap-memo.h"
#include "rt/os/safe-read.h"
#include "rt/unwind/cpu.h"
#include "runner.h"

#define PAGE 4096u

static struct ccprof_heap_memos memos;
static struct ccprof_heap_words words;

static void forget(void)
{
    memos = (struct ccprof_heap_memos){.memo = {{.number = 0}}};
    words = (struct ccprof_heap_words){0};
}

static uint64_t slot_of(const uint64_t *word)
{
    return (uintptr_t)word;
}

/* Keeps a walk that has read the COUNT words of STACK.  */
static bool keep(const struct ccprof_heap_begin *begin, const uint64_t *stack,
                 unsigned count, bool by_pointer, uint32_t number)
{
    struct ccprof_heap_memo *memo = ccprof_heap_memo_place(&memos, begin);

    for (unsigned i = 0; i < count; i++)
        if (!ccprof_heap_memo_add(memo, slot_of(stack + i), stack[i]))
            return false;
    ccprof_heap_memo_keep(memo, begin, by_pointer, number);
    return true;
}

static uint32_t find(const struct ccprof_heap_begin *begin)
{
    return ccprof_heap_memo_find(&memos, begin, &words);
}

START_TEST(each_word_counts)
{
    static uint64_t stack[CCPROF_HEAP_MEMO_WORDS + 1];

    for (unsigned i = 0; i <= CCPROF_HEAP_MEMO_WORDS; i++)
        stack[i] = 0x401000 + i * 0x10;
    for (unsigned count = 1; count <= CCPROF_HEAP_MEMO_WORDS; count++) {
        const struct ccprof_heap_begin begin = {slot_of(stack) - 8, 0x400100, 0, 1};
        forget();
        ck_assert_uint_eq(find(&begin), 0);
        ck_assert(keep(&begin, stack, count, false, count));
        /* The first time no page is known to be readable.  */
        for (int again = 0; again < 3; again++)
            ck_assert_uint_eq(find(&begin), count);
        for (unsigned i = 0; i <= count; i++) {
            stack[i] ^= 0x10;
            ck_assert_uint_eq(find(&begin), i < count ? 0 : count);
            words = (struct ccprof_heap_words){0};
            ck_assert_uint_eq(find(&begin), i < count ? 0 : count);
            stack[i] ^= 0x10;
            ck_assert_uint_eq(find(&begin), count);
        }
    }
    const struct ccprof_heap_begin begin = {slot_of(stack) - 8, 0x400100, 0, 1};
    ck_assert(!keep(&begin, stack, CCPROF_HEAP_MEMO_WORDS + 1, false, 1));
    ck_assert_uint_eq(find(&begin), 0);
}
END_TEST

START_TEST(each_begin_counts)
{
    static uint64_t stack[4] = {0x401000, 0x402000, 0x403000, 0x404000};
    const struct ccprof_heap_begin begin = {slot_of(stack) - 8, 0x400100, 0x7000, 5};
    struct ccprof_heap_begin other = begin;

    forget();
    ck_assert(keep(&begin, stack, 4, false, 9));
    other.pointer = 0x7008;
    ck_assert_uint_eq(find(&other), 9);
    ck_assert(keep(&begin, stack, 4, true, 10));
    ck_assert_uint_eq(find(&other), 0);
    ck_assert_uint_eq(find(&begin), 10);
    other = begin;
    other.stack -= 16;
    ck_assert_uint_eq(find(&other), 0);
    other = begin;
    other.pc += 4;
    ck_assert_uint_eq(find(&other), 0);
    other = begin;
    other.rules = 6;
    ck_assert_uint_eq(find(&other), 0);
    ck_assert_uint_eq(find(&begin), 10);
    /* One that is not finished is none.  */
    ccprof_heap_memo_place(&memos, &begin);
    ck_assert_uint_eq(find(&begin), 0);
}
END_TEST

/* What is no word's address is not compared as if it were one.  */
START_TEST(no_memo_of_odd_slots)
{
    static uint64_t stack[2];
    const struct ccprof_heap_begin begin = {slot_of(stack), 0x400100, 0, 1};
    struct ccprof_heap_memo *memo = ccprof_heap_memo_place(&memos, &begin);

    ck_assert(!ccprof_heap_memo_add(memo, slot_of(stack) + 4, 0));
    ck_assert(!ccprof_heap_memo_add(memo, slot_of(stack) + 1, 0));
}
END_TEST

/* The words of a walk lie in a page that is not there any more.  */
START_TEST(pages_that_are_gone)
{
    uint64_t *pages =
        mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint64_t *far = pages + 2 * PAGE / sizeof *pages;
    const struct ccprof_heap_begin begin = {slot_of(pages), 0x400100, 0, 1};
    struct ccprof_heap_memo *memo;
    uint64_t value;

    forget();
    ck_assert_ptr_ne(pages, MAP_FAILED);
    memo = ccprof_heap_memo_place(&memos, &begin);
    ck_assert(ccprof_heap_memo_add(memo, slot_of(pages), 0));
    ck_assert(ccprof_heap_memo_add(memo, slot_of(far), 0));
    ccprof_heap_memo_keep(memo, &begin, false, 3);
    ck_assert_uint_eq(find(&begin), 3);
    ck_assert_int_eq(munmap(far, PAGE), 0);
    words = (struct ccprof_heap_words){0};
    ck_assert_uint_eq(find(&begin), 0);
    ck_assert(!ccprof_heap_words_read(&words, slot_of(far), &value));
    ck_assert(ccprof_heap_words_read(&words, slot_of(far) - 8, &value));
    /* Across the end.  */
    ck_assert(!ccprof_heap_words_read(&words, slot_of(far) - 4, &value));
    ck_assert_int_eq(munmap(pages, 2 * PAGE), 0);
}
END_TEST

/* The span grows at both ends, and has never a page that nobody has read.  */
START_TEST(a_span_of_pages)
{
    enum { PAGES = 8 };
    uint8_t *pages = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    static const struct {
        unsigned page, low, pages;
    } steps[] = {{3, 3, 1}, {4, 3, 2}, {2, 2, 3}, {2, 2, 3}, {4, 2, 3},
                 {6, 6, 1}, {7, 6, 2}, {5, 5, 3}, {0, 0, 1}, {1, 0, 2}};
    uint64_t value;

    forget();
    ck_assert_ptr_ne(pages, MAP_FAILED);
    for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
        uint64_t at = (uintptr_t)pages + (uint64_t)steps[i].page * PAGE + 8 * i;
        *(uint64_t *)(uintptr_t)at = i;
        ck_assert(ccprof_heap_words_read(&words, at, &value));
        ck_assert_uint_eq(value, i);
        ck_assert_uint_eq(words.low, (uintptr_t)pages + (uint64_t)steps[i].low * PAGE);
        ck_assert_uint_eq(words.span, steps[i].pages * PAGE);
    }
    ck_assert_int_eq(munmap(pages, PAGES * PAGE), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rt-heap-memo");
    TCase *tests = tcase_create("memo");

    tcase_add_test(tests, each_word_counts);
    tcase_add_test(tests, each_begin_counts);
    tcase_add_test(tests, no_memo_of_odd_slots);
    tcase_add_test(tests, pages_that_are_gone);
    tcase_add_test(tests, a_span_of_pages);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
