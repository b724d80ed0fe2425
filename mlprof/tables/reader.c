/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads fixed-size numbers and LEB128 from a section. The second part reads the
   contributions of compilations, each with its version and length. */

#include "mlprof/tables/reader.h"
#include "rt/format.h"

#include <string.h>

#define LEB_BYTES 10

void reader_init(struct reader *reader, const void *data, size_t size, bool big_endian)
{
    *reader = (struct reader){.begin = data,
                              .cursor = data,
                              .end = (const unsigned char *)data + size,
                              .item = data,
                              .big_endian = big_endian};
}

bool reader_done(const struct reader *reader)
{
    return reader->wrong || reader->cursor == reader->end;
}

void reader_take_error(struct reader *reader, const struct reader *slice)
{
    if (reader->wrong)
        return;
    reader->wrong = slice->wrong;
    reader->wrong_at = slice->wrong_at;
}

bool reader_fail(struct reader *reader, const char *why)
{
    if (!reader->wrong) {
        reader->wrong = why;
        reader->wrong_at = (size_t)(reader->item - reader->begin);
    }
    return false;
}

static size_t bytes_left(const struct reader *reader)
{
    return (size_t)(reader->end - reader->cursor);
}

/* Starts an item of SIZE bytes. Returns false if it cannot be read. */
static bool start_item(struct reader *reader, size_t size)
{
    reader->item = reader->cursor;
    if (reader->wrong)
        return false;
    if (bytes_left(reader) < size)
        return reader_fail(reader, "cut off");
    reader->cursor += size;
    return true;
}

struct reader reader_slice(struct reader *reader, uint64_t length)
{
    struct reader slice = *reader;
    if (reader->wrong || length > bytes_left(reader)) {
        reader_fail(reader, "longer than the section");
        reader_fail(&slice, "longer than the section");
        length = 0;
    }
    slice.end = slice.cursor + length;
    reader->cursor += length;
    return slice;
}

const unsigned char *reader_bytes(struct reader *reader, size_t size)
{
    return start_item(reader, size) ? reader->item : NULL;
}

static uint64_t read_fixed(struct reader *reader, size_t size)
{
    if (!start_item(reader, size))
        return 0;
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | reader->item[reader->big_endian ? i : size - 1 - i];
    return value;
}

uint8_t reader_u8(struct reader *reader)
{
    return (uint8_t)read_fixed(reader, 1);
}

uint32_t reader_u32(struct reader *reader)
{
    return (uint32_t)read_fixed(reader, 4);
}

uint64_t reader_u64(struct reader *reader)
{
    return read_fixed(reader, 8);
}

/* Reads a LEB128 number. Afterwards, `item' of the reader points to its first byte.
   Returns the length of the number in bytes, or 0 on an error. */
static size_t read_leb(struct reader *reader)
{
    reader->item = reader->cursor;
    if (reader->wrong)
        return 0;
    for (size_t n = 1; n <= LEB_BYTES; n++) {
        if (!start_item(reader, 1)) {
            reader->wrong_at -= n - 1;
            return 0;
        }
        if (*reader->item < 0x80) {
            reader->item -= n - 1;
            return n;
        }
    }
    reader->item -= LEB_BYTES - 1;
    reader_fail(reader, "a number of more than 10 bytes");
    return 0;
}

static uint64_t leb_bits(const unsigned char *bytes, size_t count)
{
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++)
        value |= (uint64_t)(bytes[i] & 0x7f) << (7 * i);
    return value;
}

uint64_t reader_uleb(struct reader *reader)
{
    if (!reader->wrong && reader->cursor < reader->end && *reader->cursor < 0x80) {
        reader->item = reader->cursor++;
        return *reader->item;
    }
    size_t count = read_leb(reader);
    if (count == LEB_BYTES && reader->item[count - 1] > 1) {
        reader_fail(reader, "a number of more than 64 bits");
        return 0;
    }
    return leb_bits(reader->item, count);
}

