/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/encode.c plugin/tables/part.c plugin/tables/unit.c */
/* links: plugin/tables/distinct.c plugin/tables/memory.c testsuite/unit/encoded.c */
/* The encoder against bytes that were worked out by hand from doc/tables.md.  */

#include "testsuite/unit/encoded.h"
#include "testsuite/unit/table_bytes.h"
#include "runner.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START      1000
#define EXPRESSION CCPROF_POSITION_EXPRESSION
#define LINE       CCPROF_POSITION_LINE
#define NONE       CCPROF_POSITION_NONE
#define COUNT(a)   (sizeof(a) / sizeof *(a))

/* A position without a range.  */
#define AT(file, line, column)                                                           \
    {                                                                                    \
        file, line, column, 0, 0, 0, 0                                                   \
    }

enum { A_C = 1, B_H = 2 };
enum { EXCLUDED, F, G, H };

/* The symbol is the name.  */
static unsigned add_source(struct unit *names, const char *name, unsigned file,
                           unsigned line, unsigned column)
{
    unsigned string = unit_string(names, name);
    return unit_source(names,
                       &(struct unit_source){string, string, file, line, column, 0});
}

/* Sources: f of a.c:10, g of b.h:20, h of nowhere.  */
static struct unit make_unit(void)
{
    struct unit names = {0};
    unit_file(&names, "a.c");
    unit_file(&names, "b.h");
    add_source(&names, "f", A_C, 10, 0);
    add_source(&names, "g", B_H, 20, 0);
    add_source(&names, "h", 0, 0, 0);
    return names;
}

static struct part make_part(unsigned source, unsigned size)
{
    return (struct part){
        .source = source, .start_label = START, .end_label = START + size};
}

/* The function, which begins GAP bytes behind another, is spelt EXPECTED; frees PART.  */
static void assert_part(struct part *part, enum ccprof_position detail, unsigned gap,
                        const char *expected)
{
    struct unit names = make_unit();
    struct encoded encoded = {.unit = &names};
    const struct encode_sink sink = encoded_sink(&encoded);
    encode_part(part, &names, detail, part->start_label - gap, &sink);
    ck_assert_str_eq(encoded.text, expected);
    encoded_free(&encoded);
    part_free(part);
    unit_free(&names);
}

static const struct unit_hash abc = {{0x90, 0x01, 0x50, 0x98, 0x3c, 0xd2, 0x4f, 0xb0,
                                      0xd6, 0x96, 0x3f, 0x7d, 0x28, 0xe1, 0x7f, 0x72}};

START_TEST(the_example)
{
    struct unit names = {0};
    struct encoded bytes = {.unit = &names};
    const struct encode_sink sink = encoded_sink(&bytes);
    unsigned directory = distinct_string(&names.strings, "/dir");
    unsigned file = unit_file(&names, "ex.c");
    distinct_string(&names.strings, "-");
    unsigned main = add_source(&names, "main", file, 7, 5);
    unsigned sq = add_source(&names, "sq", file, 3, 12);
    unit_set_hash(&names, file, &abc);

    encoded_strings(&bytes, &names);
    ck_assert_str_eq(bytes.text, example_strings);
    encoded_free(&bytes);

    bytes.unit = &names;
    encoded_u32(&bytes, 0x2c);
    encode_unit(&names, EXPRESSION, directory, 0, &sink);
    ck_assert_str_eq(bytes.text, example_unit);
    ck_assert_uint_eq(encoded_length(&bytes), 4 + 0x2c);
    encoded_free(&bytes);

    struct part part = {.source = main, .start_label = 0x1000, .end_label = 0x100c};
    unsigned copy = part_copy(&part, 0, sq, file, 9, 12);
    unsigned product =
        part_point(&part, 0, &(struct part_position){file, 9, 5, 9, 2, 9, 7});
    unsigned square = part_point(&part, copy, &(struct part_position)AT(file, 3, 10));
    part_enter(&part, 0x1000, product);
    part_enter(&part, 0x1004, square);
    part_enter(&part, 0x1009, product);
    encoded_head(&bytes, 0, 0x1000);
    encode_part(&part, &names, EXPRESSION, 0x1000, &sink);
    ck_assert_str_eq(bytes.text, example_code);
    encoded_free(&bytes);
    part_free(&part);
    unit_free(&names);
}
END_TEST

