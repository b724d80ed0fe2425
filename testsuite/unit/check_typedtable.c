/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* The types of blocks of doc/tables.md's example, byte by byte, and what a heap of calls
   in them is added up to.  */

#define _GNU_SOURCE
#include "mlprof/groups/grouping.h"
#include "mlprof/rows/heaprows.h"
#include "runner.h"
#include "testsuite/unit/open_elf.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* /dir at 0, ex.c at 5, ex.h at 0xa, get at 0xf, fill at 0x13, struct node at 0x18, int
   at 0x24.  */
#define STRINGS                                                                          \
    "2f 64 69 72 00 65 78 2e 63 00 65 78 2e 68 00 67 65 74 00 66 69 6c 6c 00 "           \
    "73 74 72 75 63 74 20 6e 6f 64 65 00 69 6e 74 00"
#define NO_HASH "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "

/* Files ex.c and ex.h; get of ex.c:5, fill of ex.c:10.  */
#define UNIT                                                                             \
    "40 00 00 00 02 02 00 00 00 00 02 05 00 00 00 " NO_HASH "0a 00 00 00 " NO_HASH       \
    "02 0f 00 00 00 00 01 05 00 13 00 00 00 00 01 0a 00 "

/* get at 0x1000, 16 bytes: from 0 on at 6:12, from 8 on at 7:3.  fill at 0x1010, 16
   bytes, with get inlined at 13:15: from 0 on at 11:15, from 4 on get at 6:12, from 8 on
   at 12:2.  */
#define CODE                                                                             \
    "00 01 00 00 00 00 00 10 00 00 00 00 00 00 "                                         \
    "11 00 01 00 02 00 1a 0c 08 1a 03 "                                                  \
    "11 00 02 01 02 01 03 0f 03 00 1a 0f 04 1b 01 0c 04 1b 7f 02 "

#define HEAD  "01 00 00 00 00 "
#define NODE  "01 18 00 00 00 "
#define TYPES HEAD NODE "03 01 00 01 0c 01 02 01 0f 00 02 02 0f "

static struct make_elf file_of(const char *types)
{
    return (struct make_elf){.sections = {{".ccprof.str", STRINGS},
                                          {".ccprof.unit", UNIT},
                                          {".ccprof.code", CODE},
                                          {".ccprof.types", types}}};
}

static void assert_call(const struct typedtable *table, size_t number,
                        struct typedtable_call want)
{
    const struct typedtable_call *call = &table->calls[number];
    ck_assert_uint_eq(call->source, want.source);
    ck_assert_uint_eq(call->file, want.file);
    ck_assert_uint_eq(call->line, want.line);
    ck_assert_uint_eq(call->column, want.column);
    ck_assert_pstr_eq(call->type, want.type);
}

START_TEST(the_example)
{
    struct make_elf file = file_of(TYPES);
    struct tables *tables = open_elf(&file);
    const struct typedtable *table = tables_types(tables);
    ck_assert_uint_eq(table->count, 3);
    assert_call(table, 0, (struct typedtable_call){NULL, 1, 1, 6, 12, NULL});
    assert_call(table, 1, (struct typedtable_call){NULL, 2, 1, 11, 15, "struct node"});
    assert_call(table, 2, (struct typedtable_call){NULL, 2, 1, 13, 15, "struct node"});
    ck_assert_ptr_eq(table->calls[0].unit, tables_unit_at(tables, 0));
    tables_close(tables);
}
END_TEST

/* Another file, a line that goes back, a second piece.  */
START_TEST(pieces)
{
    struct make_elf file = file_of(HEAD NODE "02 01 03 02 7c c8 01 00 00 80 01 01 " HEAD
                                             "00 01 02 00 00 00 ");
    struct tables *tables = open_elf(&file);
    const struct typedtable *table = tables_types(tables);
    ck_assert_uint_eq(table->count, 3);
    assert_call(table, 0, (struct typedtable_call){NULL, 1, 2, 1, 200, "struct node"});
    assert_call(table, 1, (struct typedtable_call){NULL, 1, 1, 129, 1, NULL});
    assert_call(table, 2, (struct typedtable_call){NULL, 2, 1, 10, 0, NULL});
    tables_close(tables);
}
END_TEST

static void assert_refused_bytes(const char *types, enum fault_kind kind,
                                 const char *expected)
{
    struct make_elf file = file_of(types);
    assert_refused(&file, kind, expected);
}

START_TEST(damage)
{
    assert_refused_bytes("02", FAULT_VERSION,
                         "section .ccprof.types, offset 0x0: tables of version 2; this "
                         "mlprof reads version 1");
    assert_refused_bytes(HEAD NODE "01 01 00 01", FAULT_GARBLED,
                         "section .ccprof.types, offset 0xe: cut off");
    assert_refused_bytes("01 07 00 00 00 00 00", FAULT_GARBLED,
                         "section .ccprof.types, offset 0x1: no unit with positions at "
                         "this offset");
    assert_refused_bytes(HEAD "01 99 00 00 00 00", FAULT_GARBLED,
                         "section .ccprof.types, offset 0x6: a string outside of "
                         ".ccprof.str");
    assert_refused_bytes(HEAD NODE "01 00 00 01 0c", FAULT_GARBLED,
                         "section .ccprof.types, offset 0xb: no such source");
    assert_refused_bytes(HEAD NODE "01 03 00 01 0c", FAULT_GARBLED,
                         "section .ccprof.types, offset 0xb: no such source");
    assert_refused_bytes(HEAD NODE "01 01 04 01 0c", FAULT_GARBLED,
                         "section .ccprof.types, offset 0xc: no such type");
    assert_refused_bytes(HEAD NODE "01 01 03 03 01 0c", FAULT_GARBLED,
                         "section .ccprof.types, offset 0xd: no file has this number");
    assert_refused_bytes(HEAD NODE "01 01 02 7a 0c", FAULT_GARBLED,
                         "section .ccprof.types, offset 0xd: no such line");
    assert_refused_bytes(HEAD NODE "01 01 02 01 80 80 80 80 10", FAULT_GARBLED,
                         "section .ccprof.types, offset 0xe: no such column");
    assert_refused_bytes(HEAD "00 ff ff ff ff ff ff ff ff ff 01", FAULT_GARBLED,
                         "section .ccprof.types, offset 0x10: cut off");
}
END_TEST