int64_t reader_sleb(struct reader *reader)
{
    size_t count = read_leb(reader);
    if (count == 0)
        return 0;
    unsigned char last = reader->item[count - 1];
    if (count == LEB_BYTES && last != 0 && last != 0x7f) {
        reader_fail(reader, "a number of more than 64 bits");
        return 0;
    }
    uint64_t value = leb_bits(reader->item, count);
    if ((last & 0x40) && count < LEB_BYTES)
        value |= ~(uint64_t)0 << (7 * count);
    return (int64_t)value;
}

uint64_t reader_uleb_to(struct reader *reader, uint64_t most, const char *why)
{
    uint64_t value = reader_uleb(reader);
    if (value <= most)
        return value;
    reader_fail(reader, why);
    return 0;
}

uint32_t reader_moved(struct reader *reader, uint32_t from, int64_t distance,
                      const char *why)
{
    int64_t to;
    if (!__builtin_add_overflow((int64_t)from, distance, &to) && to >= 0 &&
        to <= UINT32_MAX)
        return (uint32_t)to;
    reader_fail(reader, why);
    return 0;
}

uint32_t reader_sleb_from(struct reader *reader, uint32_t from, const char *why)
{
    return reader_moved(reader, from, reader_sleb(reader), why);
}

bool contributions_garbled(const struct elffile *file, const char *section, size_t offset,
                           const char *why, struct fault *fault)
{
    return fault_set(fault, FAULT_GARBLED, file->path, "section %s, offset 0x%zx: %s",
                     section, offset, why);
}

bool contributions_other_version(const struct elffile *file, const char *section,
                                 size_t offset, unsigned version, unsigned known,
                                 struct fault *fault)
{
    return fault_set(fault, FAULT_VERSION, file->path,
                     "section %s, offset 0x%zx: tables of version %u; this mlprof reads "
                     "version %u",
                     section, offset, version, known);
}

static bool read_section(const struct elffile *file,
                         const struct elffile_section *section, unsigned newest,
                         contributions_read_one *read, void *context, struct fault *fault)
{
    struct reader reader;
    reader_init(&reader, section->data, section->size, file->big_endian);
    while (!reader_done(&reader)) {
        size_t offset = (size_t)(reader.cursor - reader.begin);
        unsigned version = reader_u8(&reader);
        if (version < CCPROF_TABLES_VERSION || version > newest)
            return contributions_other_version(file, section->name, offset, version,
                                               newest, fault);
        read(context, version, &reader);
    }
    if (reader.wrong)
        return contributions_garbled(file, section->name, reader.wrong_at, reader.wrong,
                                     fault);
    return true;
}

bool contributions_read(const struct elffile *file, const char *name, unsigned newest,
                        contributions_read_one *read, void *context, struct fault *fault)
{
    for (size_t i = 0; i < file->sections.count; i++)
        if (strcmp(file->sections.list[i].name, name) == 0 &&
            !read_section(file, &file->sections.list[i], newest, read, context, fault))
            return false;
    return true;
}

uint32_t extent_read_rise(struct reader *reader, uint32_t from, const char *why)
{
    int64_t rise = reader_sleb(reader);
    /* -INT64_MIN overflows; INT64_MAX is also out of range. */
    return reader_moved(reader, from, rise == INT64_MIN ? INT64_MAX : -rise, why);
}

static int64_t read_half(struct reader *reader, unsigned half, unsigned most)
{
    if (half > most)
        reader_fail(reader, "an unknown kind of extent");
    if (half < most)
        return half;
    return (int64_t)reader_uleb_to(reader, UINT32_MAX, "column out of range") + half;
}

void extent_read_halves(struct reader *reader, uint32_t column, uint8_t halves,
                        unsigned most, uint32_t *start, uint32_t *end)
{
    int64_t before = read_half(reader, halves >> 4, most);
    int64_t after = read_half(reader, halves & 15, most);
    *start = reader_moved(reader, column, -before, "column out of range");
    *end = reader_moved(reader, column, after, "column out of range");
}
