/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* Tables written byte by byte; what they mean was worked out by hand from
   doc/tables.md.  */

#define _GNU_SOURCE
#include "mlprof/tables/tables.h"
#include "mlprof/view/where.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/table_bytes.h"
#include "runner.h"

#include <check.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct make_elf file_of(const char *names, const char *units, const char *streams)
{
    return (struct make_elf){.sections = {{".ccprof.str", names},
                                          {".ccprof.unit", units},
                                          {".ccprof.code", streams}}};
}

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

/* The tables of FILE are refused with a message that ends in EXPECTED.  */
static void assert_refused(const struct make_elf *file, enum fault_kind kind,
                           const char *expected)
{
    struct fault fault = {0};
    char *path = make_path();
    make_elf(path, file);
    ck_assert_ptr_null(tables_open_with(path, "nowhere", &fault));
    ck_assert_ptr_nonnull(fault.text);
    ck_assert_int_eq(fault.kind, kind);
    ck_assert_int_eq(strncmp(fault.text, path, strlen(path)), 0);
    ck_assert_str_eq(fault.text + strlen(path) + 2, expected);
    fault_clear(&fault);
    free(path);
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
    struct make_elf file = file_of(example_strings, example_unit, example_code);
    assert_example(&file);
    file.class = ELFCLASS32;
    assert_example(&file);
    file.compress = true;
    assert_example(&file);
}
END_TEST

START_TEST(the_example_in_the_other_byte_order)
{
    struct make_elf file = file_of(example_strings, example_unit_big, example_code_big);
    file.order = ELFDATA2MSB;
    assert_example(&file);
    file.class = ELFCLASS32;
    assert_example(&file);
}
END_TEST

/* Adds TEXT without its blanks.  */
static void add_digits(char *to, const char *text, size_t length)
{
    to += strlen(to);
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ')
            *to++ = text[i];
    *to = '\0';
}

/* Adds the bytes that stand in LINE behind an indentation, up to a wide gap.  */
static void add_bytes(char *to, const char *line)
{
    const char *bytes = line + 12 + strspn(line + 12, " ");
    const char *gap = strstr(bytes, "   ");
    add_digits(to, bytes, gap ? (size_t)(gap - bytes) : strcspn(bytes, "\n"));
}

START_TEST(the_page_has_the_same_bytes)
{
    const char *source = getenv("SRC");
    char *path = NULL, *line = NULL, page[512] = "", here[512] = "";
    size_t capacity = 0;
    bool example = false;
    if (!source)
        return;
    ck_assert_int_gt(asprintf(&path, "%s/doc/tables.md", source), 0);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    while (getline(&line, &capacity, file) > 0) {
        if (strncmp(line, "## ", 3) == 0)
            example = strcmp(line, "## Example\n") == 0;
        else if (example && strncmp(line, "    ", 4) == 0)
            add_bytes(page, line);
    }
    add_digits(here, example_unit, strlen(example_unit));
    add_digits(here, example_code, strlen(example_code));
    ck_assert_str_eq(page, here);
    fclose(file);
    free(line);
    free(path);
}
END_TEST

