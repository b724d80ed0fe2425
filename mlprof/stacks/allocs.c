/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the counters of allocation sites, and of the calls that led to them, from a
   profile. Sites that call a profiled allocator are left out. */

#include "mlprof/stacks/allocs.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"

#include <stdlib.h>
#include <string.h>

enum kind {
    SITE,
    LEFT_OUT, /* a site that calls a profiled allocator */
    CALL,     /* a call outside of libraries */
    REST      /* allocations of a site that no CALL accounts for */
};

/* A pair of counters: one for blocks, one for bytes. */
struct item {
    enum kind kind;
    uint64_t site; /* of a REST: address of the counters of its site */
    struct allocs_site counted;
};

/* All pairs of counters, found by address. */
struct collection {
    struct index index; /* key: module and address of the counter of blocks */
    struct item *items; /* by number */
    size_t count, capacity;
    /* Symbols with numbers below DEFINED belong to profiled allocators. */
    struct intern symbols;
    size_t defined;
};

static void add_definitions(struct collection *collection, const struct program *program)
{
    for (size_t i = 0; i < program->count; i++) {
        if (!program->tables[i])
            continue;
        const struct alloctable *table = tables_allocations(program->tables[i]);
        for (size_t d = 0; d < table->definitions.count; d++)
            if (table->definitions.list[d][0])
                intern_put(&collection->symbols, table->definitions.list[d]);
    }
    collection->defined = collection->symbols.count;
}

static void add_item(struct collection *collection, uint32_t module, enum kind kind,
                     const struct alloctable_site *counters, uint64_t site)
{
    bool fresh;
    uint32_t number = index_put(&collection->index, module, counters->address, 0, &fresh);
    if (!fresh)
        return;
    BUF_AT(collection->items, number, collection->capacity) =
        (struct item){kind, site, {.module = module, .site = counters}};
    collection->count = number + 1;
}

static void add_table(struct collection *collection, uint32_t module,
                      const struct alloctable *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const char *symbol = table->sites[i].symbol;
        bool profiled =
            symbol[0] && intern_put(&collection->symbols, symbol) < collection->defined;
        add_item(collection, module, profiled ? LEFT_OUT : SITE, &table->sites[i], 0);
    }
    for (size_t i = 0; i < table->paths.count; i++)
        add_item(collection, module, table->paths.list[i].site ? REST : CALL,
                 &table->paths.list[i].counters, table->paths.list[i].site);
}

/* Returns the pair of counters at ADDRESS, or NULL if there is none. */
static struct allocs_site *find_counted(struct collection *collection, uint32_t module,
                                        uint64_t address)
{
    bool fresh;
    uint32_t number = index_put(&collection->index, module, address, 0, &fresh);
    return number < collection->count ? &collection->items[number].counted : NULL;
}

static void add_counts(struct collection *collection, const struct profile *profile)
{
    for (size_t i = 0; i < profile->counts.counters.count; i++) {
        const struct profile_counter *counter = &profile->counts.counters.list[i];
        struct allocs_site *site =
            find_counted(collection, counter->module, counter->address);
        if (site)
            site->blocks += counter->count;
        site = find_counted(collection, counter->module,
                            counter->address - ALLOCTABLE_BYTES);
        if (site)
            site->bytes += counter->count;
    }
}

static bool has_counts(const struct allocs_site *site)
{
    return site->blocks || site->bytes;
}

/* Adds the rests to their sites. Returns false if a site that was left out has
   counters by call, because the counts of the calls then include the allocations of
   this site. */
static bool add_rests(struct collection *collection)
{
    bool all = true;
    for (size_t i = 0; i < collection->count; i++) {
        const struct item *rest = &collection->items[i];
        if (rest->kind != REST)
            continue;
        struct allocs_site *site =
            find_counted(collection, rest->counted.module, rest->site);
        if (!site)
            continue;
        site->by_calls = true;
        site->rest_blocks += rest->counted.blocks;
        site->rest_bytes += rest->counted.bytes;
    }
    for (size_t i = 0; i < collection->count; i++) {
        const struct item *item = &collection->items[i];
        all = all && !(item->kind == LEFT_OUT && item->counted.by_calls &&
                       has_counts(&item->counted));
    }
    return all;
}

/* Returns the pairs of KIND with counts other than 0. Sets *COUNT to their
   number. */
static struct allocs_site *select_items(const struct collection *collection,
                                        enum kind kind, size_t *count)
{
    struct allocs_site *sites = buf_alloc((collection->count + 1) * sizeof *sites);
    *count = 0;
    for (size_t i = 0; i < collection->count; i++)
        if (collection->items[i].kind == kind &&
            has_counts(&collection->items[i].counted))
            sites[(*count)++] = collection->items[i].counted;
    return sites;
}

void allocs_collect(struct allocs *allocs, const struct profile *profile,
                    const struct program *program)
{
    struct collection collection = {0};
    *allocs = (struct allocs){0};
    if (!(profile->kind & CCPROF_KIND_ALLOC))
        return;
    add_definitions(&collection, program);
    for (size_t i = 0; i < program->count; i++)
        if (program->tables[i])
            add_table(&collection, (uint32_t)i, tables_allocations(program->tables[i]));
    add_counts(&collection, profile);
    bool all = add_rests(&collection);
    allocs->sites = select_items(&collection, SITE, &allocs->count);
    allocs->calls = select_items(&collection, CALL, &allocs->call_count);
    for (size_t i = 0; !all && i < allocs->count; i++)
        allocs->sites[i].by_calls = false;
    if (!all)
        allocs->call_count = 0;
    free(collection.items);
    intern_free(&collection.symbols);
    index_free(&collection.index);
}

void allocs_add_frame(struct allocs_site *site, uint32_t source, uint32_t position)
{
    BUF_PUSH(site->frames) = (struct allocs_frame){source, position};
}

void allocs_free(struct allocs *allocs)
{
    for (size_t i = 0; i < allocs->count; i++)
        free(allocs->sites[i].frames.list);
    for (size_t i = 0; i < allocs->call_count; i++)
        free(allocs->calls[i].frames.list);
    free(allocs->sites);
    free(allocs->calls);
    memset(allocs, 0, sizeof *allocs);
}
