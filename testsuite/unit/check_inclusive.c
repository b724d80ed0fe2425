/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* Inclusive counters, byte by byte, and what they add up to.  */

#define _GNU_SOURCE
#include "mlprof/rows/rows.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/table_bytes.h"

#include <string.h>

/* Two counters of main and one of sq; the calls of main.  */
#define INCLUSIVE                                                                        \
    "01 00 00 00 00 03 00 00 00 "                                                        \
    "00 30 00 00 00 00 00 00 01 00 00 00 "                                               \
    "10 30 00 00 00 00 00 00 02 00 00 00 "                                               \
    "20 30 00 00 00 00 00 00 01 00 00 00"
#define COUNT "01 00 00 00 00 01 00 00 00 00 20 00 00 00 00 00 00 01 00 00 00"

static struct make_elf file_of(const char *inclusive)
{
    return (struct make_elf){.sections = {{".ccprof.str", example_strings},
                                          {".ccprof.unit", example_unit},
                                          {".ccprof.code", example_code},
                                          {".ccprof.count", COUNT},
                                          {".ccprof.inclusive", inclusive}}};
}

static const struct rows_row *row_of(const struct rows *rows, const char *name)
{
    for (size_t i = 0; i < rows->count; i++)
        if (strcmp(rows->rows[i].source.name, name) == 0)
            return &rows->rows[i];
    ck_abort_msg("no row of %s", name);
}

TEST(counters_of_sources)
{
    struct make_elf file = file_of(INCLUSIVE);
    struct tables *tables = open_elf(&file);
    struct profile profile = {.kind = CCPROF_KIND_COUNT};
    struct program program = {.tables = &tables, .count = 1};
    struct rows rows;

    ck_assert_uint_eq(tables_inclusive_count(tables), 3);
    ck_assert_uint_eq(tables_inclusive(tables, 1).offset, 0x3010);
    ck_assert_uint_eq(tables_inclusive(tables, 1).source, 2);
    profile_add_module(&profile, "/a", NULL);
    profile_add_counter(&profile, 0, 0x2000, 7);
    profile_add_counter(&profile, 0, 0x3000, 5);
    profile_add_counter(&profile, 0, 0x3010, 3);
    profile_add_counter(&profile, 0, 0x3020, 2);
    profile_add_counter(&profile, 0, 0x3008, 1000);
    stacks_build(&rows.stacks, &profile, &program, NULL);
    rows_evaluate(&rows, &rows.stacks, &profile, &program, NULL, BRANCH_COMPILED);
    ck_assert(rows.stack);
    ck_assert_uint_eq(rows.total, 7);
    ck_assert_uint_eq(row_of(&rows, "main")->cur, 7);
    ck_assert_uint_eq(row_of(&rows, "main")->stack, 7);
    ck_assert_uint_eq(row_of(&rows, "sq")->cur, 0);
    ck_assert_uint_eq(row_of(&rows, "sq")->stack, 3);
    rows_free(&rows);
    profile_free(&profile);
    tables_close(tables);
}

TEST(without_them_there_is_no_stack)
{
    struct make_elf file = file_of("");
    struct tables *tables = open_elf(&file);
    struct profile profile = {.kind = CCPROF_KIND_COUNT};
    struct program program = {.tables = &tables, .count = 1};
    struct rows rows;

    profile_add_module(&profile, "/a", NULL);
    profile_add_counter(&profile, 0, 0x2000, 7);
    stacks_build(&rows.stacks, &profile, &program, NULL);
    rows_evaluate(&rows, &rows.stacks, &profile, &program, NULL, BRANCH_COMPILED);
    ck_assert(!rows.stack);
    rows_free(&rows);
    profile_free(&profile);
    tables_close(tables);
}

TEST(damage)
{
    struct make_elf file = file_of("01 00 00 00 00 01 00 00 00 "
                                   "00 30 00 00 00 00 00 00 03 00 00 00");
    struct fault fault = {0};
    char *path = make_path();
    make_elf(path, &file);
    ck_assert_ptr_null(tables_open_with(path, "nowhere", &fault));
    ck_assert_str_eq(fault.text + strlen(path) + 2,
                     "section .ccprof.inclusive, offset 0x11: no source has this number");
    fault_clear(&fault);
    free(path);
}
