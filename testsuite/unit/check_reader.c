/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Numbers out of bytes: values of DWARF 5's tables, and every way to be wrong.  */

#include "mlprof/base/reader.h"
#include "testsuite/unit/tests.h"

#define READER(name, ...)                                                                \
    static const unsigned char name##_bytes[] = {__VA_ARGS__};                           \
    struct reader name;                                                                  \
    reader_init(&name, name##_bytes, sizeof name##_bytes, false)

TEST(fixed_numbers_follow_the_byte_order)
{
    static const unsigned char bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
    struct reader little, big;
    reader_init(&little, bytes, sizeof bytes, false);
    reader_init(&big, bytes, sizeof bytes, true);
    ck_assert_uint_eq(reader_u8(&little), 1);
    ck_assert_uint_eq(reader_u32(&little), 0x05040302);
    ck_assert_uint_eq(reader_u64(&little), 0x0d0c0b0a09080706);
    ck_assert_uint_eq(reader_u8(&big), 1);
    ck_assert_uint_eq(reader_u32(&big), 0x02030405);
    ck_assert_uint_eq(reader_u64(&big), 0x060708090a0b0c0d);
    ck_assert(reader_done(&little) && !little.wrong);
}

TEST(unsigned_leb)
{
    READER(r, 2, 127, 0x80, 1, 0x81, 1, 0xb9, 0x64, 0x80, 0x00, 0xff, 0xff, 0xff, 0xff,
           0xff, 0xff, 0xff, 0xff, 0xff, 0x01);
    ck_assert_uint_eq(reader_uleb(&r), 2);
    ck_assert_uint_eq(reader_uleb(&r), 127);
    ck_assert_uint_eq(reader_uleb(&r), 128);
    ck_assert_uint_eq(reader_uleb(&r), 129);
    ck_assert_uint_eq(reader_uleb(&r), 12857);
    ck_assert_uint_eq(reader_uleb(&r), 0);
    ck_assert_uint_eq(reader_uleb(&r), UINT64_MAX);
    ck_assert(reader_done(&r) && !r.wrong);
}

TEST(signed_leb)
{
    READER(r, 2, 0x7e, 0xff, 0, 0x81, 0x7f, 0x80, 1, 0x80, 0x7f, 0x81, 1, 0xff, 0x7e,
           0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f);
    ck_assert_int_eq(reader_sleb(&r), 2);
    ck_assert_int_eq(reader_sleb(&r), -2);
    ck_assert_int_eq(reader_sleb(&r), 127);
    ck_assert_int_eq(reader_sleb(&r), -127);
    ck_assert_int_eq(reader_sleb(&r), 128);
    ck_assert_int_eq(reader_sleb(&r), -128);
    ck_assert_int_eq(reader_sleb(&r), 129);
    ck_assert_int_eq(reader_sleb(&r), -129);
    ck_assert_int_eq(reader_sleb(&r), INT64_MIN);
    ck_assert(reader_done(&r) && !r.wrong);
}

TEST(a_number_that_is_cut_off)
{
    READER(r, 5, 0x80, 0x80);
    reader_u8(&r);
    ck_assert_uint_eq(reader_uleb(&r), 0);
    ck_assert_str_eq(r.wrong, "cut off");
    ck_assert_uint_eq(r.wrong_at, 1);
    ck_assert(reader_done(&r));
    ck_assert_uint_eq(reader_u8(&r), 0);
    ck_assert_int_eq(reader_sleb(&r), 0);

    READER(s, 1, 2, 3);
    ck_assert_uint_eq(reader_u32(&s), 0);
    ck_assert_str_eq(s.wrong, "cut off");
    ck_assert_uint_eq(s.wrong_at, 0);
}

TEST(numbers_that_are_too_long)
{
    READER(eleven, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0);
    ck_assert_uint_eq(reader_uleb(&eleven), 0);
    ck_assert_str_eq(eleven.wrong, "a number of more than 10 bytes");
    READER(wide, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2);
    ck_assert_uint_eq(reader_uleb(&wide), 0);
    ck_assert_str_eq(wide.wrong, "a number of more than 64 bits");
    READER(low, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7e);
    ck_assert_int_eq(reader_sleb(&low), 0);
    ck_assert_str_eq(low.wrong, "a number of more than 64 bits");
}

TEST(the_first_mistake_stays)
{
    READER(r, 1, 2, 3);
    reader_u8(&r);
    ck_assert_uint_eq(reader_uleb_to(&r, 1, "first"), 0);
    reader_fail(&r, "second");
    ck_assert_str_eq(r.wrong, "first");
    ck_assert_uint_eq(r.wrong_at, 1);
}

TEST(a_slice_ends_where_it_was_told)
{
    READER(r, 1, 2, 3, 4);
    reader_u8(&r);
    struct reader slice = reader_slice(&r, 2);
    ck_assert_uint_eq(reader_u8(&slice), 2);
    ck_assert_uint_eq(reader_u8(&slice), 3);
    ck_assert(reader_done(&slice) && !slice.wrong);
    reader_u8(&slice);
    ck_assert_uint_eq(slice.wrong_at, 3);
    ck_assert_uint_eq(reader_u8(&r), 4);
    reader_slice(&r, 1);
    ck_assert_ptr_nonnull(r.wrong);
}

TEST(a_slice_longer_than_the_rest)
{
    READER(r, 1, 2);
    struct reader slice = reader_slice(&r, UINT64_MAX);
    ck_assert_ptr_nonnull(slice.wrong);
    ck_assert_uint_eq(reader_u8(&slice), 0);
    ck_assert_ptr_nonnull(r.wrong);
}
