/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* Tables written byte by byte; what they mean was worked out by hand from
   doc/tables.md.  */

#define _GNU_SOURCE
#include "mlprof/tables/tables.h"
#include "mlprof/view/where.h"
#include "runner.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/page_bytes.h"
#include "testsuite/unit/table_bytes.h"

#include <check.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_where(struct tables *tables, uint64_t address, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    where_print(out, tables, address, true);
    fclose(out);
    ck_assert_str_eq(text, expected);
    free(text);
}

static void assert_example(const struct make_elf *file)
{
    struct tables *tables = open_elf(file);
    assert_where(tables, 0xfff, "0xfff: ?\n");
    assert_where(tables, 0x1000, "0x1000: main ex.c:9:5\n");
    assert_where(tables, 0x1003, "0x1003: main ex.c:9:5\n");
    assert_where(tables, 0x1004, "0x1004: sq ex.c:3:10 < main ex.c:9:12\n");
    assert_where(tables, 0x1008, "0x1008: sq ex.c:3:10 < main ex.c:9:12\n");
    assert_where(tables, 0x1009, "0x1009: main ex.c:9:5\n");
    assert_where(tables, 0x100b, "0x100b: main ex.c:9:5\n");
    assert_where(tables, 0x100c, "0x100c: ?\n");

    struct tables_point at;
    ck_assert(tables_find(tables, 0x1000, &at));
    const struct function *function = tables_function(tables, at.function);
    const struct function_position *position = &function->points[at.point].position;
    ck_assert_uint_eq(position->start_line, 9);
    ck_assert_uint_eq(position->start_column, 2);
    ck_assert_uint_eq(position->end_line, 9);
    ck_assert_uint_eq(position->end_column, 7);
    ck_assert(tables_find(tables, 0x1004, &at));
    ck_assert_uint_eq(function->points[at.point].position.start_column, 0);
    ck_assert_str_eq(function_innermost(function, at.point)->name, "sq");
    tables_close(tables);
}

START_TEST(the_example)
{
    struct make_elf file = with_tables(example_strings, example_unit, example_code);
    assert_example(&file);
    file.class = ELFCLASS32;
    assert_example(&file);
    file.compress = true;
    assert_example(&file);
}
END_TEST

START_TEST(the_example_in_the_other_byte_order)
{
    struct make_elf file =
        with_tables(example_strings, example_unit_big, example_code_big);
    file.order = ELFDATA2MSB;
    assert_example(&file);
    file.class = ELFCLASS32;
    assert_example(&file);
}
END_TEST

START_TEST(the_page_has_the_same_bytes)
{
    assert_page("## Example\n", 12, example_unit, example_code);
}
END_TEST

START_TEST(every_shape)
{
    struct make_elf file = with_tables(strings, unit, code);
    struct tables *tables = open_elf(&file);
    assert_where(tables, 0x1007, "0x1007: h ?\n");
    assert_where(tables, 0x1008, "0x1008: ?\n");
    assert_where(tables, 0x200f, "0x200f: ?\n");
    assert_where(tables, 0x2010, "0x2010: f a.c:10:7\n");
    assert_where(tables, 0x2014, "0x2014: h a.c:40:9 < g b.h:25:4 < f b.h:15:3\n");
    assert_where(tables, 0x201c, "0x201c: h a.c:40:9 < g b.h:25:4 < f b.h:15:3\n");
    assert_where(tables, 0x2020, "0x2020: f a.c:10:7\n");
    assert_where(tables, 0x2024, "0x2024: g b.h:25:4 < f b.h:15:3\n");
    assert_where(tables, 0x2028, "0x2028: g b.h:? < f a.c:?\n");
    assert_where(tables, 0x202c, "0x202c: g b.h:18 < f a.c:?\n");
    assert_where(tables, 0x2030, "0x2030: f a.c:9:5\n");
    assert_where(tables, 0x204f, "0x204f: f a.c:9:5\n");
    assert_where(tables, 0x2050, "0x2050: ?\n");
    tables_close(tables);
}
END_TEST

