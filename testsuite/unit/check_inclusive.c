/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* Inclusive counters, byte by byte, and what they add up to.  */

#define _GNU_SOURCE
#include "mlprof/rows/rows.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/table_bytes.h"

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

/* What counters (a sum's at 0x3000, 0x3010 and 0x3020, a plain one's at 0x2000) make of
   main and sq: their own count, and with what they call.  */
static const struct {
    const char *inclusive;
    bool stack;
    const char *rows;
} counted[] = {{INCLUSIVE, true, "main 7 7\nsq 0 3\n"}, {"", false, "main 7\n"}};

TEST_ROWS(counters_of_sources, counted)
{
    static const uint64_t counts[][2] = {
        {0x2000, 7}, {0x3000, 5}, {0x3010, 3}, {0x3020, 2}, {0x3008, 1000}};
    struct make_elf file = file_of(counted[_i].inclusive);
    struct tables *tables = open_elf(&file);
    struct profile profile = {.kind = CCPROF_KIND_COUNT};
    struct program program = {.tables = &tables, .count = 1};
    struct rows rows;

    if (counted[_i].stack) {
        ck_assert_uint_eq(tables_inclusive_count(tables), 3);
        ck_assert_uint_eq(tables_inclusive(tables, 1).offset, 0x3010);
        ck_assert_uint_eq(tables_inclusive(tables, 1).source, 2);
    }
    profile_add_module(&profile, "/a", NULL);
    for (size_t i = 0; i < LENGTH(counts); i++)
        profile_add_counter(&profile, 0, counts[i][0], counts[i][1]);
    stacks_build(&rows.stacks, &profile, &program, NULL);
    rows_evaluate(&rows, &rows.stacks, &profile, &program, NULL, BRANCH_COMPILED);
    ck_assert(rows.stack == counted[_i].stack);
    ck_assert_uint_eq(rows.total, 7);
    FILE *out = print_begin();
    for (size_t i = 0; i < rows.count; i++)
        fprintf(out, rows.stack ? "%s %u %u\n" : "%s %u\n", rows.rows[i].source.name,
                (unsigned)rows.rows[i].cur, (unsigned)rows.rows[i].stack);
    print_end(out, counted[_i].rows);
    rows_free(&rows);
    profile_free(&profile);
    tables_close(tables);
}
