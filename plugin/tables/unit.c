/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers the strings, files and sources of a unit, and collects the copies and points
   of a part. */

#include <assert.h>
#include <string.h>

#include "plugin/tables/unit.h"
#include "plugin/tables/memory.h"

unsigned unit_string(struct unit *unit, const char *text)
{
    return distinct_string(&unit->strings, text);
}

unsigned unit_file(struct unit *unit, const char *name)
{
    unsigned string = distinct_string(&unit->strings, name);
    return distinct_add(&unit->files, &string, sizeof string);
}

unsigned unit_source(struct unit *unit, const struct unit_source *source)
{
    return distinct_add(&unit->sources, source, sizeof *source);
}

void unit_set_hash(struct unit *unit, unsigned file, const struct unit_hash *hash)
{
    const struct unit_hash none = {{0}};

    assert(file >= 1 && file <= unit->files.count);
    unit->hashes =
        memory_reserve(unit->hashes, &unit->hash_room, file, sizeof *unit->hashes);
    while (unit->hash_count < file)
        unit->hashes[unit->hash_count++] = none;
    unit->hashes[file - 1] = *hash;
}

struct unit_hash unit_get_hash(const struct unit *unit, unsigned file)
{
    const struct unit_hash none = {{0}};

    return file <= unit->hash_count ? unit->hashes[file - 1] : none;
}

const struct unit_source *unit_get_source(const struct unit *unit, unsigned source)
{
    return distinct_get(&unit->sources, source);
}

unsigned unit_get_file(const struct unit *unit, unsigned file)
{
    const unsigned *string = distinct_get(&unit->files, file);
    return *string;
}

const char *unit_get_string(const struct unit *unit, unsigned string)
{
    return distinct_get(&unit->strings, string);
}

void unit_free(struct unit *unit)
{
    distinct_free(&unit->strings);
    distinct_free(&unit->files);
    distinct_free(&unit->sources);
    memory_free(unit->hashes);
    *unit = (struct unit){0};
}

unsigned part_copy(struct part *part, unsigned parent, unsigned source,
                   unsigned call_file, unsigned call_line, unsigned call_column)
{
    struct part_copy key;

    assert(parent <= part->copies.count);
    memset(&key, 0, sizeof key);
    key.parent = parent;
    key.source = source;
    key.call_file = call_file;
    key.call_line = call_line;
    key.call_column = call_column;
    return distinct_add(&part->copies, &key, sizeof key);
}

unsigned part_point(struct part *part, unsigned copy,
                    const struct part_position *position)
{
    struct part_point key;

    assert(copy <= part->copies.count);
    memset(&key, 0, sizeof key);
    key.copy = copy;
    key.position = *position;
    return distinct_add(&part->points, &key, sizeof key);
}

void part_enter(struct part *part, unsigned label, unsigned point)
{
    assert(point <= part->points.count);
    part->entries = memory_reserve(part->entries, &part->room, part->count + 1,
                                   sizeof *part->entries);
    part->entries[part->count++] = (struct part_entry){label, point};
}

void part_clear(struct part *part)
{
    distinct_clear(&part->copies);
    distinct_clear(&part->points);
    part->count = 0;
    part->source = part->start_label = part->end_label = 0;
}

void part_free(struct part *part)
{
    distinct_free(&part->copies);
    distinct_free(&part->points);
    memory_free(part->entries);
    memset(part, 0, sizeof *part);
}
