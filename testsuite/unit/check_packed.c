/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Packed shares equal unpacked shares of the same entries, for all numbers. */

#include "testsuite/unit/random.h"
#include "testsuite/unit/shares_text.h"
#include "testsuite/unit/tests.h"

/* Like the shares of a profile: most owners and bins follow each other, and counts are
   small. */
static struct shares_entry next_entry(struct shares_entry entry)
{
    switch (random_below(6)) {
    case 0:
        entry.owner = (uint32_t)random_below(300);
        break;
    case 1:
        entry.bin = (uint32_t)random_below(300);
        break;
    case 2:
        entry.bin = UINT32_MAX - (uint32_t)random_below(3);
        break;
    case 3:
        entry.owner += entry.owner < 290;
        break;
    default:
        entry.bin++;
    }
    uint64_t most = random_below(3) ? 5 : UINT64_MAX / 20000;
    entry.count = random_below(most);
    return entry;
}

/* Compares the entries of each owner, including an owner without entries. */
static void assert_same(const struct packed *packed, const struct shares *shares)
{
    struct shares scratch = {0};
    size_t at = 0;
    for (uint32_t owner = 0; owner < 310; owner++) {
        struct shares_own owned = packed_of(packed, owner, &scratch);
        struct shares_own want = shares_of(shares, owner, &at);
        ck_assert_uint_eq(owned.count, want.count);
        ck_assert_uint_eq(owned.total, want.total);
        for (size_t i = 0; i < owned.count; i++) {
            ck_assert_uint_eq(owned.entries[i].owner, owner);
            ck_assert_uint_eq(owned.entries[i].bin, want.entries[i].bin);
            ck_assert_uint_eq(owned.entries[i].count, want.entries[i].count);
        }
    }
    shares_free(&scratch);
}

TEST(any_entries)
{
    for (size_t round = 0; round < (tests_in_full() ? 300 : 100); round++) {
        struct packed packed = {0};
        struct shares shares = {0};
        struct shares_entry entry = {0};
        for (size_t i = 0, count = random_below(3000); i < count; i++) {
            entry = next_entry(entry);
            packed_add(&packed, entry.owner, entry.bin, entry.count);
            shares_add(&shares, entry.owner, entry.bin, entry.count);
            if (random_below(2000) == 0)
                packed_join(&packed);
        }
        packed_sort(&packed);
        shares_sort(&shares);
        assert_same(&packed, &shares);
        packed_free(&packed);
        shares_free(&shares);
    }
}

/* All entries, from the first one on. */
static void assert_all(const struct packed *packed, const char *expected)
{
    struct shares_entry entries[10];
    struct packed_at cursor = {0};
    size_t count = 0;
    for (; packed_next(packed, &cursor); count++)
        entries[count] = cursor.entry;
    assert_entries(entries, count, expected);
}

/* Entries stay in the order in which they were added. */
TEST(unsorted)
{
    static const struct shares_entry entries[] = {
        {0, 0, 1},
        {0, 1, UINT64_MAX},
        {1, 1, UINT64_MAX / 4},
        {1, 0, UINT64_MAX / 4 - 1},
        {UINT32_MAX - 1, UINT32_MAX, UINT64_MAX / 4 + 1},
        {0, 0, 2},
    };
    struct packed packed = {0};
    for (size_t i = 0; i < LENGTH(entries); i++) {
        packed_add(&packed, entries[i].owner, entries[i].bin, entries[i].count);
        packed_add(&packed, 7, 7, 0);
    }
    assert_all(&packed, "0.0=1 0.1=18446744073709551615 1.1=4611686018427387903 "
                        "1.0=4611686018427387902 "
                        "4294967294.4294967295=4611686018427387904 0.0=2");
    packed_free(&packed);
}

/* If thousands of ranks have samples at the same points, each entry takes a byte. */
TEST(small)
{
    struct packed packed = {0};
    for (uint32_t rank = 0; rank < 1000; rank++)
        for (uint32_t point = 0; point < 100; point++)
            packed_add(&packed, point, rank, 1 + (rank + point) % 30);
    ck_assert_uint_lt(packed.size, 105000);
    packed_sort(&packed);
    ck_assert_uint_lt(packed.size, 105000);
    packed_free(&packed);
}

/* Files of one rank become one. */
TEST(joined)
{
    struct packed packed = {0};
    for (int round = 0; round < 1000; round++)
        packed_add(&packed, 9, 3, 2);
    packed_join(&packed);
    ck_assert_uint_eq(packed.count, 1);
    packed_free(&packed);
}
