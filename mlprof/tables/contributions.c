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
