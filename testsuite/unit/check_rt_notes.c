/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/os/notes.c */
/* ELF notes, written by hand: what is padded by 4 and by 8, what is cut off, and which
   one is a build-id.  */

#include "rt_tests.h"
#include "rt/os/notes.h"

/* In words: sizes of name and content, type, name, content.  */
#define GNU 0x00554e47

static const uint32_t by_four[] = {4, 3, 7,   GNU,        0x332211, 4,
                                   5, 3, GNU, 0xddccbbaa, 0xee};
static const uint32_t by_eight[] = {4, 4, 3, GNU, 1, 0, 4, 4, 3, GNU, 2};

TEST(test_walk)
{
    struct ccprof_notes notes = ccprof_notes_of(by_four, sizeof by_four, 4);
    struct ccprof_note note;

    ck_assert(ccprof_notes_next(&notes, &note));
    ck_assert_uint_eq(note.type, 7);
    ck_assert_uint_eq(note.name_size, 4);
    ck_assert_str_eq(note.name, "GNU");
    ck_assert_uint_eq(note.size, 3);
    ck_assert_ptr_eq(note.content, &by_four[4]);
    ck_assert(ccprof_notes_next(&notes, &note));
    ck_assert_uint_eq(note.size, 5);
    ck_assert_ptr_eq(note.content, &by_four[9]);
    ck_assert(!ccprof_notes_next(&notes, &note));

    notes = ccprof_notes_of(by_eight, sizeof by_eight, 8);
    ck_assert(ccprof_notes_next(&notes, &note));
    ck_assert_ptr_eq(note.content, &by_eight[4]);
    ck_assert(ccprof_notes_next(&notes, &note));
    ck_assert_ptr_eq(note.content, &by_eight[10]);
    ck_assert(!ccprof_notes_next(&notes, &note));
}

/* Where the second note has no end it is not there; its padding may be missing.  */
TEST(test_cut_off)
{
    for (size_t size = 0; size <= sizeof by_four; size++) {
        struct ccprof_notes notes = ccprof_notes_of(by_four, size, 4);
        struct ccprof_note note;
        unsigned count = 0;

        while (ccprof_notes_next(&notes, &note))
            count++;
        ck_assert_uint_eq(count, (size >= 19) + (size >= 20 + 16 + 5));
    }
}

TEST(test_sizes)
{
    static const uint32_t sizes[][4] = {{4, UINT32_MAX, 3, GNU},
                                        {UINT32_MAX, 4, 3, GNU},
                                        {UINT32_MAX, UINT32_MAX, 3, GNU}};

    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct ccprof_notes notes = ccprof_notes_of(sizes[i], sizeof sizes[i], 4);
        struct ccprof_note note;
        ck_assert(!ccprof_notes_next(&notes, &note));
    }
}

TEST(test_build_id)
{
    static const uint32_t other[] = {4, 4, 3, 0x00584e47, 1}, none[] = {4, 0, 3, GNU};
    uint32_t large[4 + CCPROF_NOTES_ID / 4 + 1] = {4, CCPROF_NOTES_ID, 3, GNU};
    size_t size;

    ck_assert_ptr_eq(
        ccprof_notes_build_id(ccprof_notes_of(by_four, sizeof by_four, 4), &size),
        &by_four[9]);
    ck_assert_uint_eq(size, 5);
    ck_assert_ptr_null(
        ccprof_notes_build_id(ccprof_notes_of(other, sizeof other, 4), &size));
    ck_assert_ptr_null(
        ccprof_notes_build_id(ccprof_notes_of(none, sizeof none, 4), &size));
    ck_assert_ptr_eq(
        ccprof_notes_build_id(ccprof_notes_of(large, sizeof large, 4), &size), &large[4]);
    ck_assert_uint_eq(size, CCPROF_NOTES_ID);
    large[1]++;
    ck_assert_ptr_null(
        ccprof_notes_build_id(ccprof_notes_of(large, sizeof large, 4), &size));
}

TEST_MAIN(NULL, NULL)
