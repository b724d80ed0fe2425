/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the compilation units (sources, files, strings) and the plugin's arguments, and
   checks that all numbers are in range. */

#include "mlprof/tables/unit.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/tables/reader.h"
#include "rt/format.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *unit_string(struct reader *reader, const struct unit_strings *strings)
{
    uint32_t offset = reader_u32(reader);
    if (reader->wrong)
        return "";
    if (offset < strings->size)
        return strings->text + offset;
    reader_fail(reader, "a string outside of " CCPROF_SECTION_STR);
    return "";
}

/* NULL: unknown. */
static const unsigned char *read_hash(struct reader *reader)
{
    static const unsigned char unknown[CCPROF_HASH_SIZE];
    const unsigned char *hash = reader_bytes(reader, CCPROF_HASH_SIZE);
    return hash && memcmp(hash, unknown, CCPROF_HASH_SIZE) != 0 ? hash : NULL;
}

static void read_files(struct unit *unit, struct reader *reader,
                       const struct unit_strings *strings)
{
    uint64_t count = reader_uleb_to(reader, UINT32_MAX, "too many files");
    size_t capacity = 0;
    while (unit->file_count < count && !reader->wrong) {
        struct unit_file *file = &BUF_NEXT(unit->files, unit->file_count, capacity);
        *file = (struct unit_file){.name = unit_string(reader, strings)};
        file->path = sourcefile_path(unit->directory, file->name);
        file->hash = read_hash(reader);
    }
}

static void read_sources(struct unit *unit, struct reader *reader,
                         const struct unit_strings *strings)
{
    uint64_t count = reader_uleb_to(reader, UINT32_MAX, "too many sources");
    size_t capacity = 0;
    while (unit->source_count < count && !reader->wrong) {
        struct unit_source *source =
            &BUF_NEXT(unit->sources, unit->source_count, capacity);
        *source = (struct unit_source){.name = unit_string(reader, strings)};
        source->flags = (uint32_t)reader_uleb(reader);
        source->symbol = source->flags & CCPROF_SOURCE_SYMBOL
                             ? unit_string(reader, strings)
                             : source->name;
        source->flags &= ~(uint32_t)CCPROF_SOURCE_SYMBOL;
        source->file =
            (uint32_t)reader_uleb_to(reader, unit->file_count, "no file has this number");
        source->line = (uint32_t)reader_uleb_to(reader, UINT32_MAX, "line too large");
        source->column = (uint32_t)reader_uleb_to(reader, UINT32_MAX, "column too large");
    }
}

/* Reads the unit at READER into UNIT, and its version into *VERSION. The caller must
   free UNIT, even after an error. On an error returns false and sets the error of
   READER. */
static bool read_unit(struct unit *unit, struct reader *reader,
                      const struct unit_strings *strings, unsigned *version)
{
    memset(unit, 0, sizeof *unit);
    unit->offset = (size_t)(reader->cursor - reader->begin);
    uint32_t length = reader_u32(reader);
    struct reader slice = reader_slice(reader, length);

    *version = reader_u8(&slice);
    if (!slice.wrong && *version == CCPROF_UNIT_VERSION) {
        unit->position = reader_u8(&slice);
        if (unit->position > CCPROF_POSITION_EXPRESSION)
            reader_fail(&slice, "an unknown kind of position");
        unit->directory = unit_string(&slice, strings);
        read_files(unit, &slice, strings);
        read_sources(unit, &slice, strings);
        if (!reader_done(&slice)) {
            slice.item = slice.cursor;
            reader_fail(&slice, "more bytes than the unit has use for");
        }
    }
    reader_take_error(reader, &slice);
    return !reader->wrong;
}

const char *unit_file(const struct unit *unit, uint32_t number)
{
    assert(number <= unit->file_count);
    return number ? unit->files[number - 1].path : NULL;
}