START_TEST(ranges)
{
    struct make_elf file = with_tables(strings, unit, code);
    struct tables *tables = open_elf(&file);
    struct tables_point at;
    ck_assert(tables_find(tables, 0x2014, &at));
    const struct function *function = tables_function(tables, at.function);
    const struct function_position *h = &function->points[at.point].position;
    ck_assert_uint_eq(h->start_line, 38);
    ck_assert_uint_eq(h->start_column, 1);
    ck_assert_uint_eq(h->end_line, 41);
    ck_assert_uint_eq(h->end_column, 10);
    /* No address is left at the point that the entry at the same address replaced.  */
    const struct function_position *g = &function->points[2].position;
    ck_assert_uint_eq(g->line, 120);
    ck_assert_uint_eq(g->start_column, 2);
    ck_assert_uint_eq(g->column, 20);
    ck_assert_uint_eq(g->end_column, 40);
    ck_assert(tables_find(tables, 0x2030, &at));
    ck_assert_uint_eq(function->points[at.point].position.start_column, 0);
    tables_close(tables);
}
END_TEST

START_TEST(lines_alone)
{
    /* 4 bytes of f; g inlined at line 13; +0: f, line 11; +1: g, b.h:21 in full;
       +2: f in b.h:5.  */
    struct make_elf file = with_tables(strings, line_unit,
                                       HEAD "05 00 01 01 02 02 03 03 "
                                            "00 1a 01 1f 01 00 01 3f 7f 02 7a");
    struct tables *tables = open_elf(&file);
    assert_where(tables, 0x2000, "0x2000: f a.c:11\n");
    assert_where(tables, 0x2001, "0x2001: g b.h:21 < f a.c:13\n");
    assert_where(tables, 0x2003, "0x2003: f b.h:5\n");
    tables_close(tables);
}
END_TEST

START_TEST(no_positions)
{
    struct make_elf file =
        with_tables(strings, plain_unit, HEAD "05 00 01 01 02 02 02 01 01 02 7f");
    struct tables *tables = open_elf(&file);
    assert_where(tables, 0x2000, "0x2000: f a.c:?\n");
    assert_where(tables, 0x2001, "0x2001: g b.h:? < f a.c:?\n");
    assert_where(tables, 0x2003, "0x2003: f a.c:?\n");
    tables_close(tables);
}
END_TEST

START_TEST(several_units_and_sections)
{
    char units[1024];
    snprintf(units, sizeof units, "%s %s", plain_unit, unit);
    /* The second unit is at 0x56.  */
    struct make_elf file = {
        .sections = {
            {".ccprof.str", strings},
            {".ccprof.code", HEAD "05 00 01 00 01 00 00"},
            {".ccprof.unit", units},
            {".ccprof.code",
             "00 01 56 00 00 00 00 10 00 00 00 00 00 00 03 00 02 00 01 00 12 01"}}};
    struct tables *tables = open_elf(&file);
    assert_where(tables, 0x2000, "0x2000: f a.c:?\n");
    assert_where(tables, 0x1000, "0x1000: g b.h:20:1\n");
    tables_close(tables);
}
END_TEST

START_TEST(code_that_was_dropped_or_folded)
{
    /* A stream at 0; two at 0x2000; one inside of the first.  */
    struct make_elf file =
        with_tables(strings, unit,
                    "00 01 00 00 00 00 00 00 00 00 00 00 00 00 21 00 01 00 00 " HEAD
                    "09 00 01 00 02 00 12 01 07 1a 02 " HEAD "09 00 02 00 00 "
                    "00 01 00 00 00 00 04 20 00 00 00 00 00 00 03 00 03 00 00");
    struct tables *tables = open_elf(&file);
    assert_where(tables, 0, "0x0: ?\n");
    assert_where(tables, 0x2000, "0x2000: f a.c:10:1\n");
    assert_where(tables, 0x2004, "0x2004: h ?\n");
    assert_where(tables, 0x2006, "0x2006: ?\n");
    tables_close(tables);
}
END_TEST

static void assert_source(const struct unit *names, uint32_t number, const char *symbol,
                          uint32_t column, uint32_t flags)
{
    const struct unit_source *source = unit_source(names, number);
    ck_assert_str_eq(source->symbol, symbol);
    ck_assert_uint_eq(source->column, column);
    ck_assert_uint_eq(source->flags, flags);
}