/* Functions with nothing in them: size plus 1, gap, source, no copies, no entries.  */
static const struct {
    unsigned source, size, gap;
    const char *bytes;
} functions[] = {
    {EXCLUDED, 0, 0, "01 00 00 00 00"},    {F, 1, 1, "02 01 01 00 00"},
    {H, 126, 127, "7f 7f 03 00 00"},       {G, 127, 128, "80 01 80 01 02 00 00"},
    {G, 16383, 0, "80 80 01 00 02 00 00"},
};

START_TEST(function)
{
    for (int detail = NONE; detail <= EXPRESSION; detail++) {
        struct part part = make_part(functions[_i].source, functions[_i].size);
        assert_part(&part, detail, functions[_i].gap, functions[_i].bytes);
    }
}
END_TEST

/* The first point of f (a.c:10) is at the position; its code and operands.  */
static const struct {
    enum ccprof_position detail;
    struct part_position position;
    const char *bytes;
} positions[] = {
    /* Nothing is known.  */
    {EXPRESSION, {0}, "00"},
    {LINE, {0}, "00"},

    /* A place, by its line: the field holds -2 to 4.  */
    {EXPRESSION, AT(A_C, 10, 7), "12 07"},
    {EXPRESSION, AT(A_C, 8, 7), "02 07"},
    {EXPRESSION, AT(A_C, 14, 7), "32 07"},
    {EXPRESSION, AT(A_C, 7, 7), "3a 7d 07"},
    {EXPRESSION, AT(A_C, 15, 7), "3a 05 07"},
    {EXPRESSION, AT(A_C, 73, 7), "3a 3f 07"},
    {EXPRESSION, AT(A_C, 74, 7), "3a c0 00 07"},
    {EXPRESSION, AT(A_C, 1, 7), "3a 77 07"},
    {EXPRESSION, AT(A_C, 2147483647, 7), "3a f5 ff ff ff 07 07"},

    /* By its column.  */
    {EXPRESSION, AT(A_C, 10, 0), "12 00"},
    {EXPRESSION, AT(A_C, 10, 127), "12 7f"},
    {EXPRESSION, AT(A_C, 10, 128), "12 80 01"},

    /* A range in one line: halves up to 14, then explicit.  */
    {EXPRESSION, {A_C, 10, 7, 10, 7, 10, 7}, "14 07 00"},
    {EXPRESSION, {A_C, 10, 7, 10, 5, 10, 8}, "14 07 21"},
    {EXPRESSION, {A_C, 11, 7, 11, 7, 11, 8}, "1c 07 01"},
    {EXPRESSION, {A_C, 20, 7, 20, 7, 20, 8}, "3c 0a 07 01"},
    {EXPRESSION, {A_C, 10, 15, 10, 1, 10, 29}, "14 0f ee"},
    {EXPRESSION, {A_C, 10, 16, 10, 1, 10, 30}, "14 10 fe 00"},
    {EXPRESSION, {A_C, 10, 16, 10, 2, 10, 31}, "14 10 ef 00"},
    {EXPRESSION, {A_C, 10, 17, 10, 1, 10, 32}, "14 11 ff 01 00"},
    {EXPRESSION, {A_C, 10, 17, 10, 17, 10, 160}, "14 11 0f 80 01"},

    /* Everything: the range is not around the caret, or not in its line.  */
    {EXPRESSION, {A_C, 10, 7, 10, 9, 10, 12}, "16 00 07 00 09 00 0c"},
    {EXPRESSION, {A_C, 10, 7, 10, 2, 10, 6}, "16 00 07 00 02 00 06"},
    {EXPRESSION, {A_C, 10, 7, 9, 3, 10, 8}, "16 00 07 01 03 00 08"},
    {EXPRESSION, {A_C, 10, 7, 10, 3, 12, 1}, "16 00 07 00 03 02 01"},
    {EXPRESSION, {A_C, 15, 7, 16, 3, 14, 1}, "3e 00 05 07 7f 03 7f 01"},
    {EXPRESSION,
     {A_C, 80, 200, 16, 128, 144, 300},
     "3e 00 c6 00 c8 01 c0 00 80 01 c0 00 ac 02"},

    /* Everything: another file.  */
    {EXPRESSION, AT(B_H, 12, 5), "26 02 05 00 00 00 00"},
    {EXPRESSION, AT(B_H, 100, 0), "3e 02 da 00 00 00 00 00 00"},
    {EXPRESSION, {B_H, 10, 5, 10, 4, 10, 6}, "16 02 05 00 04 00 06"},

    /* Lines alone, whatever is known of columns.  */
    {LINE, AT(A_C, 10, 0), "12"},
    {LINE, AT(A_C, 10, 7), "12"},
    {LINE, {A_C, 10, 7, 9, 3, 12, 8}, "12"},
    {LINE, AT(A_C, 15, 0), "3a 05"},
    {LINE, AT(B_H, 12, 0), "26 02"},
    {LINE, AT(B_H, 5, 0), "3e 02 7b"},
};

