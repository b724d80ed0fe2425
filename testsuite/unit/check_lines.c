/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* Samples by line, with the tables of table_bytes.h.  */

#include "mlprof/rows/lines.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/table_bytes.h"

#include <string.h>

static struct tables *make_tables(void)
{
    struct make_elf file = {.sections = {{".ccprof.str", strings},
                                         {".ccprof.unit", unit},
                                         {".ccprof.code", code}}};
    return open_elf(&file);
}

static uint32_t row_called(const struct rows *rows, const char *name)
{
    for (uint32_t i = 0; i < rows->count; i++)
        if (strcmp(rows->rows[i].source.name, name) == 0)
            return i;
    ck_abort_msg("no such row: %s", name);
}

static void assert_line(const struct lines *lines, uint32_t row, uint32_t line,
                        uint64_t cur, uint64_t stack)
{
    for (size_t i = 0; i < lines->count; i++)
        if (lines->lines[i].row == row && lines->lines[i].line == line) {
            ck_assert_uint_eq(lines->lines[i].cur, cur);
            ck_assert_uint_eq(lines->lines[i].stack, stack);
            return;
        }
    ck_abort_msg("no such line: %u", (unsigned)line);
}

/* f in line 10 calls f in line 9, which calls f in line 10; and h, of no file, in g in f,
   where f is in another file than its own.  */
TEST(samples_by_line)
{
    struct tables *tables = make_tables();
    struct program program = {.tables = &tables, .count = 1};
    struct profile profile = {.kind = CCPROF_KIND_TIME, .samples = 14, .stack = true};
    struct rows rows;
    struct lines lines;
    profile_add_module(&profile, "p", NULL);
    uint32_t at = profile_add(&profile, PROFILE_NO_NODE, 0, 0x2010, 3);
    at = profile_add(&profile, at, 0, 0x2030, 4);
    profile_add(&profile, at, 0, 0x2010, 5);
    profile_add(&profile, PROFILE_NO_NODE, 0, 0x2014, 2);
    stacks_build(&rows.stacks, &profile, &program, NULL);
    rows_evaluate(&rows, &rows.stacks, &profile, &program, NULL, BRANCH_COMPILED);
    ck_assert_uint_eq(rows.count, 3);
    uint32_t f = row_called(&rows, "f"), g = row_called(&rows, "g"),
             h = row_called(&rows, "h");

    bool wanted[3] = {true, true, true};
    lines_count(&lines, &rows, wanted);
    ck_assert_uint_eq(lines.count, 5);
    assert_line(&lines, f, 0, 0, 2);
    assert_line(&lines, f, 9, 4, 9);
    assert_line(&lines, f, 10, 8, 12);
    assert_line(&lines, g, 25, 0, 2);
    assert_line(&lines, h, 0, 2, 2);
    for (size_t i = 1; i < lines.count; i++)
        ck_assert(lines.lines[i - 1].row < lines.lines[i].row ||
                  lines.lines[i - 1].line < lines.lines[i].line);
    lines_free(&lines);

    /* g has a point in line 120 and a call in line 25.  */
    uint32_t ends[3];
    lines_ends(&program, &rows, wanted, ends);
    ck_assert_uint_eq(ends[f], 10);
    ck_assert_uint_eq(ends[g], 120);
    ck_assert_uint_eq(ends[h], 0);

    wanted[f] = wanted[h] = false;
    lines_ends(&program, &rows, wanted, ends);
    ck_assert_uint_eq(ends[f], 0);
    ck_assert_uint_eq(ends[g], 120);
    lines_count(&lines, &rows, wanted);
    ck_assert_uint_eq(lines.count, 1);
    lines_free(&lines);
    rows_free(&rows);
    profile_free(&profile);
    tables_close(tables);
}
