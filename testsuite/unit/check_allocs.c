/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* The sites of doc/tables.md's example, byte by byte, and what their counters say.  */

#define _GNU_SOURCE
#include "mlprof/stacks/allocs.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/table_bytes.h"

/* /dir at 0, ex.c at 5, get at 12, malloc at 16, struct node at 23.  */
#define STRINGS                                                                          \
    "2f 64 69 72 00 65 78 2e 63 00 2d 00 67 65 74 00 6d 61 6c 6c 6f 63 00 "              \
    "73 74 72 75 63 74 20 6e 6f 64 65 00"
#define UNIT                                                                             \
    "24 00 00 00 02 02 00 00 00 00 01 05 00 00 00 "                                      \
    "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 0c 00 00 00 00 01 05 00"
#define CODE  "00 01 00 00 00 00 00 20 00 00 00 00 00 00 11 00 01 00 01 00 1c 0c 08"
#define SITE  "10 00 00 00 10 00 00 00 17 00 00 00 "
#define ALLOC "01 01 00 00 00 00 20 00 00 00 00 00 00 " SITE

/* The two pairs behind it.  */
#define PATHS                                                                            \
    "01 01 00 00 00 02 00 00 00 00 20 00 00 00 00 00 00 "                                \
    "01 00 00 00 04 00 00 00 04 00 00 00 00 00 00 00 0c 00 00 00 0c 00 00 00 "

#define GET    "0c 00 00 00"
#define MALLOC "10 00 00 00"

/* The sections of a file.  */
struct sections {
    const char *alloc, *paths, *allocators;
};

static struct tables *open_sections(const struct sections *sections)
{
    const struct make_elf file = {
        .sections = {{".ccprof.str", STRINGS},
                     {".ccprof.unit", UNIT},
                     {".ccprof.code", CODE},
                     {".ccprof.alloc", sections->alloc},
                     {".ccprof.paths", sections->paths},
                     {".ccprof.allocators", sections->allocators}}};
    return open_elf(&file);
}

/* Sites, pairs of counters with their site, and the allocators that the file defines.  */
static const struct {
    struct sections sections;
    const char *meaning;
} rows[] = {
    /* Sites follow one another.  */
    {{"01 02 00 00 00 00 20 00 00 00 00 00 00 " SITE
      "0c 00 00 00 0b 00 00 00 0b 00 00 00 " ALLOC,
      "", GET MALLOC},
     "2000 malloc/malloc/struct node\n2010 get//\n2000 malloc/malloc/struct node\n"
     "defines get\ndefines malloc\n"},
    /* The second piece is of a function without sites.  */
    {{ALLOC,
      PATHS "01 00 00 00 00 01 00 00 00 00 30 00 00 00 00 00 00 "
            "00 00 00 00 10 00 00 00 04 00 00 00",
      ""},
     "2000 malloc/malloc/struct node\n"
     "2010 // of 2000\n2020 get/get/ of 0\n3000 malloc// of 0\n"},
};

static void print_site(FILE *out, const struct alloctable_site *site)
{
    fprintf(out, "%llx %s/%s/%s", (unsigned long long)site->address, site->allocator,
            site->symbol, site->type);
}

TEST_ROWS(meaning, rows)
{
    struct tables *tables = open_sections(&rows[_i].sections);
    const struct alloctable *table = tables_allocations(tables);
    FILE *out = print_begin();
    for (size_t i = 0; i < table->count; i++) {
        print_site(out, &table->sites[i]);
        fputs("\n", out);
    }
    for (size_t i = 0; i < table->path_count; i++) {
        print_site(out, &table->paths[i].counters);
        fprintf(out, " of %llx\n", (unsigned long long)table->paths[i].site);
    }
    for (size_t i = 0; i < table->definition_count; i++)
        fprintf(out, "defines %s\n", table->definitions[i]);
    print_end(out, rows[_i].meaning);
    tables_close(tables);
}

/* A counter of one of two modules.  */
struct counter {
    uint32_t module;
    uint64_t address, count;
};

/* Where both have the example's site.  */
static const struct counter of_sites[] = {{1, 0x2008, 300},
                                          {0, 0x2000, 2},
                                          {0, 0x2008, 100},
                                          {1, 0x2000, 3},
                                          {1, 0x2010, 1000},
                                          {1, 0x1ff8, 1000},
                                          {0}};

/* What the site and its two pairs have counted.  */
static const struct counter of_paths[] = {{0, 0x2000, 5},
                                          {0, 0x2008, 500},
                                          {0, 0x2010, 2},
                                          {0, 0x2018, 200},
                                          {0, 0x2020, 3},
                                          {0, 0x2028, 300},
                                          {0}};

/* Two modules; the blocks and bytes of sites by module, and of calls of other profiled
   functions.  */
static const struct {
    struct sections modules[2];
    unsigned kind;
    const struct counter *counters;
    const char *counted;
} counts[] = {
    {{{ALLOC, "", GET}, {ALLOC, "", GET}},
     CCPROF_KIND_ALLOC,
     of_sites,
     "0 2/100\n1 3/300\n"},
    {{{ALLOC, "", GET}, {ALLOC, "", GET}},
     CCPROF_KIND_TIME | CCPROF_KIND_COUNT,
     of_sites,
     ""},
    /* A profiled allocator: its blocks count where it got them.  */
    {{{ALLOC, "", ""}, {"", "", MALLOC}}, CCPROF_KIND_ALLOC, of_sites, ""},
    {{{ALLOC, PATHS, ""}, {ALLOC, "", ""}},
     CCPROF_KIND_ALLOC,
     of_paths,
     "0 5/500 by calls but for 2/200\nget 3/300\n"},
};

TEST_ROWS(counted, counts)
{
    struct tables *modules[] = {open_sections(&counts[_i].modules[0]),
                                open_sections(&counts[_i].modules[1])};
    struct profile profile = {.kind = counts[_i].kind};
    struct program program = {.tables = modules, .count = 2};
    struct allocs allocs;
    profile_add_module(&profile, "/one", NULL);
    profile_add_module(&profile, "/other", NULL);
    for (const struct counter *at = counts[_i].counters; at->count; at++)
        profile_add_counter(&profile, at->module, at->address, at->count);
    allocs_collect(&allocs, &profile, &program);
    FILE *out = print_begin();
    for (size_t i = 0; i < allocs.count; i++) {
        const struct allocs_site *site = &allocs.sites[i];
        fprintf(out, "%u %u/%u", site->module, (unsigned)site->blocks,
                (unsigned)site->bytes);
        if (site->by_calls)
            fprintf(out, " by calls but for %u/%u", (unsigned)site->rest_blocks,
                    (unsigned)site->rest_bytes);
        fputs("\n", out);
    }
    for (size_t i = 0; i < allocs.call_count; i++)
        fprintf(out, "%s %u/%u\n", allocs.calls[i].site->allocator,
                (unsigned)allocs.calls[i].blocks, (unsigned)allocs.calls[i].bytes);
    print_end(out, counts[_i].counted);
    allocs_free(&allocs);
    profile_free(&profile);
    tables_close(modules[0]);
    tables_close(modules[1]);
}
