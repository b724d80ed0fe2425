/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/alloctable.h"
#include "mlprof/buf.h"
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
    table->sites =
        buf_grow(table->sites, &table->capacity, table->count + 1, sizeof *table->sites);
    table->sites[table->count++] = site;
}

bool alloctable_read(struct alloctable *table, struct reader *reader,
                     const struct unit_strings *strings, unsigned *version)
{
    *version = reader_u8(reader);
    if (reader->wrong || *version != CCPROF_TABLES_VERSION)
        return !reader->wrong;
    uint32_t left = reader_u32(reader);
    uint64_t address = reader_u64(reader), behind;
    if (__builtin_add_overflow(address, (uint64_t)left * ALLOCTABLE_SITE, &behind))
        return reader_fail(reader, "an address of more than 64 bits");
    for (; left > 0 && !reader->wrong; left--, address += ALLOCTABLE_SITE)
        read_site(table, reader, strings, address);
    return !reader->wrong;
}

bool alloctable_read_definitions(struct alloctable *table, struct reader *reader,
                                 const struct unit_strings *strings)
{
    while (!reader_done(reader)) {
        const char *symbol = unit_string(reader, strings);
        table->definitions =
            buf_grow(table->definitions, &table->definition_capacity,
                     table->definition_count + 1, sizeof *table->definitions);
        table->definitions[table->definition_count++] = symbol;
    }
    return !reader->wrong;
}

void alloctable_free(struct alloctable *table)
{
    free(table->sites);
    free(table->definitions);
    memset(table, 0, sizeof *table);
}
