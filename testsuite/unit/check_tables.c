/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* mlprof's readers of units, streams, counters, types of blocks and allocations: tables
   written byte by byte, with their meaning worked out by hand from doc/tables.md. All
   forms of positions: check_round_trip.c. */

#define _GNU_SOURCE
#include "mlprof/tables/tables.h"
#include "mlprof/view/where.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/page_bytes.h"
#include "testsuite/unit/table_bytes.h"

#include <elf.h>

/* Prints the frames at ADDRESS in the form of mlprof's where, and the range. */
static void print_point(FILE *out, struct tables *tables, uint64_t address)
{
    char line[256] = "";
    FILE *whole = fmemopen(line, sizeof line, "w");
    struct tables_point point;
    where_print(whole, tables, address, true);
    fclose(whole);
    fprintf(out, "%.*s", (int)strcspn(line, "\n"), line);
    if (tables_find(tables, address, &point)) {
        const struct function *function = tables_function(tables, point.function);
        const struct function_position *p = &function->points.list[point.point].position;
        if (p->start_column)
            fprintf(out, " [%u:%u-%u:%u]", p->start_line, p->start_column, p->end_line,
                    p->end_column);
    }
    fprintf(out, "\n");
}

static void assert_addresses(const struct make_elf *file, const char *meaning)
{
    struct tables *tables = open_elf(file);
    FILE *out = print_begin();
    for (const char *line = meaning; *line; line = strchr(line, '\n') + 1)
        print_point(out, tables, strtoull(line, NULL, 16));
    print_end(out, meaning);
    tables_close(tables);
}

/* In both byte orders, in files of 32 and of 64 bits. */
TEST_TIMES(the_example, 2)
{
    struct make_elf file =
        with_tables(example_strings, _i ? example_unit_big : example_unit,
                    _i ? example_code_big : example_code);
    file.order = _i ? ELFDATA2MSB : ELFDATA2LSB;
    file.class = _i ? ELFCLASS32 : ELFCLASS64;
    assert_addresses(&file, "0xfff: ?\n"
                            "0x1000: main ex.c:9:5 [9:2-9:7]\n"
                            "0x1003: main ex.c:9:5 [9:2-9:7]\n"
                            "0x1004: sq ex.c:3:10 < main ex.c:9:12\n"
                            "0x1008: sq ex.c:3:10 < main ex.c:9:12\n"
                            "0x1009: main ex.c:9:5 [9:2-9:7]\n"
                            "0x100b: main ex.c:9:5 [9:2-9:7]\n"
                            "0x100c: ?\n");
}

/* Dropped or folded code: a stream at 0; two streams at 0x2000; one inside of the
   first. */
TEST(dropped_and_folded_code)
{
    struct make_elf file =
        with_tables(strings, unit,
                    "00 01 00 00 00 00 00 00 00 00 00 00 00 00 21 00 01 00 00 " HEAD
                    "09 00 01 00 02 00 12 01 07 1a 02 " HEAD "09 00 02 00 00 "
                    "00 01 00 00 00 00 04 20 00 00 00 00 00 00 03 00 03 00 00");
    assert_addresses(&file, "0x0: ?\n"
                            "0x2000: f a.c:10:1\n"
                            "0x2004: h ?\n"
                            "0x2006: ?\n");
}

/* The second unit is at 0x56. */
TEST(several_units_and_sections)
{
    struct make_elf file = {
        .sections = {
            {".ccprof.str", strings},
            {".ccprof.code", HEAD "05 00 01 00 01 00 00"},
            {".ccprof.unit",
             "52 00 00 00 02 00 " UNIT_NAMES " 52 00 00 00 02 02 " UNIT_NAMES},
            {".ccprof.code",
             "00 01 56 00 00 00 00 10 00 00 00 00 00 00 03 00 02 00 01 00 12 01"}}};
    assert_addresses(&file, "0x2000: f a.c:?\n0x1000: g b.h:20:1\n");
}

TEST(the_page_has_the_same_bytes)
{
    assert_page("## Example\n", 12, example_unit, example_code);
}

TEST(a_deep_chain_of_excluded_copies)
{
    /* 40,000 nested copies, none of them shown, and as many entries in the innermost one.
       Walking the chain for each entry would take minutes. */
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
        struct tables_point point;
        ck_assert(tables_find(tables, 0x2000 + (uint64_t)i, &point));
        const struct function *function = tables_function(tables, point.function);
        ck_assert_str_eq(function_innermost(function, point.point)->name, "f");
    }
    tables_close(tables);
    free(text);
}

static void print_counters(FILE *out, const struct tables *tables)
{
    const struct tables_counters *calls = tables_calls(tables);
    for (size_t i = 0; i < calls->count; i++) {
        struct tables_counter counter = calls->counters[i];
        fprintf(out, "%llx %c%s\n", (unsigned long long)counter.offset,
                counter.negative ? '-' : '+',
                unit_source(counter.unit, counter.source)->name);
    }
}

static void print_types(FILE *out, const struct tables *tables)
{
    const struct typedtable *table = tables_types(tables);
    for (size_t i = 0; i < table->count; i++) {
        const struct typedtable_call *call = &table->calls[i];
        fprintf(out, "%s %s:%u:%u", unit_source(call->unit, call->source)->name,
                unit_file_name(call->unit, call->file), call->line, call->column);
        fprintf(out, "%s%s%s\n", call->type ? " " : "", call->type ? call->type : "",
                call->returned ? " returned" : "");
    }
}

