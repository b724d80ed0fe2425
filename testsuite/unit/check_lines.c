/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* Samples by line, with the tables of table_bytes.h. */

#include "mlprof/rows/lines.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/table_bytes.h"

/* Checks the lines of the WANTED rows, as NAME:LINE SAMPLES/ON THE STACK, and then the
   last line of each row. */
static void assert_lines(const struct program *program, const struct rows *rows,
                         const bool *wanted, const char *expected)
{
    struct lines lines;
    uint32_t ends[3];
    lines_count(&lines, rows, wanted);
    lines_ends(program, rows, wanted, ends);
    FILE *out = print_begin();
    for (size_t i = 0; i < lines.count; i++)
        fprintf(out, "%s:%u %u/%u ", rows->rows[lines.lines[i].row].source.name,
                lines.lines[i].line, (unsigned)lines.lines[i].cur,
                (unsigned)lines.lines[i].stack);
    for (size_t i = 0; i < 3; i++)
        fprintf(out, "%s-%u ", rows->rows[i].source.name, ends[i]);
    print_end(out, expected);
    lines_free(&lines);
}

/* f in line 10 calls f in line 9, which calls f in line 10. Also h, without a file,
   inlined in g in f, where f has another file than its own. g has a sample in line 120
   and a call in line 25. */
TEST(samples_by_line)
{
    struct make_elf file = with_tables(strings, unit, code);
    struct tables *tables = open_elf(&file);
    struct program program = {.tables = &tables, .count = 1};
    struct profile profile = {
        .kind = CCPROF_KIND_TIME, .sampling.samples = 14, .sampling.stack = true};
    struct rows rows;
    profile_add_module(&profile, "p", NULL);
    uint32_t at = profile_add(&profile, PROFILE_NO_NODE, 0, 0x2010, 3);
    at = profile_add(&profile, at, 0, 0x2030, 4);
    profile_add(&profile, at, 0, 0x2010, 5);
    profile_add(&profile, PROFILE_NO_NODE, 0, 0x2014, 2);
    stacks_build(&rows.stacks, &profile, &program, NULL, false);
    rows_evaluate(&rows, &rows.stacks, &profile, &program, NULL, BRANCH_COMPILED);
    ck_assert_uint_eq(rows.count, 3);
    assert_lines(&program, &rows, (const bool[]){true, true, true},
                 "f:0 0/2 f:9 4/9 f:10 8/12 h:0 2/2 g:25 0/2 f-10 h-0 g-120 ");
    assert_lines(&program, &rows, (const bool[]){false, false, true},
                 "g:25 0/2 f-0 h-0 g-120 ");
    rows_free(&rows);
    profile_free(&profile);
    tables_close(tables);
}
