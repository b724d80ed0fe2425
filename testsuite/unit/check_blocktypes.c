/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* The types of blocks when a call has no description or when units describe a call
   differently; sites and paths of the heap. (Programs: heap/heap-types.test.) */

#define _GNU_SOURCE
#include "mlprof/groups/grouping.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/rows/rows.h"
#include "mlprof/stacks/wrappers.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/open_elf.h"

/* /dir at 0, ex.c at 5, ex.h at 0xa, get at 0xf, fill at 0x13, struct node at 0x18, int
   at 0x24. */
#define STRINGS                                                                          \
    "2f 64 69 72 00 65 78 2e 63 00 65 78 2e 68 00 67 65 74 00 66 69 6c 6c 00 "           \
    "73 74 72 75 63 74 20 6e 6f 64 65 00 69 6e 74 00"
#define NO_HASH "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "

/* Files ex.c and ex.h; get of ex.c:5, fill of ex.c:10. */
#define UNIT                                                                             \
    "40 00 00 00 02 02 00 00 00 00 02 05 00 00 00 " NO_HASH "0a 00 00 00 " NO_HASH       \
    "02 0f 00 00 00 00 01 05 00 13 00 00 00 00 01 0a 00 "

/* get: 16 bytes at 0x1000, position 6:12 from offset 0 and 7:3 from offset 8. fill: 16
   bytes at 0x1010, position 11:15 from offset 0, 12:2 from offset 8, and at offset 4 get
   inlined at 13:15 with position 6:12. */
#define CODE                                                                             \
    "00 01 00 00 00 00 00 10 00 00 00 00 00 00 "                                         \
    "11 00 01 00 02 00 1a 0c 08 1a 03 "                                                  \
    "11 00 02 01 02 01 03 0f 03 00 1a 0f 04 1b 01 0c 04 1b 7f 02 "

#define HEAD  "01 00 00 00 00 "
#define NODE  "01 18 00 00 00 "
#define TYPES HEAD NODE "03 01 00 01 0c 01 02 01 0f 00 02 02 0f "

/* Adds a block allocated at an address of a module, called from the previous node. */
struct block {
    uint32_t parent, module;
    uint64_t address, bytes;
};

enum { NONE = PROFILE_NO_NODE, OWN = 0, LIBRARY = 1, KEPT = 3 };

/* Frames: a call in get that returns the block, and calls in fill at two positions. */
static const struct block blocks[] = {
    {NONE, OWN, 0x1010, 0},      /* 0: fill at 11:15 */
    {0, OWN, 0x1000, 1},         /* 1: get at 6:12, by fill at 11:15 */
    {NONE, OWN, 0x1014, 4},      /* 2: get at 6:12, inlined at 13:15 */
    {0, OWN, 0x1008, 16},        /* 3: get at 7:3 */
    {0, LIBRARY, 0x6000, 0},     /* 4: a library, by fill at 11:15 */
    {4, OWN, 0x1002, 128},       /* 5: get at 6:12, by the library */
    {NONE, LIBRARY, 0x5000, 32}, /* 6: the library itself */
};

/* Returns the allocated bytes of a row: its own, or with its callees, as PART says. */
static uint64_t allocated(const struct rows_row *row, enum measured_part part)
{
    return rows_value(row, measure_of_heap(HEAPDATA_TOTAL), part).amount;
}

/* Returns the bytes of blocks of a type. */
static uint64_t bytes_of(const struct rows *group, const char *type)
{
    for (size_t i = 0; i < group->count; i++)
        if (strcmp(group->rows[i].source.name, type) == 0) {
            ck_assert_uint_eq(allocated(&group->rows[i], MEASURED_SELF),
                              allocated(&group->rows[i], MEASURED_TOTAL));
            return allocated(&group->rows[i], MEASURED_SELF);
        }
    return 0;
}

/* Prints the rows of functions, if OUT is not NULL. */
static void print_rows(FILE *out, const struct rows *rows)
{
    for (size_t i = 0; out && i < rows->count; i++)
        fprintf(out, "%s %llu %llu\n", rows->rows[i].source.name,
                (unsigned long long)allocated(&rows->rows[i], MEASURED_SELF),
                (unsigned long long)allocated(&rows->rows[i], MEASURED_TOTAL));
}

/* Evaluates the blocks into GROUP, whose rows are made by KEY. get has also KEPT bytes at
   7:3. Allocation wrappers are removed except those that match SHOWN; if SHOWN is NULL,
   none is removed. */
