/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/stacks/allocs.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/intern.h"

#include <stdlib.h>
#include <string.h>

/* The sites that count, by the addresses of their counters.  */
struct collection {
    struct index index;        /* module, address of the counter of blocks */
    struct allocs_site *sites; /* by number */
    size_t count, capacity;
    struct intern symbols; /* those below DEFINED are of profiled allocators */
    size_t defined;
};

static void add_definitions(struct collection *collection, const struct program *program)
{
    for (size_t i = 0; i < program->count; i++) {
        if (!program->tables[i])
            continue;
        const struct alloctable *table = tables_allocations(program->tables[i]);
        for (size_t d = 0; d < table->definition_count; d++)
            if (table->definitions[d][0])
                intern_put(&collection->symbols, table->definitions[d]);
    }
    collection->defined = collection->symbols.count;
}

static bool is_profiled(struct collection *collection, const char *symbol)
{
    return symbol[0] && intern_put(&collection->symbols, symbol) < collection->defined;
}

static void add_sites(struct collection *collection, uint32_t module,
                      const struct alloctable *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct alloctable_site *site = &table->sites[i];
        bool fresh;
        if (is_profiled(collection, site->symbol))
            continue;
        uint32_t number = index_put(&collection->index, module, site->address, 0, &fresh);
        if (!fresh)
            continue;
        collection->sites = buf_grow(collection->sites, &collection->capacity, number + 1,
                                     sizeof *collection->sites);
        collection->sites[number] = (struct allocs_site){.module = module, .site = site};
        collection->count = number + 1;
    }
}

/* NULL if it is no counter of a site that counts.  */
static uint64_t *find_count(struct collection *collection,
                            const struct profile_counter *counter)
{
    bool fresh;
    uint32_t number =
        index_put(&collection->index, counter->module, counter->address, 0, &fresh);
    if (number < collection->count)
        return &collection->sites[number].blocks;
    number = index_put(&collection->index, counter->module,
                       counter->address - ALLOCTABLE_BYTES, 0, &fresh);
    return number < collection->count ? &collection->sites[number].bytes : NULL;
}

static void add_counts(struct collection *collection, const struct profile *profile)
{
    for (size_t i = 0; i < profile->counter_count; i++) {
        uint64_t *count = find_count(collection, &profile->counters[i]);
        if (count)
            *count += profile->counters[i].count;
    }
}

void allocs_collect(struct allocs *allocs, const struct profile *profile,
                    const struct program *program)
{
    struct collection collection = {0};
    size_t kept = 0;
    *allocs = (struct allocs){0};
    if (!(profile->kind & CCPROF_KIND_ALLOC))
        return;
    add_definitions(&collection, program);
    for (size_t i = 0; i < program->count; i++)
        if (program->tables[i])
            add_sites(&collection, (uint32_t)i, tables_allocations(program->tables[i]));
    add_counts(&collection, profile);
    for (size_t i = 0; i < collection.count; i++)
        if (collection.sites[i].blocks || collection.sites[i].bytes)
            collection.sites[kept++] = collection.sites[i];
    allocs->sites = collection.sites;
    allocs->count = kept;
    intern_free(&collection.symbols);
    index_free(&collection.index);
}

void allocs_add_frame(struct allocs_site *site, uint32_t source, uint32_t position)
{
    site->frames = buf_grow(site->frames, &site->frame_capacity, site->frame_count + 1,
                            sizeof *site->frames);
    site->frames[site->frame_count++] = (struct allocs_frame){source, position};
}

void allocs_free(struct allocs *allocs)
{
    for (size_t i = 0; i < allocs->count; i++)
        free(allocs->sites[i].frames);
    free(allocs->sites);
    memset(allocs, 0, sizeof *allocs);
}
