/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/tables/unit.h"
#include "mlprof/base/buf.h"
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

/* NULL: unknown.  */
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

bool unit_read(struct unit *unit, struct reader *reader,
               const struct unit_strings *strings, unsigned *version)
{
    memset(unit, 0, sizeof *unit);
    unit->offset = (size_t)(reader->at - reader->begin);
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
            slice.item = slice.at;
            reader_fail(&slice, "more bytes than the unit has use for");
        }
    }
    reader_take_error(reader, &slice);
    return !reader->wrong;
}

void unit_free(struct unit *unit)
{
    free(unit->files);
    free(unit->sources);
}

const char *unit_file(const struct unit *unit, uint32_t number)
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