static void add_up(struct rows *group, enum rows_key key,
                   const struct patterns *libraries, const char *types, uint64_t kept,
                   const struct patterns *shown, FILE *out)
{
    struct make_elf file = {.sections = {{".ccprof.str", STRINGS},
                                         {".ccprof.unit", UNIT},
                                         {".ccprof.code", CODE},
                                         {".ccprof.types", types}}};
    struct tables *tables = open_elf(&file), *modules[] = {tables, NULL};
    struct program program = {.tables = modules, .count = 2};
    struct profile profile = {.heap = {.measured = true}}, points;
    const struct names_style style = {.form = NAMES_READABLE};
    static const struct flowcounts none;
    static const struct stacks_filter all;
    struct wrappers found;
    struct stacks stacks;
    struct rows rows;
    struct fault fault = {0};
    for (size_t i = 0; i < LENGTH(blocks); i++) {
        uint32_t node = heapdata_put(&profile.heap, blocks[i].parent, blocks[i].module,
                                     blocks[i].address);
        ck_assert_uint_eq(node, i);
        uint64_t bytes = i == KEPT ? kept : blocks[i].bytes;
        profile.heap.sums[HEAPDATA_TOTAL].bytes += bytes;
        profile.heap.nodes.list[node].amounts[HEAPDATA_TOTAL] =
            (struct heapdata_amount){bytes > 0, bytes};
    }
    heappoints_make(&points, &profile, HEAPDATA_TOTAL, false);
    stacks_build(&stacks, &points, &program, NULL, false);
    wrappers_find(&found, &stacks, &program, &(struct wrappers_options){.shown = shown},
                  &style);
    if (found.names)
        ck_assert(stacks_filter_apply(&stacks, &all, &found.moves, 0, &style, &fault));
    wrappers_free(&found);
    rows_evaluate(&rows, &stacks, &points, &program, NULL, BRANCH_COMPILED);
    rows_find_amounts(&rows, &rows.stacks, &points);
    print_rows(out, &rows);
    const struct grouping grouping = {.key = key,
                                      .profile = &points,
                                      .program = &program,
                                      .rows = &rows,
                                      .flows = &none,
                                      .names = &style,
                                      .libraries = libraries};
    ck_assert(grouping_evaluate(group, &grouping, &fault));
    rows_find_amounts(group, &rows.stacks, &points);
    rows_free(&rows);
    heappoints_free(&points);
    heapdata_free(&profile.heap);
    tables_close(tables);
}

/* Bytes by type. If two units give a position different types, the position has no
   type. */
static const struct {
    const char *types;
    uint64_t node, unknown, unprofiled;
} heaps[] = {
    {TYPES, 1 + 4 + 128, 16, 32},
    {TYPES HEAD "01 24 00 00 00 01 02 02 01 0f ", 4, 1 + 128 + 16, 32},
};

TEST_ROWS(types, heaps)
{
    struct rows group;
    add_up(&group, ROWS_TYPES, NULL, heaps[_i].types, blocks[KEPT].bytes, NULL, NULL);
    ck_assert_uint_eq(group.count, 3);
    ck_assert_uint_eq(bytes_of(&group, "struct node"), heaps[_i].node);
    ck_assert_uint_eq(bytes_of(&group, GROUPING_UNKNOWN_TYPE), heaps[_i].unknown);
    ck_assert_uint_eq(bytes_of(&group, STACKS_UNPROFILED), heaps[_i].unprofiled);
    rows_free(&group);
}

/* TYPES in version 2, with the type also known in get. */
#define TYPED "02 00 00 00 00 " NODE "03 01 06 01 0c 01 04 01 0f 00 04 02 0f "

/* Functions with their allocations: their own, and including callees. */
static const struct {
    const char *types;
    uint64_t kept;     /* bytes of get in a call that the tables do not describe */
    const char *shown; /* NULL: all wrappers are shown */
    const char *rows;
} wrappers[] = {
    {TYPES, 0, NULL, "get 133 133\n<unprofiled> 32 32\nfill 0 133\n"},
    {TYPES, 0, "^x", "fill 133 133\n<unprofiled> 32 32\n"},
    {TYPED, 0, "^x", "fill 133 133\n<unprofiled> 32 32\n"},
    {TYPES, 0, "^get$", "get 133 133\n<unprofiled> 32 32\nfill 0 133\n"},
    {TYPES, 16, "^x", "get 149 149\n<unprofiled> 32 32\nfill 0 149\n"},
    /* Other types or none, and no call that returns its block. */
    {TYPES HEAD "01 24 00 00 00 01 01 02 01 0c ", 0, "^x",
     "get 133 133\n<unprofiled> 32 32\nfill 0 133\n"},
};

TEST_ROWS(wrappers_of_allocators, wrappers)
{
    struct rows group;
    struct patterns shown = {0};
    if (wrappers[_i].shown)
        ck_assert_ptr_null(patterns_add(&shown, wrappers[_i].shown));
    FILE *out = print_begin();
    add_up(&group, ROWS_TYPES, NULL, wrappers[_i].types, wrappers[_i].kept,
           wrappers[_i].shown ? &shown : NULL, out);
    print_end(out, wrappers[_i].rows);
    rows_free(&group);
    patterns_free(&shown);
}

/* Rows of sites and of paths: name, line, called function, type and bytes. If all files
   belong to libraries, a path is the outermost function. */
static const struct {
    enum rows_key key;
    const char *libraries, *rows;
} places[] = {
    {ROWS_SITES, "ex", "get 6 ? struct node 133\n<unprofiled> 0 ? ? 32\nget 7 ? ? 16\n"},
    {ROWS_PATHS, "no", "get 6 ? struct node 133\n<unprofiled> 0 ? ? 32\nget 7 ? ? 16\n"},
    {ROWS_PATHS, "ex",
     "fill 11 get struct node 129\n<unprofiled> 0 ? ? 32\nfill 11 get ? 16\n"
     "fill 13 get struct node 4\n"},
};

static const char *known(const char *text)
{
    return text ? text : "?";
}

TEST_ROWS(sites_and_paths, places)
{
    struct rows group;
    struct patterns libraries = {0};
    ck_assert_ptr_null(patterns_add(&libraries, places[_i].libraries));
    add_up(&group, places[_i].key, &libraries, TYPES, blocks[KEPT].bytes, NULL, NULL);
    FILE *out = print_begin();
    for (size_t i = 0; i < group.count; i++) {
        const struct rows_row *row = &group.rows[i];
        fprintf(out, "%s %u %s %s %llu\n", row->shown, (unsigned)row->source.line,
                known(row->called), known(row->type),
                (unsigned long long)allocated(row, MEASURED_SELF));
        ck_assert_uint_eq(allocated(row, MEASURED_SELF), rows_total(row));
    }
    print_end(out, places[_i].rows);
    rows_free(&group);
    patterns_free(&libraries);
}
