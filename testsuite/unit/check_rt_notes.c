/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/os/notes.c */
/* ELF notes written by hand, padded to 4 and to 8 bytes, and incomplete ones; and the
   choice of the build ID. */

#include "rt_tests.h"
#include "rt/os/notes.h"

/* A note in words: size of the name, size of the content, type, name, content. */
#define GNU 0x00554e47

static const uint32_t by_four[] = {4, 3, 7,   GNU,        0x332211, 4,
                                   5, 3, GNU, 0xddccbbaa, 0xee};
static const uint32_t by_eight[] = {4, 4, 3, GNU, 1, 0, 4, 4, 3, GNU, 2};

/* An incomplete second note is not found, but its padding may be missing. Notes with the
   largest possible sizes are not found either. */
TEST(test_cut_off)
{
    static const uint32_t sizes[][4] = {{4, UINT32_MAX, 3, GNU}, {UINT32_MAX, 4, 3, GNU}};
    struct ccprof_note note;

    for (size_t size = 0; size <= sizeof by_four; size++) {
        struct ccprof_notes notes = ccprof_notes_of(by_four, size, 4);
        unsigned count = 0;
        while (ccprof_notes_next(&notes, &note))
            count++;
        ck_assert_uint_eq(count, (size >= 19) + (size >= 20 + 16 + 5));
    }
    for (unsigned i = 0; i < LENGTH(sizes); i++) {
        struct ccprof_notes notes = ccprof_notes_of(sizes[i], sizeof sizes[i], 4);
        ck_assert(!ccprof_notes_next(&notes, &note));
    }
}

/* Checks that the build ID in these words is CONTENT, or that there is none. */
static void assert_id(const uint32_t *words, size_t length, unsigned align,
                      const void *content)
{
    size_t found = 0;
    struct ccprof_notes notes = ccprof_notes_of(words, length, align);

    ck_assert_ptr_eq(ccprof_notes_build_id(notes, &found), content);
}

TEST(test_build_id)
{
    static const uint32_t other[] = {4, 4, 3, 0x00584e47, 1}, none[] = {4, 0, 3, GNU};
    uint32_t large[4 + CCPROF_BUILD_ID_MAX / 4 + 1] = {4, CCPROF_BUILD_ID_MAX, 3, GNU};

    assert_id(by_four, sizeof by_four, 4, &by_four[9]);
    assert_id(by_eight, sizeof by_eight, 8, &by_eight[4]);
    assert_id(other, sizeof other, 4, NULL);
    assert_id(none, sizeof none, 4, NULL);
    assert_id(large, sizeof large, 4, &large[4]);
    large[1]++;
    assert_id(large, sizeof large, 4, NULL);
}
