/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* The sites of doc/tables.md's example, byte by byte, and what their counters say.  */

#define _GNU_SOURCE
#include "mlprof/stacks/allocs.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/table_bytes.h"

#include <string.h>

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

static struct make_elf file_of(const char *alloc, const char *allocators)
{
    return (struct make_elf){.sections = {{".ccprof.str", STRINGS},
                                          {".ccprof.unit", UNIT},
                                          {".ccprof.code", CODE},
                                          {".ccprof.alloc", alloc},
                                          {".ccprof.allocators", allocators}}};
}

TEST(the_example)
{
    struct make_elf file = file_of(ALLOC, "");
    struct tables *tables = open_elf(&file);
    const struct alloctable *table = tables_allocations(tables);
    ck_assert_uint_eq(table->count, 1);
    ck_assert_uint_eq(table->sites[0].address, 0x2000);
    ck_assert_str_eq(table->sites[0].allocator, "malloc");
    ck_assert_str_eq(table->sites[0].symbol, "malloc");
    ck_assert_str_eq(table->sites[0].type, "struct node");
    ck_assert_uint_eq(table->definition_count, 0);

    struct tables_point point;
    ck_assert(tables_find(tables, 0x200f, &point));
    const struct function *function = tables_function(tables, point.function);
    const struct function_position *position = &function->points[point.point].position;
    ck_assert_str_eq(function_innermost(function, point.point)->name, "get");
    ck_assert_uint_eq(position->line, 6);
    ck_assert_uint_eq(position->column, 12);
    ck_assert_uint_eq(position->end_column, 20);
    ck_assert(!tables_find(tables, 0x2010, &point));
    tables_close(tables);
}

TEST(sites_follow_one_another)
{
    struct make_elf file = file_of("01 02 00 00 00 00 20 00 00 00 00 00 00 " SITE
                                   "0c 00 00 00 0b 00 00 00 0b 00 00 00 " ALLOC,
                                   "0c 00 00 00 10 00 00 00");
    struct tables *tables = open_elf(&file);
    const struct alloctable *table = tables_allocations(tables);
    ck_assert_uint_eq(table->count, 3);
    ck_assert_uint_eq(table->sites[1].address, 0x2010);
    ck_assert_str_eq(table->sites[1].allocator, "get");
    ck_assert_str_eq(table->sites[1].symbol, "");
    ck_assert_str_eq(table->sites[1].type, "");
    ck_assert_uint_eq(table->sites[2].address, 0x2000);
    ck_assert_uint_eq(table->definition_count, 2);
    ck_assert_str_eq(table->definitions[0], "get");
    ck_assert_str_eq(table->definitions[1], "malloc");
    tables_close(tables);
}

static struct make_elf file_with(const char *paths, const char *allocators)
{
    return (struct make_elf){.sections = {{".ccprof.str", STRINGS},
                                          {".ccprof.unit", UNIT},
                                          {".ccprof.code", CODE},
                                          {".ccprof.alloc", ALLOC},
                                          {".ccprof.paths", paths},
                                          {".ccprof.allocators", allocators}}};
}

TEST(the_example_of_paths)
{
    /* The second piece is of a function without sites.  */
    struct make_elf file =
        file_with(PATHS "01 00 00 00 00 01 00 00 00 00 30 00 00 00 00 00 00 "
                        "00 00 00 00 10 00 00 00 04 00 00 00",
                  "");
    struct tables *tables = open_elf(&file);
    const struct alloctable *table = tables_allocations(tables);
    ck_assert_uint_eq(table->count, 1);
    ck_assert_uint_eq(table->path_count, 3);
    ck_assert_uint_eq(table->paths[0].counters.address, 0x2010);
    ck_assert_uint_eq(table->paths[0].site, 0x2000);
    ck_assert_str_eq(table->paths[0].counters.allocator, "");
    ck_assert_uint_eq(table->paths[1].counters.address, 0x2020);
    ck_assert_uint_eq(table->paths[1].site, 0);
    ck_assert_str_eq(table->paths[1].counters.allocator, "get");
    ck_assert_str_eq(table->paths[1].counters.symbol, "get");
    ck_assert_str_eq(table->paths[1].counters.type, "");
    ck_assert_uint_eq(table->paths[2].counters.address, 0x3000);
    ck_assert_uint_eq(table->paths[2].site, 0);
    ck_assert_str_eq(table->paths[2].counters.allocator, "malloc");
    ck_assert_str_eq(table->paths[2].counters.symbol, "");
    tables_close(tables);
}

