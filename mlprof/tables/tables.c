/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the sections of a file, finds functions by address, and decodes a function on
   request (function.c). */

#include "mlprof/tables/tables.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/tables/reader.h"
#include "mlprof/tables/unit.h"
#include "rt/format.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A function, possibly not yet decoded. */
struct entry {
    uint64_t start, end;
    const unsigned char *body; /* encoded function for function_read, up to BODY_END */
    const unsigned char *body_end;
    const struct unit *unit;
    const struct function *function;
};

struct tables {
    struct elffile *file;  /* the program */
    struct elffile *debug; /* its debug file if that has the tables, else NULL */
    struct units units;
    BUF_VECTOR(struct entry) entries; /* in the order of START, which is unique */
    struct predecessors starts;       /* start addresses of the entries */
    struct pool functions;
    struct function scratch; /* the function decoded last */
    struct tables_counters calls, inclusive;
    struct alloctable allocations;
    struct typedtable types;
    struct remarktable remarks;
};

/* The state of reading a section of streams. */
struct walk {
    struct reader reader;
    bool started; /* a head has been read */
    const struct unit *unit;
    bool dropped;     /* the linker has removed the code of this stream */
    uint64_t address; /* end of the previous function */
    unsigned version; /* version in the last head */
};

static void read_head(const struct tables *tables, struct walk *walk)
{
    struct reader *reader = &walk->reader;
    walk->version = reader_u8(reader);
    if (walk->version != CCPROF_TABLES_VERSION)
        return;
    uint32_t offset = reader_u32(reader);
    walk->unit = units_at(&tables->units, offset);
    if (!reader->wrong && !walk->unit)
        reader_fail(reader, "no unit at this offset");
    walk->address = reader_u64(reader);
    walk->dropped = walk->address == 0;
    walk->started = true;
}

/* Reads a function whose code has SIZE bytes. The caller has already read SIZE. */
static void read_function(struct tables *tables, struct walk *walk, uint64_t size)
{
    struct reader *reader = &walk->reader;
    struct entry entry = {.unit = walk->unit};
    if (__builtin_add_overflow(walk->address, reader_uleb(reader), &entry.start) ||
        __builtin_add_overflow(entry.start, size, &entry.end)) {
        reader_fail(reader, "an address of more than 64 bits");
        return;
    }
    entry.body = reader->cursor;
    if (!function_read(&tables->scratch, reader, walk->unit, size))
        return;
    entry.body_end = reader->cursor;
    walk->address = entry.end;
    if (size && !walk->dropped) {
        BUF_PUSH(tables->entries) = entry;
    }
}

static bool read_streams(struct tables *tables, const struct elffile_section *section,
                         struct fault *fault)
{
    struct walk walk = {.version = CCPROF_TABLES_VERSION};
    struct reader *reader = &walk.reader;
    reader_init(reader, section->data, section->size, tables_holder(tables)->big_endian);
    size_t offset = 0;
    while (!reader_done(reader) && walk.version == CCPROF_TABLES_VERSION) {
        offset = (size_t)(reader->cursor - reader->begin);
        uint64_t word = reader_uleb(reader);
        if (word == 0)
            read_head(tables, &walk);
        else if (!walk.started)
            reader_fail(reader, "a function before the first head");
        else
            read_function(tables, &walk, word - 1);
    }
    if (reader->wrong)
        return contributions_garbled(tables_holder(tables), section->name,
                                     reader->wrong_at, reader->wrong, fault);
    if (walk.version != CCPROF_TABLES_VERSION)
        return contributions_other_version(tables_holder(tables), section->name, offset,
                                           walk.version, CCPROF_TABLES_VERSION, fault);
    return true;
}

static bool read_code(struct tables *tables, struct fault *fault)
{
    const struct elffile *file = tables_holder(tables);
    for (size_t i = 0; i < file->sections.count; i++)
        if (strcmp(file->sections.list[i].name, CCPROF_SECTION_CODE) == 0 &&
            !read_streams(tables, &file->sections.list[i], fault))
            return false;
    return true;
}

