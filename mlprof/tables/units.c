/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/tables/units.h"
#include "mlprof/base/buf.h"
#include "mlprof/tables/contributions.h"
#include "rt/format.h"

#include <stdlib.h>
#include <string.h>

/* The only section called NAME in *FOUND, a section of no bytes if there is none.  */
static bool only_section(const struct elffile *file, const char *name,
                         struct elffile_section *found, struct fault *fault)
{
    *found = (struct elffile_section){.name = name, .data = "", .size = 0};
    for (size_t i = 0; i < file->section_count; i++) {
        if (strcmp(file->sections[i].name, name) != 0)
            continue;
        if (found->size)
            return fault_set(fault, FAULT_GARBLED, file->path,
                             "it has two sections %s, and none says which one is meant",
                             name);
        *found = file->sections[i];
    }
    return true;
}

static bool read_strings(struct units *units, const struct elffile *file,
                         struct fault *fault)
{
    struct elffile_section section;
    if (!only_section(file, CCPROF_SECTION_STR, &section, fault))
        return false;
    const char *text = section.data;
    if (section.size && text[section.size - 1])
        return contributions_garbled(file, section.name, section.size - 1,
                                     "the last string has no end", fault);
    units->strings = (struct unit_strings){.text = text, .size = section.size};
    return true;
}

static bool read_units(struct units *units, const struct elffile *file,
                       struct fault *fault)
{
    struct elffile_section section;
    if (!only_section(file, CCPROF_SECTION_UNIT, &section, fault))
        return false;
    struct reader reader;
    reader_init(&reader, section.data, section.size, file->big_endian);
    while (!reader_done(&reader)) {
        struct unit *unit = &BUF_NEXT(units->units, units->count, units->capacity);
        unsigned version;
        bool good = unit_read(unit, &reader, &units->strings, &version);
        if (good && version != CCPROF_UNIT_VERSION)
            return contributions_other_version(file, section.name, unit->offset, version,
                                               CCPROF_UNIT_VERSION, fault);
        if (!good)
            return contributions_garbled(file, section.name, reader.wrong_at,
                                         reader.wrong, fault);
    }
    return true;
}

bool units_read(struct units *units, const struct elffile *file, struct fault *fault)
{
    return read_strings(units, file, fault) && read_units(units, file, fault);
}

bool units_find(const struct units *units, uint32_t offset, uint32_t *number)
{
    size_t low;
    BUF_SEARCH(low, units->count, i, units->units[i].offset < offset);
    *number = (uint32_t)low;
    return low < units->count && units->units[low].offset == offset;
}

const struct unit *units_at(const struct units *units, uint32_t offset)
{
    uint32_t number;
    return units_find(units, offset, &number) ? &units->units[number] : NULL;
}

void units_free(struct units *units)
{
    for (size_t i = 0; i < units->count; i++)
        unit_free(&units->units[i]);
    free(units->units);
}
