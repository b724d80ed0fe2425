/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* Reads numbers from bytes: values of DWARF 5's tables, and every kind of error. */

#include "mlprof/tables/reader.h"
#include "testsuite/unit/make_elf.h"
#include "testsuite/unit/tests.h"

#include <inttypes.h>

/* Bytes; how they are read (1, 4 and 8: number of bytes; u: unsigned, s: signed LEB128);
   the expected number; the expected error with its offset. */
static const struct {
    const char *bytes;
    bool big_endian;
    const char *ways, *read;
} rows[] = {
    {"01 02 03 04 05 06 07 08 09 0a 0b 0c 0d", false, "148",
     "0x1 0x5040302 0xd0c0b0a09080706"},
    {"01 02 03 04 05 06 07 08 09 0a 0b 0c 0d", true, "148",
     "0x1 0x2030405 0x60708090a0b0c0d"},
    {"02 7f 80 01 81 01 b9 64 80 00 ff ff ff ff ff ff ff ff ff 01", false, "uuuuuuu",
     "2 127 128 129 12857 0 18446744073709551615"},
    {"02 7e ff 00 81 7f 80 01 80 7f 81 01 ff 7e 80 80 80 80 80 80 80 80 80 7f", false,
     "sssssssss", "2 -2 127 -127 128 -128 129 -129 -9223372036854775808"},
    /* Incomplete data end the reading. */
    {"05 80 80", false, "1u1s", "0x5 0 0x0 0, cut off at 1"},
    {"01 02 03", false, "4", "0x0, cut off at 0"},
    {"80 80 80 80 80 80 80 80 80 80 00", false, "u",
     "0, a number of more than 10 bytes at 0"},
    {"ff ff ff ff ff ff ff ff ff 02", false, "u",
     "0, a number of more than 64 bits at 0"},
    {"80 80 80 80 80 80 80 80 80 7e", false, "s",
     "0, a number of more than 64 bits at 0"},
};

TEST_ROWS(numbers, rows)
{
    size_t size;
    unsigned char *bytes = make_bytes(rows[_i].bytes, &size);
    struct reader reader;
    reader_init(&reader, bytes, size, rows[_i].big_endian);
    FILE *out = print_begin();
    for (const char *way = rows[_i].ways; *way; way++) {
        fputs(way == rows[_i].ways ? "" : " ", out);
        if (*way == '1')
            fprintf(out, "0x%x", reader_u8(&reader));
        else if (*way == '4')
            fprintf(out, "0x%" PRIx32, reader_u32(&reader));
        else if (*way == '8')
            fprintf(out, "0x%" PRIx64, reader_u64(&reader));
        else if (*way == 'u')
            fprintf(out, "%" PRIu64, reader_uleb(&reader));
        else
            fprintf(out, "%" PRId64, reader_sleb(&reader));
    }
    if (reader.wrong)
        fprintf(out, ", %s at %zu", reader.wrong, (size_t)reader.wrong_at);
    print_end(out, rows[_i].read);
    ck_assert(reader_done(&reader));
    free(bytes);
}

TEST(slices)
{
    static const unsigned char bytes[] = {1, 2, 3, 4};
    struct reader reader;
    reader_init(&reader, bytes, sizeof bytes, false);
    reader_u8(&reader);
    struct reader slice = reader_slice(&reader, 2);
    ck_assert_uint_eq(reader_u8(&slice), 2);
    ck_assert_uint_eq(reader_u8(&slice), 3);
    ck_assert(reader_done(&slice) && !slice.wrong);
    reader_u8(&slice);
    ck_assert_uint_eq(slice.wrong_at, 3);
    slice = reader_slice(&reader, UINT64_MAX);
    ck_assert_ptr_nonnull(slice.wrong);
    ck_assert_ptr_nonnull(reader.wrong);
}