static void print_site(FILE *out, const struct alloctable_site *site, uint64_t of)
{
    fprintf(out, "%llx %s/%s/%s", (unsigned long long)site->address, site->allocator,
            site->symbol, site->type);
    if (of)
        fprintf(out, " of %llx", (unsigned long long)of);
    fputs("\n", out);
}

static void print_allocations(FILE *out, const struct tables *tables)
{
    const struct alloctable *table = tables_allocations(tables);
    for (size_t i = 0; i < table->count; i++)
        print_site(out, &table->sites[i], 0);
    for (size_t i = 0; i < table->paths.count; i++)
        print_site(out, &table->paths.list[i].counters, table->paths.list[i].site);
    for (size_t i = 0; i < table->definitions.count; i++)
        fprintf(out, "defines %s\n", table->definitions.list[i]);
}

#define TYPES "01 00 00 00 00 01 0e 00 00 00 "
#define SITE  "0a 00 00 00 0a 00 00 00 08 00 00 00 "
#define ALLOC "01 01 00 00 00 00 20 00 00 00 00 00 00 " SITE

/* One or two sections in addition to the strings and the unit of table_bytes.h. The
   meaning is all data about counters, types and allocations. */
static const struct {
    struct make_elf_section sections[2];
    const char *meaning;
} rows[] = {
    {{{".ccprof.count",
       "01 00 00 00 00 02 00 00 00 "
       "10 40 00 00 00 00 00 00 01 00 00 00 18 40 00 00 00 00 00 80 03 00 00 00 "
       "01 00 00 00 00 00 00 00 00 "
       "02 00 00 00 00 01 00 00 00 10 40 00 00 00 00 00 00 02 00 00 00"}},
     "4010 +f\n8000000000004018 +h\n4010 -g\n"},
    /* Terms: f is counter 1 minus counter 0, h is counter 2. */
    {{{".ccprof.count", "03 00 00 00 00 10 40 00 00 00 00 00 00 00 00 00 00 "
                        "03 02 01 01 7f 04 02"}},
     "4018 +f\n4010 -f\n4020 +h\n"},
    /* With distances: 8 after and 8 before. */
    {{{".ccprof.count", "03 00 00 00 00 10 40 00 00 00 00 00 00 02 00 00 00 "
                        "08 00 00 00 f8 ff ff ff 02 02 00 02 01"}},
     "4018 +f\n4008 +g\n"},
    {{{".ccprof.types", TYPES "03 01 00 01 0c 01 02 01 0f 00 02 02 0f"}},
     "f a.c:11:12 returned\ng b.h:21:15 _Z1gv\ng b.h:23:15 _Z1gv\n"},
    /* Another file, a line before the previous one, a second piece. */
    {{{".ccprof.types", TYPES "02 01 03 02 7c c8 01 00 00 80 01 01 "
                              "01 00 00 00 00 00 01 02 00 00 00"}},
     "f b.h:6:200 _Z1gv\nf a.c:134:1 returned\ng b.h:20:0 returned\n"},
    /* In version 2: a type and the returned mark together, and each alone. */
    {{{".ccprof.types", "02 00 00 00 00 01 0e 00 00 00 "
                        "03 01 02 01 0c 01 06 01 0f 00 05 02 02 0f"}},
     "f a.c:11:12 returned\ng b.h:21:15 _Z1gv returned\ng b.h:23:15 _Z1gv\n"},
    /* Several sites, one of them in a second function. */
    {{{".ccprof.alloc", "01 02 00 00 00 00 20 00 00 00 00 00 00 " SITE
                        "0c 00 00 00 13 00 00 00 13 00 00 00 " ALLOC},
      {".ccprof.allocators", "0a 00 00 00 0c 00 00 00"}},
     "2000 g/g/f\n2010 h//\n2000 g/g/f\ndefines g\ndefines h\n"},
    /* Pairs of counters: for a site, for calls, and for a function without sites. */
    {{{".ccprof.paths",
       "01 01 00 00 00 02 00 00 00 00 20 00 00 00 00 00 00 "
       "01 00 00 00 13 00 00 00 13 00 00 00 00 00 00 00 0a 00 00 00 0a 00 00 00 "
       "01 00 00 00 00 01 00 00 00 00 30 00 00 00 00 00 00 "
       "00 00 00 00 0a 00 00 00 13 00 00 00"},
      {".ccprof.alloc", ALLOC}},
     "2000 g/g/f\n2010 // of 2000\n2020 g/g/\n3000 g//\n"},
};

TEST_ROWS(sections, rows)
{
    struct make_elf file = {.sections = {{".ccprof.str", strings},
                                         {".ccprof.unit", unit},
                                         rows[_i].sections[0],
                                         rows[_i].sections[1]}};
    struct tables *tables = open_elf(&file);
    FILE *out = print_begin();
    print_counters(out, tables);
    print_types(out, tables);
    print_allocations(out, tables);
    print_end(out, rows[_i].meaning);
    tables_close(tables);
}
