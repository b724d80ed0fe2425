/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "plugin/tables/unit.h"
#include "plugin/tables/memory.h"

#include <assert.h>

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
