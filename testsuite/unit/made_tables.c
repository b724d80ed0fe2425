/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Includes this file of plugin/ with other names, because mlprof has functions of the
   same names. The rest of plugin/ is linked. */
#define unit_file   made_unit_file
#define unit_source made_unit_source
#define unit_free   made_unit_free
#define unit_string made_unit_string
#include "plugin/tables/unit.c"

#include "testsuite/unit/made_tables.h"
#include "testsuite/unit/encoded.h"
#include "testsuite/unit/random.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS  12
#define MOST_BYTES 150
#define MORE_BYTES 500 /* in one of 24: with points whose codes take two bytes */

struct made_function {
    struct part part;
    const struct unit *unit;
    enum ccprof_position detail;
};

/* Returns a random number, at least LEAST: near ORIGIN, at a limit of the fields, or
   anywhere. */
static unsigned near(unsigned origin, unsigned least)
{
    static const int steps[] = {-65, -64, -63, -3, -2, -1, 0,  0,  0,   1,  2,
                                3,   4,   5,   14, 15, 16, 63, 64, 127, 128};
    switch (random_below(12)) {
    case 0:
        return least + random_below(0x7fffffff - least);
    case 1:
        return least + random_below(5000);
    default: {
        long value = (long)origin + steps[random_below(sizeof steps / sizeof *steps)];
        return value < (long)least ? least : (unsigned)value;
    }
    }
}

static struct unit *make_unit(void)
{
    struct unit *unit = calloc(1, sizeof *unit);
    char name[32];
    unsigned files = random_below(5),
             sources = 1 + random_below(random_below(4) ? 8 : 300);
    unit_string(unit, "/directory");
    unit_string(unit, "");
    for (unsigned i = 0; i < files; i++) {
        snprintf(name, sizeof name, "file%u.c", i);
        struct unit_hash hash = {{0}};
        hash.bytes[random_below(CCPROF_HASH_SIZE)] = (unsigned char)random_below(3);
        unsigned file = unit_file(unit, name);
        if (random_below(4))
            unit_set_hash(unit, file, &hash);
    }
    for (unsigned i = 0; i < sources; i++) {
        unsigned file = random_below(files + 1);
        snprintf(name, sizeof name, "function%u", i);
        struct unit_source source = {.name = unit_string(unit, name), .file = file};
        source.line = file && random_below(20) ? near(100, 1) : 0;
        source.column = file ? near(20, 0) : 0;
        source.flags = random_below(3) ? 0 : 2 * random_below(1000);
        if (random_below(3))
            source.symbol = random_below(2) ? source.name : unit_string(unit, "symbol");
        unit_source(unit, &source);
    }
    return unit;
}

static unsigned some_source(const struct unit *unit)
{
    return random_below(4) ? 1 + random_below(unit->sources.count) : 0;
}

/* In most cases the file of the source. */
static unsigned some_file(const struct unit *unit, unsigned source)
{
    if (source && random_below(4))
        return unit_get_source(unit, source)->file;
    return random_below(unit->files.count + 1);
}

static unsigned line_of(const struct unit *unit, unsigned source)
{
    return source ? unit_get_source(unit, source)->line : 0;
}

static unsigned source_of(const struct made_function *f, unsigned copy)
{
    const struct part_copy *c = copy ? distinct_get(&f->part.copies, copy) : NULL;
    return c ? c->source : f->part.source;
}

static void make_copy(struct made_function *f)
{
    unsigned parent = random_below(f->part.copies.count + 1);
    unsigned around = source_of(f, parent);
    unsigned file = some_file(f->unit, around);
    if (!file || f->detail == CCPROF_POSITION_NONE)
        part_copy(&f->part, parent, some_source(f->unit), 0, 0, 0);
    else
        part_copy(&f->part, parent, some_source(f->unit), file,
                  near(line_of(f->unit, around), 1), random_below(4) ? near(20, 1) : 0);
}

static struct part_position some_position(const struct made_function *f, unsigned copy)
{
    struct part_position p = {0};
    unsigned source = source_of(f, copy);
    if (f->detail == CCPROF_POSITION_NONE || !(p.file = some_file(f->unit, source)))
        return p;
    p.line = near(line_of(f->unit, source), 1);
    p.column = random_below(8) ? near(20, 1) : 0;
    if (!p.column || !random_below(3))
        return p;
    p.start_line = random_below(4) ? p.line : near(p.line, 1);
    p.end_line = random_below(4) ? p.line : near(p.line, 1);
    p.start_column = near(p.column, 1);
    p.end_column = near(p.column, 1);
    return p;
}

/* At most every second entry repeats an earlier point. */
static unsigned some_point(struct made_function *f)
{
    unsigned count = f->part.points.count;
    if (count && random_below(2))
        return random_below(3) ? count - random_below(count < 4 ? count : 4)
                               : 1 + random_below(count);
    unsigned copy = random_below(f->part.copies.count + 1);
    struct part_position position = some_position(f, copy);
    return part_point(&f->part, copy, &position);
}