START_TEST(position)
{
    char expected[200];
    struct part part = make_part(F, 4);
    part_enter(&part, START + 1, part_point(&part, 0, &positions[_i].position));
    snprintf(expected, sizeof expected, "05 00 01 00 01 01 %s", positions[_i].bytes);
    assert_part(&part, positions[_i].detail, 0, expected);
}
END_TEST

/* Copies in f: parent and file announced, source, call.  */
static const struct {
    enum ccprof_position detail;
    unsigned count;
    struct part_copy copies[4];
    const char *bytes;
} copies[] = {
    {EXPRESSION, 1, {{0, G, A_C, 13, 2}}, "01 02 02 03 02"},
    {EXPRESSION, 1, {{0, F, A_C, 9, 200}}, "01 02 01 7f c8 01"},
    {EXPRESSION, 1, {{0, G, A_C, 74, 0}}, "01 02 02 c0 00 00"},
    {EXPRESSION, 1, {{0, G, B_H, 15, 3}}, "01 03 02 02 05 03"},
    {EXPRESSION, 1, {{0, G, 0, 0, 0}}, "01 03 02 00"},
    {EXPRESSION, 1, {{0, EXCLUDED, A_C, 10, 1}}, "01 02 00 00 01"},
    /* In a copy of g the file is b.h and lines count from 20; in one that is excluded
       or of h there is no file and lines count from 0.  */
    {EXPRESSION,
     3,
     {{0, G, A_C, 10, 1}, {1, EXCLUDED, B_H, 25, 4}, {2, H, B_H, 25, 4}},
     "03 02 02 00 01 02 00 05 04 03 03 02 19 04"},
    {EXPRESSION,
     2,
     {{0, H, A_C, 10, 1}, {1, G, A_C, 10, 1}},
     "02 02 03 00 01 03 02 01 0a 01"},
    {EXPRESSION,
     4,
     {{0, G, A_C, 10, 1}, {0, G, A_C, 10, 2}, {1, F, B_H, 20, 1}, {0, F, 0, 0, 0}},
     "04 02 02 00 01 04 02 00 02 04 01 00 01 09 01 00"},
    {LINE, 2, {{0, G, A_C, 13, 2}, {1, F, A_C, 13, 0}}, "02 02 02 03 03 01 01 79"},
    {LINE, 1, {{0, G, 0, 0, 0}}, "01 03 02 00"},
    {NONE, 2, {{0, G, A_C, 13, 2}, {0, F, 0, 0, 0}}, "02 02 02 04 01"},
};

START_TEST(copy)
{
    char expected[200];
    struct part part = make_part(F, 4);
    for (unsigned i = 0; i < copies[_i].count; i++) {
        const struct part_copy *c = &copies[_i].copies[i];
        ck_assert_uint_eq(part_copy(&part, c->parent, c->source, c->call_file,
                                    c->call_line, c->call_column),
                          i + 1);
    }
    snprintf(expected, sizeof expected, "05 00 01 %s 00", copies[_i].bytes);
    assert_part(&part, copies[_i].detail, 0, expected);
}
END_TEST

