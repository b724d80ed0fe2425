/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/tables/contributions.h"
#include "rt/format.h"

#include <string.h>

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
        size_t offset = (size_t)(reader.at - reader.begin);
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
    for (size_t i = 0; i < file->section_count; i++)
        if (strcmp(file->sections[i].name, name) == 0 &&
            !read_section(file, &file->sections[i], newest, read, context, fault))
            return false;
    return true;
}

uint32_t extent_read_rise(struct reader *reader, uint32_t from, const char *why)
{
    int64_t rise = reader_sleb(reader);
    /* -INT64_MIN does not exist; INT64_MAX is out of range as well.  */
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
