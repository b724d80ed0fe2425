/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/tables/alloctable.h"
#include "mlprof/base/buf.h"
#include "mlprof/tables/contributions.h"
#include "rt/format.h"

#include <stdlib.h>
#include <string.h>

static void read_site(struct alloctable *table, struct reader *reader,
                      const struct unit_strings *strings, uint64_t address)
{
    struct alloctable_site site = {.address = address};
    site.allocator = unit_string(reader, strings);
    site.symbol = unit_string(reader, strings);
    site.type = unit_string(reader, strings);
    if (reader->wrong)
        return;
    BUF_NEXT(table->sites, table->count, table->capacity) = site;
}

struct context {
    struct alloctable *table;
    const struct unit_strings *strings;
};

/* The sites of one function.  */
static void read_contribution(void *data, unsigned version, struct reader *reader)
{
    (void)version;
    const struct context *context = data;
    uint32_t left = reader_u32(reader);
    uint64_t address = reader_u64(reader), behind;
    if (__builtin_add_overflow(address, (uint64_t)left * ALLOCTABLE_SITE, &behind))
        reader_fail(reader, "an address of more than 64 bits");
    for (; left > 0 && !reader->wrong; left--, address += ALLOCTABLE_SITE)
        read_site(context->table, reader, context->strings, address);
}

static void read_path(struct alloctable *table, struct reader *reader,
                      const struct unit_strings *strings, uint64_t sites, uint32_t count,
                      uint64_t address)
{
    struct alloctable_path path = {.counters = {.address = address, .type = ""}};
    uint32_t site = reader_u32(reader);
    if (site > count)
        reader_fail(reader, "a site that there is not");
    if (site > 0)
        path.site = sites + (site - 1) * ALLOCTABLE_SITE;
    path.counters.allocator = unit_string(reader, strings);
    path.counters.symbol = unit_string(reader, strings);
    if (reader->wrong)
        return;
    BUF_NEXT(table->paths, table->path_count, table->path_capacity) = path;
}

/* The paths of one function, whose counters stand behind those of its sites.  */
static void read_paths(void *data, unsigned version, struct reader *reader)
{
    (void)version;
    const struct context *context = data;
    uint32_t count = reader_u32(reader), left = reader_u32(reader);
    uint64_t sites = reader_u64(reader), address = sites, behind;
    if (__builtin_add_overflow(
            sites, ((uint64_t)count + (uint64_t)left) * ALLOCTABLE_SITE, &behind))
        reader_fail(reader, "an address of more than 64 bits");
    address += (uint64_t)count * ALLOCTABLE_SITE;
    for (; left > 0 && !reader->wrong; left--, address += ALLOCTABLE_SITE)
        read_path(context->table, reader, context->strings, sites, count, address);
}

static bool read_definitions(struct alloctable *table, const struct elffile *file,
                             const struct elffile_section *section,
                             const struct unit_strings *strings, struct fault *fault)
{
    struct reader reader;
    reader_init(&reader, section->data, section->size, file->big_endian);
    while (!reader_done(&reader)) {
        const char *symbol = unit_string(&reader, strings);
        BUF_NEXT(table->definitions, table->definition_count,
                 table->definition_capacity) = symbol;
    }
    if (reader.wrong)
        return contributions_garbled(file, section->name, reader.wrong_at, reader.wrong,
                                     fault);
    return true;
}

bool alloctable_read(struct alloctable *table, const struct elffile *file,
                     const struct unit_strings *strings, struct fault *fault)
{
    struct context context = {.table = table, .strings = strings};
    bool good = contributions_read(file, CCPROF_SECTION_ALLOC, CCPROF_TABLES_VERSION,
                                   read_contribution, &context, fault) &&
                contributions_read(file, CCPROF_SECTION_PATHS, CCPROF_TABLES_VERSION,
                                   read_paths, &context, fault);
    for (size_t i = 0; good && i < file->section_count; i++)
        if (strcmp(file->sections[i].name, CCPROF_SECTION_ALLOCATORS) == 0)
            good = read_definitions(table, file, &file->sections[i], strings, fault);
    return good;
}

void alloctable_free(struct alloctable *table)
{
    free(table->sites);
    free(table->paths);
    free(table->definitions);
    memset(table, 0, sizeof *table);
}