BUF_COMPARE(by_address, struct entry,
            BUF_ORDER(a->start, b->start) ?: BUF_ORDER(a->body, b->body))

static bool is_sorted(const struct tables *tables)
{
    for (size_t i = 1; i < tables->entries.count; i++)
        if (tables->entries.list[i - 1].start >= tables->entries.list[i].start)
            return false;
    return true;
}

/* Sorts the functions. If the linker folds identical code, several functions have the
   same address. Only the first of them is kept. */
static void sort_entries(struct tables *tables)
{
    struct entry *entries = tables->entries.list;
    if (!is_sorted(tables))
        BUF_SORT(entries, tables->entries.count, by_address);
    size_t kept = 0;
    for (size_t i = 0; i < tables->entries.count; i++) {
        if (kept && entries[kept - 1].start == entries[i].start)
            continue;
        entries[kept++] = entries[i];
    }
    tables->entries.count = kept;
}

/* Returns whether FILE was compiled with the plugin and -flto, but linked without the
   plugin. */
static bool is_unlinked(const struct elffile *file)
{
    struct requests requests = {0};
    requests_read(&requests, file);
    bool unlinked = requests_is_unlinked(&requests);
    requests_free(&requests);
    return unlinked;
}

/* Opens the program, and its debug file if the program has no tables. */
static bool open_files(struct tables *tables, const char *path, struct fault *fault)
{
    tables->file = elffile_open(path, fault);
    if (!tables->file)
        return false;
    if (elffile_has_tables(tables->file))
        return true;
    struct fault debug_fault = {0};
    tables->debug = debugfile_open(tables->file, elffile_has_tables, &debug_fault);
    if (tables->debug)
        return true;
    if (debug_fault.kind != FAULT_NONE)
        fault_set(fault, FAULT_UNPROFILED, path, "has no tables of ccprof; %s",
                  debug_fault.text);
    else if (is_unlinked(tables->file))
        fault_set(fault, FAULT_UNPROFILED, path,
                  "not profiled: it was compiled with ccprof and -flto, and linked "
                  "without ccprof; link it with gcc -fplugin=ccprof, too");
    else if (tables->file->has_stub)
        fault_set(
            fault, FAULT_FILE, path,
            "it was compiled with ccprof, but its tables were removed, for example "
            "by llvm-strip (llvm-strip --strip-all-gnu keeps them); name a copy that "
            "has them");
    else
        fault_set(fault, FAULT_UNPROFILED, path,
                  "not profiled: it has no tables of ccprof; compile with gcc "
                  "-fplugin=ccprof");
    fault_clear(&debug_fault);
    return false;
}

struct tables *tables_open(const char *path, struct fault *fault)
{
    struct tables *tables = buf_alloc(sizeof *tables);
    if (open_files(tables, path, fault) &&
        units_read(&tables->units, tables_holder(tables), fault) &&
        read_code(tables, fault) &&
        tables_counters_read(&tables->calls, &tables->units, tables_holder(tables),
                             CCPROF_SECTION_COUNT, fault) &&
        tables_counters_read(&tables->inclusive, &tables->units, tables_holder(tables),
                             CCPROF_SECTION_INCLUSIVE, fault) &&
        alloctable_read(&tables->allocations, tables_holder(tables),
                        &tables->units.strings, fault) &&
        typedtable_read(&tables->types, &tables->units, tables_holder(tables), fault) &&
        remarktable_read(&tables->remarks, &tables->units, tables_holder(tables),
                         fault)) {
        sort_entries(tables);
        uint64_t *starts = buf_alloc((tables->entries.count + 1) * sizeof *starts);
        for (size_t i = 0; i < tables->entries.count; i++)
            starts[i] = tables->entries.list[i].start;
        predecessors_make(&tables->starts, starts, tables->entries.count);
        return tables;
    }
    tables_close(tables);
    return NULL;
}