const char *unit_file_name(const struct unit *unit, uint32_t number)
{
    assert(number <= unit->file_count);
    return number ? unit->files[number - 1].name : NULL;
}

const unsigned char *unit_hash(const struct unit *unit, uint32_t number)
{
    assert(number <= unit->file_count);
    return number ? unit->files[number - 1].hash : NULL;
}

const struct unit_source *unit_source(const struct unit *unit, uint32_t number)
{
    assert(number <= unit->source_count);
    return number ? &unit->sources[number - 1] : NULL;
}

const struct unit_source *unit_shown_itself(const struct unit *unit, uint32_t number)
{
    const struct unit_source *source = unit_source(unit, number);
    return source && !source->unprofiled ? source : NULL;
}

const struct unit_source *unit_shown(const struct unit *unit, uint32_t number)
{
    const struct unit_source *source = unit_shown_itself(unit, number);
    return source && !source->folded ? source : NULL;
}

/* Sets *FOUND to the only section NAME of FILE, or to an empty section if there is
   none. Returns false if there are several. */
static bool only_section(const struct elffile *file, const char *name,
                         struct elffile_section *found, struct fault *fault)
{
    *found = (struct elffile_section){.name = name, .data = "", .size = 0};
    for (size_t i = 0; i < file->sections.count; i++) {
        if (strcmp(file->sections.list[i].name, name) != 0)
            continue;
        if (found->size)
            return fault_set(fault, FAULT_GARBLED, file->path,
                             "it has two sections %s, and none says which one is meant",
                             name);
        *found = file->sections.list[i];
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
        bool good = read_unit(unit, &reader, &units->strings, &version);
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

const struct unit *units_at(const struct units *units, uint32_t offset)
{
    size_t low;
    BUF_SEARCH(low, units->count, i, units->units[i].offset < offset);
    bool found = low < units->count && units->units[low].offset == offset;
    return found ? &units->units[low] : NULL;
}

void units_free(struct units *units)
{
    for (size_t i = 0; i < units->count; i++) {
        free(units->units[i].files);
        free(units->units[i].sources);
    }
    free(units->units);
}

static const char *skip_prefix(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* Reads a string. Unknown strings, written by later versions, are ignored. */
static void read_string(struct requests *requests, const char *text)
{
    const char *pattern = skip_prefix(text, CCPROF_ASKED_PATTERN);
    const char *matched = skip_prefix(text, CCPROF_ASKED_MET);
    const char *lacks = skip_prefix(text, CCPROF_ASKED_LACKS);
    if (pattern)
        intern_put(&requests->patterns, pattern);
    if (matched)
        intern_put(&requests->matched, matched);
    if (lacks)
        intern_put(&requests->lacks, lacks);
    requests->lto |= strcmp(text, CCPROF_ASKED_LTO) == 0;
    requests->linked |= strcmp(text, CCPROF_ASKED_LINKED) == 0;
}

void requests_read(struct requests *requests, const struct elffile *file)
{
    for (size_t i = 0; i < file->sections.count; i++) {
        const struct elffile_section *section = &file->sections.list[i];
        const char *cursor = section->data, *end = cursor + section->size, *stop;
        if (strcmp(section->name, CCPROF_SECTION_ASKED) != 0)
            continue;
        for (; cursor < end && (stop = memchr(cursor, '\0', (size_t)(end - cursor)));
             cursor = stop + 1)
            read_string(requests, cursor);
    }
}

bool requests_is_unlinked(const struct requests *requests)
{
    return requests->lto && !requests->linked;
}

bool requests_is_missed(const struct requests *requests, uint32_t number)
{
    const char *pattern = intern_text(&requests->patterns, number);
    for (uint32_t i = 0; i < requests->matched.count; i++)
        if (strcmp(intern_text(&requests->matched, i), pattern) == 0)
            return false;
    return true;
}

void requests_free(struct requests *requests)
{
    intern_free(&requests->patterns);
    intern_free(&requests->matched);
    intern_free(&requests->lacks);
}