/* Entries of a function f in which are 1: g, 2: excluded, in 1; 3: h; each with its
   bytes.  */
struct entry {
    unsigned at; /* from the start */
    unsigned copy;
    struct part_position position;
    const char *bytes;
};

static const struct entry expressions[] = {
    {0, 0, AT(A_C, 11, 5), "00 1a 05"},
    {4, 1, AT(B_H, 21, 6), "04 1b 01 06"},
    /* Every copy has its own last line.  */
    {131, 0, AT(A_C, 12, 5), "7f 1b 7f 05"},
    {259, 1, AT(B_H, 22, 6), "80 01 1b 01 06"},
    /* The latest point again, and the first of four.  */
    {260, 1, AT(B_H, 22, 6), "01 40"},
    {261, 0, AT(A_C, 11, 5), "01 43"},
    /* That changed the copy, but no last line: 12 and 22 they are still.  */
    {262, 3, AT(A_C, 30, 1), "01 3f 03 01 1e 01 00 00 00 00"},
    {263, 0, AT(A_C, 13, 5), "01 1b 7d 05"},
    {264, 0, {0}, "01 00"},
    {265, 0, AT(A_C, 12, 6), "01 0a 06"},
    {266, 2, AT(B_H, 25, 4), "01 3f 02 02 19 04 00 00 00 00"},
    {267, 2, {B_H, 26, 4, 26, 4, 26, 8}, "01 1e 02 04 00 04 00 08"},
    {267, 1, {0}, "00 01 7f"},
    /* A line in another file counts as the last too.  */
    {268, 1, AT(A_C, 90, 1), "01 3e 01 c4 00 01 00 00 00 00"},
    {269, 1, AT(B_H, 91, 1), "01 1a 01"},
};

static const struct entry lines[] = {
    {0, 0, AT(A_C, 11, 0), "00 1a"},
    {1, 1, AT(B_H, 21, 0), "01 1b 01"},
    {2, 3, {0}, "01 01 02"},
    {3, 1, AT(B_H, 21, 0), "01 41"},
    {4, 2, AT(B_H, 25, 0), "01 3f 01 02 19"},
    {5, 2, AT(B_H, 26, 0), "01 1e 02"},
    {6, 0, AT(A_C, 11, 0), "01 44"},
};

/* Nothing but the copies is told, and nothing is abbreviated.  */
static const struct entry copies_alone[] = {
    {0, 0, {0}, "00 00"}, {3, 2, {0}, "03 02"}, {4, 3, {0}, "01 01"},
    {5, 0, {0}, "01 7d"}, {6, 2, {0}, "01 02"},
};

static void assert_entries(enum ccprof_position detail, const char *spelt_copies,
                           const struct entry *entries, size_t count)
{
    char expected[1000];
    struct part part = make_part(F, 300);
    part_copy(&part, 0, G, A_C, 10, 1);
    part_copy(&part, 1, EXCLUDED, B_H, 20, 1);
    part_copy(&part, 0, H, A_C, 10, 1);
    int length = snprintf(expected, sizeof expected, "ad 02 00 01 03 %s %02zx",
                          spelt_copies, count);
    for (size_t i = 0; i < count; i++) {
        unsigned point = part_point(&part, entries[i].copy, &entries[i].position);
        part_enter(&part, START + entries[i].at, point);
        length += snprintf(expected + length, sizeof expected - (size_t)length, " %s",
                           entries[i].bytes);
    }
    assert_part(&part, detail, 0, expected);
}

START_TEST(entries)
{
    assert_entries(EXPRESSION, "02 02 00 01 02 00 00 01 06 03 00 01", expressions,
                   COUNT(expressions));
    assert_entries(LINE, "02 02 00 02 00 00 06 03 00", lines, COUNT(lines));
    assert_entries(NONE, "02 02 02 00 06 03", copies_alone, COUNT(copies_alone));
}
END_TEST