struct tables *tables_open_bare(const char *path, struct fault *fault)
{
    struct tables *tables = buf_alloc(sizeof *tables);
    tables->file = elffile_open(path, fault);
    if (tables->file)
        return tables;
    tables_close(tables);
    return NULL;
}

bool tables_is_bare(const struct tables *tables)
{
    return tables->units.count == 0;
}

void tables_close(struct tables *tables)
{
    if (!tables)
        return;
    pool_free(&tables->functions);
    function_free(&tables->scratch);
    units_free(&tables->units);
    free(tables->entries.list);
    predecessors_free(&tables->starts);
    free(tables->calls.counters);
    free(tables->inclusive.counters);
    alloctable_free(&tables->allocations);
    free(tables->types.calls);
    remarktable_free(&tables->remarks);
    elffile_close(tables->file);
    elffile_close(tables->debug);
    free(tables);
}

const char *tables_path(const struct tables *tables)
{
    return tables->file->path;
}

const char *tables_build_id(const struct tables *tables)
{
    return tables->file->build_id;
}

bool tables_has_field(const struct tables *tables)
{
    return tables->file->has_field;
}

const struct tables_counters *tables_calls(const struct tables *tables)
{
    return &tables->calls;
}

const struct tables_counters *tables_inclusive(const struct tables *tables)
{
    return &tables->inclusive;
}

const struct elffile *tables_holder(const struct tables *tables)
{
    return tables->debug ? tables->debug : tables->file;
}

const struct unit *tables_unit_at(const struct tables *tables, uint32_t offset)
{
    return units_at(&tables->units, offset);
}

uint32_t tables_unit_count(const struct tables *tables)
{
    return (uint32_t)tables->units.count;
}

struct unit *tables_unit(struct tables *tables, uint32_t number)
{
    assert(number < tables->units.count);
    return &tables->units.units[number];
}

const struct alloctable *tables_allocations(const struct tables *tables)
{
    return &tables->allocations;
}

const struct remarktable *tables_remarks(const struct tables *tables)
{
    return &tables->remarks;
}

const struct typedtable *tables_types(const struct tables *tables)
{
    return &tables->types;
}

uint32_t tables_function_count(const struct tables *tables)
{
    return (uint32_t)tables->entries.count;
}

const struct function *tables_function(struct tables *tables, uint32_t number)
{
    assert(number < tables->entries.count);
    struct entry *entry = &tables->entries.list[number];
    if (!entry->function) {
        struct reader reader;
        reader_init(&reader, entry->body, (size_t)(entry->body_end - entry->body),
                    tables_holder(tables)->big_endian);
        function_read(&tables->scratch, &reader, entry->unit, entry->end - entry->start);
        entry->function = function_keep(&tables->scratch, &tables->functions);
    }
    return entry->function;
}

void tables_function_range(const struct tables *tables, uint32_t number, uint64_t *start,
                           uint64_t *end)
{
    assert(number < tables->entries.count);
    *start = tables->entries.list[number].start;
    *end = tables->entries.list[number].end;
}

bool tables_is_profiled(struct tables *tables, uint32_t number)
{
    const struct function *function = tables_function(tables, number);
    for (size_t i = 0; i < function->entries.count; i++)
        if (function_innermost(function, function->entries.list[i].point))
            return true;
    return false;
}

/* Returns the entry that contains ADDRESS; NULL if there is none. */
static const struct entry *find_entry(const struct tables *tables, uint64_t address)
{
    size_t number;
    return predecessors_find(&tables->starts, address, &number) &&
                   address < tables->entries.list[number].end
               ? &tables->entries.list[number]
               : NULL;
}

bool tables_find(struct tables *tables, uint64_t address, struct tables_point *point)
{
    const struct entry *entry = find_entry(tables, address);
    if (!entry)
        return false;
    point->function = (uint32_t)(entry - tables->entries.list);
    point->point = function_point_at(tables_function(tables, point->function),
                                     address - entry->start);
    return true;
}