static void assert_refused_paths(const char *paths, enum fault_kind kind,
                                 const char *expected)
{
    struct make_elf file = file_with(paths, "");
    assert_refused(&file, kind, expected);
}

TEST(damaged_paths)
{
    assert_refused_paths("02", FAULT_VERSION,
                         "section .ccprof.paths, offset 0x0: tables of version 2; this "
                         "mlprof reads version 1");
    assert_refused_paths("01 01 00 00 00 01 00 00 00 00 20 00 00 00 00 00 00 "
                         "02 00 00 00 04 00 00 00 04 00 00 00",
                         FAULT_GARBLED,
                         "section .ccprof.paths, offset 0x11: a site that there is not");
    assert_refused_paths("01 01 00 00 00 01 00 00 00 00 20 00 00 00 00 00 00 "
                         "01 00 00 00 04 00 00 00 04 00",
                         FAULT_GARBLED, "section .ccprof.paths, offset 0x19: cut off");
    assert_refused_paths("01 01 00 00 00 01 00 00 00 00 20 00 00 00 00 00 00 "
                         "01 00 00 00 04 00 00 00 99 00 00 00",
                         FAULT_GARBLED,
                         "section .ccprof.paths, offset 0x19: a string outside of "
                         ".ccprof.str");
    assert_refused_paths(
        "01 ff ff ff ff ff ff ff ff f0 ff ff ff ff ff ff ff 01 00 00 00", FAULT_GARBLED,
        "section .ccprof.paths, offset 0x9: an address of more than 64 bits");
}

static void assert_refused_bytes(const char *alloc, const char *allocators,
                                 enum fault_kind kind, const char *expected)
{
    struct make_elf file = file_of(alloc, allocators);
    assert_refused(&file, kind, expected);
}

TEST(damage)
{
    assert_refused_bytes(
        "02", "", FAULT_VERSION,
        "section .ccprof.alloc, offset 0x0: tables of version 2; this mlprof "
        "reads version 1");
    assert_refused_bytes(
        ALLOC "03", "", FAULT_VERSION,
        "section .ccprof.alloc, offset 0x19: tables of version 3; this mlprof "
        "reads version 1");
    assert_refused_bytes("01 01 00 00 00 00 20 00 00 00 00 00 00 10 00 00 00 10 00 00",
                         "", FAULT_GARBLED,
                         "section .ccprof.alloc, offset 0x11: cut off");
    assert_refused_bytes("01 02 00 00 00 00 20 00 00 00 00 00 00 " SITE, "",
                         FAULT_GARBLED, "section .ccprof.alloc, offset 0x19: cut off");
    assert_refused_bytes(
        "01 01 00 00 00 00 20 00 00 00 00 00 00 "
        "10 00 00 00 10 00 00 00 99 00 00 00",
        "", FAULT_GARBLED,
        "section .ccprof.alloc, offset 0x15: a string outside of .ccprof.str");
    assert_refused_bytes(
        "01 ff ff ff ff ff ff ff ff ff ff ff ff " SITE, "", FAULT_GARBLED,
        "section .ccprof.alloc, offset 0x5: an address of more than 64 bits");
    assert_refused_bytes(ALLOC, "10 00 00", FAULT_GARBLED,
                         "section .ccprof.allocators, offset 0x0: cut off");
}

/* A counter of one of two modules.  */
struct counter {
    uint32_t module;
    uint64_t address, count;
};