START_TEST(every_shape)
{
    struct make_elf file = file_of(strings, unit, code);
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
    struct make_elf file = file_of(strings, unit, code);
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
    struct make_elf file = file_of(strings, line_unit,
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
        file_of(strings, plain_unit, HEAD "05 00 01 01 02 02 02 01 01 02 7f");
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
        file_of(strings, unit,
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
    struct make_elf file = file_of(strings, unit, code);
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

START_TEST(other_versions)
{
    struct make_elf file =
        file_of(strings, "52 00 00 00 01 02 " UNIT_NAMES, HEAD "05 00 01 00 00");
    assert_refused(&file, FAULT_VERSION,
                   "section .ccprof.unit, offset 0x0: tables of version 1; this mlprof "
                   "reads version 2");
    /* Of what follows the version nothing is known.  */
    file = file_of(strings, "04 00 00 00 03 ff ff ff", "");
    assert_refused(&file, FAULT_VERSION,
                   "section .ccprof.unit, offset 0x0: tables of version 3; this mlprof "
                   "reads version 2");
    file = file_of(strings, unit, HEAD "05 00 01 00 00 00 07 ff");
    assert_refused(&file, FAULT_VERSION,
                   "section .ccprof.code, offset 0x13: tables of version 7; this mlprof "
                   "reads version 1");
}
END_TEST

/* Each kind of damage in a stream, with what is said of it.  */
static const struct {
    const char *bytes, *what;
} damages[] = {
    {"05 00 01 00 00", "offset 0x0: a function before the first head"},
    {"00 01 00 00", "offset 0x2: cut off"},
    {"00 01 01 00 00 00 00 20 00 00 00 00 00 00", "offset 0x2: no unit at this offset"},
    {HEAD "05 00", "offset 0x10: cut off"},
    {HEAD "05 00 04 00 00", "offset 0x10: no source has this number"},
    {HEAD "05 00 01 ff ff ff ff 0f", "offset 0x11: too many copies"},
    {HEAD "05 00 01 fe ff ff ff 0f", "offset 0x16: cut off"},
    {HEAD "05 00 01 01 04 02 02 01 00", "offset 0x12: a copy inside none before it"},
    {HEAD "05 00 01 01 00 02 02 01 00", "offset 0x12: a copy inside none before it"},
    {HEAD "05 00 01 01 03 02 03 02 01", "offset 0x14: no file has this number"},
    {HEAD "05 00 01 01 02 02 75 02 01", "offset 0x14: line out of range"},
    {HEAD "05 00 01 00 ff ff ff ff ff ff ff ff ff 01", "offset 0x12: too many entries"},
    {HEAD "05 00 01 00 fe ff ff ff 0f", "offset 0x17: cut off"},
    {HEAD "05 00 01 00 01 05 12 01", "offset 0x13: an entry behind the function's end"},
    {HEAD "05 00 01 00 01 00 40", "offset 0x14: no such earlier point"},
    {HEAD "05 00 01 00 02 00 12 01 01 41", "offset 0x17: no such earlier point"},
    {HEAD "05 00 01 00 01 00 13 01 01", "offset 0x15: no such copy"},
    {HEAD "05 00 01 00 01 00 13 7f 01", "offset 0x15: no such copy"},
    {HEAD "05 00 01 00 01 00 10", "offset 0x14: a line without a position"},
    {HEAD "05 00 01 00 01 00 14 01 20", "offset 0x16: column out of range"},
    {HEAD "05 00 01 00 01 00 3a 75 01", "offset 0x15: line out of range"},
    {HEAD "05 00 01 00 01 00 16 03", "offset 0x15: no file has this number"},
    {"00 01 00 00 00 00 ff ff ff ff ff ff ff ff 05 00 01 00 00",
     "offset 0xf: an address of more than 64 bits"},
};

START_TEST(damaged_streams)
{
    char expected[256];
    struct make_elf file = file_of(strings, unit, damages[_i].bytes);
    snprintf(expected, sizeof expected, "section .ccprof.code, %s", damages[_i].what);
    assert_refused(&file, FAULT_GARBLED, expected);
}
END_TEST

static const struct {
    const char *bytes, *what;
} unit_damages[] = {
    {"22 00", "offset 0x0: cut off"},
    {"53 00 00 00 02 02 " UNIT_NAMES, "offset 0x0: longer than the section"},
    {"51 00 00 00 02 02 " UNIT_NAMES, "offset 0x55: cut off"},
    {"53 00 00 00 02 02 " UNIT_NAMES "00",
     "offset 0x56: more bytes than the unit has use for"},
    {"52 00 00 00 02 03 " UNIT_NAMES, "offset 0x5: an unknown kind of position"},
    {"07 00 00 00 02 02 14 00 00 00 00", "offset 0x6: a string outside of .ccprof.str"},
    {"0c 00 00 00 02 02 00 00 00 00 ff ff ff ff 0f 00", "offset 0xf: cut off"},
    {"10 00 00 00 02 02 00 00 00 00 01 00 00 00 00 01 02 03 04 05",
     "offset 0xf: cut off"},
    {"10 00 00 00 02 02 00 00 00 00 00 01 00 00 00 00 00 01 00 00",
     "offset 0x11: no file has this number"},
    {"11 00 00 00 02 02 00 00 00 00 00 01 00 00 00 00 01 14 00 00 00",
     "offset 0x11: a string outside of .ccprof.str"},
    {"14 00 00 00 02 02 00 00 00 00 00 01 00 00 00 00 00 00 00 80 80 80 80 10",
     "offset 0x13: column too large"},
};

START_TEST(damaged_units)
{
    char expected[256];
    struct make_elf file = file_of(strings, unit_damages[_i].bytes, "");
    snprintf(expected, sizeof expected, "section .ccprof.unit, %s",
             unit_damages[_i].what);
    assert_refused(&file, FAULT_GARBLED, expected);
}
END_TEST

START_TEST(damaged_sections)
{
    struct make_elf file = file_of("61 00 62", unit, code);
    assert_refused(&file, FAULT_GARBLED,
                   "section .ccprof.str, offset 0x2: the last string has no end");
    struct make_elf twice = {.sections = {{".ccprof.str", strings},
                                          {".ccprof.str", strings},
                                          {".ccprof.unit", unit}}};
    assert_refused(&twice, FAULT_GARBLED,
                   "it has two sections .ccprof.str, and none says which one is meant");
    struct make_elf none = {.sections = {{".text", "00"}}};
    assert_refused(&none, FAULT_UNPROFILED,
                   "not profiled: it has no tables of ccprof; compile with gcc "
                   "-fplugin=ccprof");
}
END_TEST

static struct make_elf counted(const char *counters)
{
    return (struct make_elf){.sections = {{".ccprof.str", strings},
                                          {".ccprof.unit", unit},
                                          {".ccprof.count", counters}}};
}

START_TEST(counters)
{
    struct make_elf file = counted("01 00 00 00 00 02 00 00 00 "
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

static const struct {
    const char *bytes, *what;
} counter_damages[] = {
    {"01 01 00 00 00 00 00 00 00", "offset 0x1: no unit at this offset"},
    {"01 00 00 00", "offset 0x1: cut off"},
    {"01 00 00 00 00 01 00 00 00 10 40", "offset 0x9: cut off"},
    {"01 00 00 00 00 ff ff ff ff 10 40 00 00 00 00 00 00 01 00 00 00",
     "offset 0x15: cut off"},
    {"01 00 00 00 00 01 00 00 00 10 40 00 00 00 00 00 00 00 00 00 00",
     "offset 0x11: no source has this number"},
    {"01 00 00 00 00 01 00 00 00 10 40 00 00 00 00 00 00 04 00 00 00",
     "offset 0x11: no source has this number"},
};

START_TEST(damaged_counters)
{
    char expected[256];
    struct make_elf file = counted(counter_damages[_i].bytes);
    snprintf(expected, sizeof expected, "section .ccprof.count, %s",
             counter_damages[_i].what);
    assert_refused(&file, FAULT_GARBLED, expected);
    file = counted("01 00 00 00 00 00 00 00 00 02");
    assert_refused(&file, FAULT_VERSION,
                   "section .ccprof.count, offset 0x9: tables of version 2; this mlprof "
                   "reads version 1");
}
END_TEST

START_TEST(positions_where_there_are_none)
{
    struct make_elf file = file_of(strings, plain_unit, HEAD "05 00 01 01 03 02 00");
    assert_refused(&file, FAULT_GARBLED,
                   "section .ccprof.code, offset 0x13: a position in a unit without "
                   "positions");
    file = file_of(strings, line_unit, HEAD "05 00 01 00 01 00 14");
    assert_refused(
        &file, FAULT_GARBLED,
        "section .ccprof.code, offset 0x14: a position of a kind that the unit "
        "has not");
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
    struct make_elf file = file_of(strings, plain_unit, text);
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
    tcase_add_test(tests, other_versions);
    tcase_add_loop_test(tests, damaged_streams, 0, sizeof damages / sizeof *damages);
    tcase_add_loop_test(tests, damaged_units, 0,
                        sizeof unit_damages / sizeof *unit_damages);
    tcase_add_test(tests, damaged_sections);
    tcase_add_test(tests, counters);
    tcase_add_loop_test(tests, damaged_counters, 0,
                        sizeof counter_damages / sizeof *counter_damages);
    tcase_add_test(tests, positions_where_there_are_none);
    tcase_add_test(tests, a_deep_chain_of_excluded_copies);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