static void make_function(struct made_function *f, unsigned start)
{
    unsigned size = random_below(8) ? 1 + random_below(MOST_BYTES) : 0;
    if (!random_below(24))
        size = MORE_BYTES;
    f->part.source = some_source(f->unit);
    f->part.start_label = start;
    f->part.end_label = start + size;
    for (unsigned i = random_below(MADE_TABLES_FRAMES - 1); i > 0; i--)
        make_copy(f);
    for (unsigned at = start + random_below(3); at <= start + size; at += random_below(6))
        part_enter(&f->part, at, some_point(f));
}

static void put_unit(struct made_tables *tables, struct encoded *units,
                     const struct unit *unit, enum ccprof_position detail)
{
    struct encoded content = {.unit = unit}, strings = {0};
    const struct encode_sink sink = encoded_sink(&content);
    encode_unit(unit, detail, 1, 2, &sink);
    encoded_u32(units, (uint32_t)encoded_length(&content));
    encoded_free(&content);
    units->unit = unit;
    const struct encode_sink same = encoded_sink(units);
    encode_unit(unit, detail, 1, 2, &same);
    encoded_strings(&strings, unit);
    tables->strings = strings.text;
}

struct made_tables *made_tables_make(uint32_t seed, unsigned detail)
{
    struct made_tables *tables = calloc(1, sizeof *tables);
    struct encoded units = {0}, streams = {0};
    const struct encode_sink sink = encoded_sink(&streams);
    random_state = seed * 2654435761u + 1;
    struct unit *unit = make_unit();
    put_unit(tables, &units, unit, detail);
    tables->functions = calloc(FUNCTIONS, sizeof *tables->functions);
    tables->end = 1;
    for (unsigned i = 0, last = 0; i < FUNCTIONS; i++) {
        struct made_function *f = &tables->functions[tables->count++];
        f->unit = unit;
        f->detail = detail;
        make_function(f,
                      (unsigned)tables->end + (random_below(2) ? random_below(200) : 0));
        if (!last || !random_below(4)) {
            last = f->part.start_label;
            last -= random_below(2) ? random_below(last < 5 ? last : 5) : 0;
            encoded_head(&streams, 0, last);
        }
        encode_part(&f->part, unit, detail, last, &sink);
        tables->end = last = f->part.end_label;
    }
    tables->units = units.text;
    tables->streams = streams.text;
    return tables;
}

void made_tables_free(struct made_tables *tables)
{
    struct unit *unit = (struct unit *)tables->functions[0].unit;
    unit_free(unit);
    free(unit);
    for (size_t i = 0; i < tables->count; i++)
        part_free(&tables->functions[i].part);
    free(tables->functions);
    free(tables->strings);
    free(tables->units);
    free(tables->streams);
    free(tables);
}

static const char *name_of_file(const struct unit *unit, unsigned file)
{
    return file ? unit_get_string(unit, unit_get_file(unit, file)) : NULL;
}

/* Returns the position reduced to the unit's detail. */
static struct made_position seen(const struct made_function *f,
                                 const struct part_position *p)
{
    struct made_position position = {0};
    if (f->detail == CCPROF_POSITION_NONE || !p->file)
        return position;
    position.file = name_of_file(f->unit, p->file);
    position.line = p->line;
    if (f->detail == CCPROF_POSITION_LINE)
        return position;
    position.column = p->column;
    if (!p->start_column)
        return position;
    position.start_line = p->start_line;
    position.start_column = p->start_column;
    position.end_line = p->end_line;
    position.end_column = p->end_column;
    return position;
}

static int frames_at(const struct made_function *f, unsigned address,
                     struct made_frame *frames)
{
    struct part_point at = {0};
    int count = 0;
    for (size_t i = 0; i < f->part.count; i++)
        if (f->part.entries[i].label <= address)
            at = *(const struct part_point *)distinct_get(&f->part.points,
                                                          f->part.entries[i].point);
    for (;;) {
        unsigned source = source_of(f, at.copy);
        if (source) {
            const struct unit_source *s = unit_get_source(f->unit, source);
            struct made_frame *frame = &frames[count++];
            *frame = (struct made_frame){
                .name = unit_get_string(f->unit, s->name),
                .file = name_of_file(f->unit, s->file),
                .symbol = s->symbol ? unit_get_string(f->unit, s->symbol) : "",
                .line = s->line,
                .column = s->column,
                .flags = s->flags,
                .position = seen(f, &at.position)};
            struct unit_hash hash = {{0}};
            if (s->file)
                hash = unit_get_hash(f->unit, s->file);
            memcpy(frame->hash, hash.bytes, sizeof frame->hash);
        }
        if (!at.copy)
            return count;
        const struct part_copy *copy = distinct_get(&f->part.copies, at.copy);
        at = (struct part_point){
            copy->parent,
            {copy->call_file, copy->call_line, copy->call_column, 0, 0, 0, 0}};
    }
}

int made_tables_frames(const struct made_tables *tables, uint64_t address,
                       struct made_frame frames[MADE_TABLES_FRAMES])
{
    for (size_t i = 0; i < tables->count; i++) {
        const struct made_function *f = &tables->functions[i];
        if (address >= f->part.start_label && address < f->part.end_label)
            return frames_at(f, (unsigned)address, frames);
    }
    return -1;
}