/* Of two modules, and counters up to one of 0.  */
static struct allocs collected(struct tables *modules[2], unsigned kind,
                               const struct counter *counters)
{
    struct profile profile = {.kind = kind};
    struct program program = {.tables = modules, .count = 2};
    struct allocs allocs;
    profile_add_module(&profile, "/one", NULL);
    profile_add_module(&profile, "/other", NULL);
    for (; counters->count; counters++)
        profile_add_counter(&profile, counters->module, counters->address,
                            counters->count);
    allocs_collect(&allocs, &profile, &program);
    profile_free(&profile);
    return allocs;
}

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

TEST(counters_of_sites)
{
    struct make_elf file = file_of(ALLOC, "0c 00 00 00");
    struct tables *modules[] = {open_elf(&file), open_elf(&file)};
    struct allocs allocs = collected(modules, CCPROF_KIND_ALLOC, of_sites);
    ck_assert_uint_eq(allocs.count, 2);
    ck_assert_uint_eq(allocs.sites[0].module, 0);
    ck_assert_uint_eq(allocs.sites[0].blocks, 2);
    ck_assert_uint_eq(allocs.sites[0].bytes, 100);
    ck_assert_uint_eq(allocs.sites[1].module, 1);
    ck_assert_uint_eq(allocs.sites[1].blocks, 3);
    ck_assert_uint_eq(allocs.sites[1].bytes, 300);
    allocs_free(&allocs);
    allocs = collected(modules, CCPROF_KIND_TIME | CCPROF_KIND_COUNT, of_sites);
    ck_assert_uint_eq(allocs.count, 0);
    allocs_free(&allocs);
    tables_close(modules[0]);
    tables_close(modules[1]);
}

TEST(a_profiled_allocator)
{
    struct make_elf file = file_of(ALLOC, ""), definer = file_of("", "10 00 00 00");
    struct tables *modules[] = {open_elf(&file), open_elf(&definer)};
    struct allocs allocs = collected(modules, CCPROF_KIND_ALLOC, of_sites);
    ck_assert_uint_eq(allocs.count, 0);
    allocs_free(&allocs);
    tables_close(modules[0]);
    tables_close(modules[1]);
}

TEST(counters_of_paths)
{
    struct make_elf file = file_with(PATHS, ""), plain = file_of(ALLOC, "");
    struct tables *modules[] = {open_elf(&file), open_elf(&plain)};
    struct allocs allocs = collected(modules, CCPROF_KIND_ALLOC, of_paths);
    ck_assert_uint_eq(allocs.count, 1);
    ck_assert_uint_eq(allocs.sites[0].blocks, 5);
    ck_assert_uint_eq(allocs.sites[0].bytes, 500);
    ck_assert(allocs.sites[0].by_calls);
    ck_assert_uint_eq(allocs.sites[0].rest_blocks, 2);
    ck_assert_uint_eq(allocs.sites[0].rest_bytes, 200);
    ck_assert_uint_eq(allocs.call_count, 1);
    ck_assert_str_eq(allocs.calls[0].site->allocator, "get");
    ck_assert_uint_eq(allocs.calls[0].blocks, 3);
    ck_assert_uint_eq(allocs.calls[0].bytes, 300);
    allocs_free(&allocs);
    tables_close(modules[0]);
    tables_close(modules[1]);
}

/* Its blocks count where it got them, and are among those of the call.  */
TEST(paths_to_a_profiled_allocator)
{
    struct make_elf file = file_with(PATHS, ""), definer = file_of(ALLOC, "10 00 00 00");
    struct tables *modules[] = {open_elf(&file), open_elf(&definer)};
    struct allocs allocs = collected(modules, CCPROF_KIND_ALLOC, of_paths);
    ck_assert_uint_eq(allocs.count, 0);
    ck_assert_uint_eq(allocs.call_count, 0);
    allocs_free(&allocs);
    tables_close(modules[0]);
    tables_close(modules[1]);
}