/* 65 points, then the first again: 64 back, which needs two bytes.  */
START_TEST(far_back)
{
    char expected[1000] = "43 00 01 00 42";
    struct part part = make_part(F, 66);
    for (unsigned i = 0; i < 66; i++) {
        struct part_position place = AT(A_C, 10, i % 65);
        part_enter(&part, START + i, part_point(&part, 0, &place));
        if (i < 65)
            sprintf(expected + strlen(expected), " %02x 12 %02x", i > 0, i);
    }
    strcat(expected, " 01 80 01");
    assert_part(&part, EXPRESSION, 0, expected);
}
END_TEST

/* Offsets of strings, of 4 bytes; more sources than fit one byte; lines.  */
START_TEST(units)
{
    char expected[4000], name[8];
    struct unit names = {0};
    struct encoded bytes = {.unit = &names};
    const struct encode_sink sink = encoded_sink(&bytes);
    unsigned directory = distinct_string(&names.strings, "");
    encode_unit(&names, NONE, directory, directory, &sink);
    ck_assert_str_eq(bytes.text, "02 00 00 00 00 00 00 00");
    encoded_free(&bytes);

    bytes.unit = &names;
    unit_file(&names, "a");
    unit_file(&names, "b");
    /* The second file's hash is known, which makes room for both.  */
    unit_set_hash(&names, 2, &abc);
    strcpy(expected, "02 01 00 00 00 00 02 01 00 00 00 " UNKNOWN_HASH
                     "03 00 00 00 " EXAMPLE_HASH "80 01");
    for (unsigned i = 0; i < 128; i++) {
        snprintf(name, sizeof name, "%03u", i);
        ck_assert_uint_eq(add_source(&names, name, i % 3, i + 64, i), i + 1);
        unsigned at = 5 + 4 * i, line = i + 64;
        char *end = expected + strlen(expected);
        end += sprintf(end, " %02x %02x 00 00 00 %02x", at & 255, at >> 8, i % 3);
        if (line < 128)
            sprintf(end, " %02x %02x", line, i);
        else
            sprintf(end, " %02x 01 %02x", line, i);
    }
    encode_unit(&names, LINE, directory, directory, &sink);
    ck_assert_str_eq(bytes.text, expected);
    encoded_free(&bytes);
    unit_free(&names);
}
END_TEST

/* The unit of table_bytes.h, in another order of strings.  */
START_TEST(symbols_and_hashes)
{
    struct unit names = {0};
    struct encoded bytes = {.unit = &names};
    const struct encode_sink sink = encoded_sink(&bytes);
    struct unit_source source = {.file = A_C, .line = 10};
    unit_set_hash(&names, unit_file(&names, "a.c"), &abc);
    unit_file(&names, "b.h");
    source.name = source.symbol = unit_string(&names, "f");
    unit_source(&names, &source);
    source = (struct unit_source){.file = B_H, .line = 20, .column = 300, .flags = 0x402};
    source.name = unit_string(&names, "g");
    unsigned h = unit_string(&names, "h");
    source.symbol = unit_string(&names, "_Z1gv");
    unit_source(&names, &source);
    unit_source(&names, &(struct unit_source){.name = h, .flags = CCPROF_SOURCE_SPLIT});
    unsigned empty = unit_string(&names, "");
    encoded_u32(&bytes, 0x52);
    encode_unit(&names, EXPRESSION, unit_file(&names, "a.c"), empty, &sink);
    /* "" stands behind all others, not at the end of one.  */
    char expected[512], *end;
    strcpy(expected, unit);
    ck_assert_ptr_nonnull(end = strstr(expected, "09 13 00 00 00"));
    memcpy(end, "09 14", 5);
    ck_assert_str_eq(bytes.text, expected);
    encoded_free(&bytes);
    unit_free(&names);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("encode");
    TCase *tests = tcase_create("encode");
    tcase_add_test(tests, the_example);
    tcase_add_test(tests, symbols_and_hashes);
    tcase_add_loop_test(tests, function, 0, COUNT(functions));
    tcase_add_loop_test(tests, position, 0, COUNT(positions));
    tcase_add_loop_test(tests, copy, 0, COUNT(copies));
    tcase_add_test(tests, entries);
    tcase_add_test(tests, far_back);
    tcase_add_test(tests, units);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