/* A block that was allocated at an address of a module, called from the node before.  */
struct block {
    uint32_t parent, module;
    uint64_t address, bytes;
};

enum { NONE = PROFILE_NO_NODE, OWN = 0, LIBRARY = 1 };

/* The bytes of blocks of a type.  */
static uint64_t bytes_of(const struct heaprows_group *group, const char *type)
{
    for (size_t i = 0; i < group->rows.count; i++)
        if (strcmp(group->rows.rows[i].shown, type) == 0) {
            const struct heaprows_amounts *amounts = &group->amounts[i];
            ck_assert_uint_eq(amounts->own[HEAPDATA_TOTAL].bytes,
                              amounts->stack[HEAPDATA_TOTAL].bytes);
            return amounts->own[HEAPDATA_TOTAL].bytes;
        }
    return 0;
}

static void add_up(struct heaprows_group *group, const char *types,
                   const struct block *blocks, size_t count)
{
    struct make_elf file = file_of(types);
    struct tables *tables = open_elf(&file), *modules[] = {tables, NULL};
    struct program program = {.tables = modules, .count = 2};
    struct profile profile = {.heap = {.measured = true, .shown = true}};
    const struct names_style style = {.form = NAMES_READABLE};
    static const struct flowcounts none;
    struct heaprows heap;
    struct fault fault = {0};
    for (size_t i = 0; i < count; i++) {
        uint32_t node = heapdata_put(&profile.heap, blocks[i].parent, blocks[i].module,
                                     blocks[i].address);
        ck_assert_uint_eq(node, i);
        profile.heap.nodes[node].of[HEAPDATA_TOTAL] =
            (struct heapdata_amount){blocks[i].bytes > 0, blocks[i].bytes};
    }
    heaprows_fill(&heap, &profile, &program, NULL, NULL, &style);
    const struct grouping grouping = {.key = ROWS_TYPES,
                                      .profile = &heap.points,
                                      .program = &program,
                                      .rows = &heap.rows,
                                      .flows = &none,
                                      .names = &style};
    *group = (struct heaprows_group){0};
    ck_assert(grouping_evaluate(&group->rows, &grouping, &fault));
    heaprows_group(group, &heap);
    heaprows_free(&heap);
    heapdata_free(&profile.heap);
    tables_close(tables);
}

/* Frames: a library's, get's that returns, fill's at three positions.  */
static const struct block blocks[] = {
    {NONE, OWN, 0x1010, 0},      /* 0: fill at 11:15 */
    {NONE, OWN, 0x1018, 0},      /* 1: fill at 12:2 */
    {0, OWN, 0x1000, 1},         /* 2: get at 6:12, by fill at 11:15 */
    {2, LIBRARY, 0x5000, 2},     /* 3: the same by way of a library */
    {NONE, OWN, 0x1014, 4},      /* 4: get at 6:12, inlined at 13:15 */
    {1, OWN, 0x1003, 8},         /* 5: get at 6:12, by fill at 12:2 */
    {0, OWN, 0x1008, 16},        /* 6: get at 7:3 */
    {NONE, LIBRARY, 0x5000, 32}, /* 7: a library's own */
    {NONE, OWN, 0x1001, 64},     /* 8: get at 6:12, which nobody has called */
    {0, LIBRARY, 0x6000, 0},     /* 9: a library, by fill at 11:15 */
    {9, OWN, 0x1002, 128},       /* 10: get at 6:12, by the library */
    {0, LIBRARY, 0x7000, 256},   /* 11: an allocator in a library */
    {NONE, PROFILE_NO_MODULE, 1, 512},
};

START_TEST(frames)
{
    struct heaprows_group group;
    add_up(&group, TYPES, blocks, sizeof blocks / sizeof *blocks);
    ck_assert_uint_eq(group.rows.count, 3);
    ck_assert_uint_eq(bytes_of(&group, "struct node"), 1 + 2 + 4 + 128 + 256);
    ck_assert_uint_eq(bytes_of(&group, GROUPING_UNKNOWN_TYPE), 8 + 16 + 64);
    ck_assert_uint_eq(bytes_of(&group, STACKS_UNPROFILED), 32 + 512);
    heaprows_group_free(&group);
}
END_TEST

/* A position of which two units say different types has none.  */
START_TEST(different_types)
{
    struct heaprows_group group;
    add_up(&group, TYPES HEAD "01 24 00 00 00 01 02 02 01 0f ", blocks,
           sizeof blocks / sizeof *blocks);
    ck_assert_uint_eq(bytes_of(&group, "struct node"), 4);
    ck_assert_uint_eq(bytes_of(&group, "int"), 0);
    heaprows_group_free(&group);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("typedtable");
    TCase *tests = tcase_create("typedtable");
    tcase_add_test(tests, the_example);
    tcase_add_test(tests, pieces);
    tcase_add_test(tests, damage);
    tcase_add_test(tests, frames);
    tcase_add_test(tests, different_types);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