START_TEST(symbols_and_hashes)
{
    static const unsigned char abc[] = {0x90, 0x01, 0x50, 0x98, 0x3c, 0xd2, 0x4f, 0xb0,
                                        0xd6, 0x96, 0x3f, 0x7d, 0x28, 0xe1, 0x7f, 0x72};
    struct make_elf file = with_tables(strings, unit, code);
    struct tables *tables = open_elf(&file);
    const struct unit *names = tables_unit_at(tables, 0);
    assert_source(names, 1, "f", 0, 0);
    assert_source(names, 2, "_Z1gv", 300, CCPROF_SOURCE_ARTIFICIAL | 0x400);
    assert_source(names, 3, "", 0, CCPROF_SOURCE_SPLIT);
    ck_assert_mem_eq(unit_hash(names, 1), abc, sizeof abc);
    ck_assert_ptr_null(unit_hash(names, 2));
    ck_assert_ptr_null(unit_hash(names, 0));
    tables_close(tables);
}
END_TEST

START_TEST(counters)
{
    struct make_elf file = with_counters("01 00 00 00 00 02 00 00 00 "
                                         "10 40 00 00 00 00 00 00 01 00 00 00 "
                                         "18 40 00 00 00 00 00 80 03 00 00 00 "
                                         "01 00 00 00 00 00 00 00 00 "
                                         "01 00 00 00 00 01 00 00 00 "
                                         "10 40 00 00 00 00 00 00 02 00 00 00");
    static const struct {
        uint64_t address;
        const char *source;
    } expected[] = {{0x4010, "f"}, {0x8000000000004018, "h"}, {0x4010, "g"}};
    struct tables *tables = open_elf(&file);
    ck_assert_uint_eq(tables_counter_count(tables), 3);
    for (uint32_t i = 0; i < 3; i++) {
        struct tables_counter counter = tables_counter(tables, i);
        ck_assert(counter.offset == expected[i].address);
        ck_assert_str_eq(unit_source(counter.unit, counter.source)->name,
                         expected[i].source);
    }
    tables_close(tables);
}
END_TEST

START_TEST(a_deep_chain_of_excluded_copies)
{
    /* 40,000 copies, each inside the one before, none shown; as many entries in the
       last one.  To walk the chain for each would take minutes.  */
    enum { COPIES = 40000 };
    char *text = malloc(COPIES * 20 + 256), *to = text;
    to += sprintf(to, HEAD "81 f1 04 00 01 c0 b8 02");
    for (int i = 0; i < COPIES; i++)
        to += sprintf(to, "02 00 ");
    to += sprintf(to, "c0 b8 02 01 c0 b8 02 ");
    for (int i = 1; i < COPIES; i++)
        to += sprintf(to, "01 00 ");
    struct make_elf file = with_tables(strings, plain_unit, text);
    struct tables *tables = open_elf(&file);
    for (int i = 1; i <= COPIES; i++) {
        struct tables_point at;
        ck_assert(tables_find(tables, 0x2000 + (uint64_t)i, &at));
        const struct function *function = tables_function(tables, at.function);
        ck_assert_str_eq(function_innermost(function, at.point)->name, "f");
    }
    assert_where(tables, 0x2001, "0x2001: f a.c:?\n");
    tables_close(tables);
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tables");
    TCase *tests = tcase_create("tables");
    tcase_add_test(tests, the_example);
    tcase_add_test(tests, the_example_in_the_other_byte_order);
    tcase_add_test(tests, the_page_has_the_same_bytes);
    tcase_add_test(tests, every_shape);
    tcase_add_test(tests, ranges);
    tcase_add_test(tests, lines_alone);
    tcase_add_test(tests, no_positions);
    tcase_add_test(tests, several_units_and_sections);
    tcase_add_test(tests, code_that_was_dropped_or_folded);
    tcase_add_test(tests, symbols_and_hashes);
    tcase_add_test(tests, counters);
    tcase_add_test(tests, a_deep_chain_of_excluded_copies);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
