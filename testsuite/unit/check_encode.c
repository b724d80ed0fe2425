/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/encode.c plugin/tables/unit.c plugin/tables/memory.c
   testsuite/unit/encoded.c */
/* Compares the output of the plugin's encoders with bytes worked out by hand from
   doc/tables.md. The bytes are the shortest possible, which check_round_trip.c does not
   check. */

#include "plugin/tables/encode.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/encoded.h"
#include "testsuite/unit/table_bytes.h"

#define EXPRESSION CCPROF_POSITION_EXPRESSION
#define LINE       CCPROF_POSITION_LINE

/* A position without a range. */
#define AT(file, line, column)                                                           \
    {                                                                                    \
        file, line, column, 0, 0, 0, 0                                                   \
    }

enum { A_C = 1, B_H = 2 };
enum { F = 1, G = 2 }; /* sources */

/* Sources: f of a.c:10, g of b.h:20. */
static struct unit make_unit(void)
{
    struct unit names = {0};
    unit_file(&names, "a.c");
    unit_file(&names, "b.h");
    unit_source(&names,
                &(struct unit_source){unit_string(&names, "f"), 0, A_C, 10, 0, 0});
    unit_source(&names,
                &(struct unit_source){unit_string(&names, "g"), 0, B_H, 20, 0, 0});
    return names;
}

/* Compares the bytes and frees them. */
static void assert_bytes(struct encoded *encoded, const char *expected)
{
    ck_assert_str_eq(encoded->text ? encoded->text : "", expected);
    encoded_free(encoded);
}

/* doc/tables.md's example of a unit. A symbol equal to the name is not stored again. */
TEST(a_unit)
{
    static const struct unit_hash abc = {{0x90, 0x01, 0x50, 0x98, 0x3c, 0xd2, 0x4f, 0xb0,
                                          0xd6, 0x96, 0x3f, 0x7d, 0x28, 0xe1, 0x7f,
                                          0x72}};
    struct unit names = {0};
    struct encoded bytes = {.unit = &names};
    const struct encode_sink sink = encoded_sink(&bytes);
    unsigned directory = unit_string(&names, "/dir"), file = unit_file(&names, "ex.c");
    unit_string(&names, "-");
    unsigned f = unit_string(&names, "main"), g = unit_string(&names, "sq");
    unit_source(&names, &(struct unit_source){f, f, file, 7, 5, 0});
    unit_source(&names, &(struct unit_source){g, g, file, 3, 12, 0});
    unit_set_hash(&names, file, &abc);
    encoded_u32(&bytes, 0x2c);
    encode_unit(&names, EXPRESSION, directory, 0, &sink);
    assert_bytes(&bytes, example_unit);
    unit_free(&names);
}

/* The first point of f (a.c:10) has this position. BYTES are its code and operands. */
static const struct {
    enum ccprof_position detail;
    struct part_position position;
    const char *bytes;
} positions[] = {
    {EXPRESSION, {0}, "00"},

    /* The position is given by its line: the field holds -2 to 4. */
    {EXPRESSION, AT(A_C, 8, 7), "02 07"},
    {EXPRESSION, AT(A_C, 14, 128), "32 80 01"},
    {EXPRESSION, AT(A_C, 7, 7), "3a 7d 07"},
    {EXPRESSION, AT(A_C, 15, 7), "3a 05 07"},

    /* A range in one line: halves up to 14, and larger ones written explicitly. */
    {EXPRESSION, {A_C, 20, 15, 20, 1, 20, 29}, "3c 0a 0f ee"},
    {EXPRESSION, {A_C, 10, 17, 10, 1, 10, 32}, "14 11 ff 01 00"},

    /* All fields: the range does not contain the caret or is not in its line. */
    {EXPRESSION, {A_C, 15, 7, 16, 3, 14, 1}, "3e 00 05 07 7f 03 7f 01"},

    /* All fields: another file. */
    {EXPRESSION, AT(B_H, 12, 5), "26 02 05 00 00 00 00"},

    /* Only lines, even if columns are known. */
    {LINE, {A_C, 10, 7, 9, 3, 12, 8}, "12"},
    {LINE, AT(B_H, 5, 0), "3e 02 7b"},
};

TEST_ROWS(position, positions)
{
    char expected[200];
    struct unit names = make_unit();
    struct part part = {.source = F, .start_label = 1000, .end_label = 1004};
    struct encoded encoded = {.unit = &names};
    const struct encode_sink sink = encoded_sink(&encoded);
    part_enter(&part, 1001, part_point(&part, 0, &positions[_i].position));
    encode_part(&part, &names, positions[_i].detail, 1000, &sink);
    snprintf(expected, sizeof expected, "05 00 01 00 01 01 %s", positions[_i].bytes);
    assert_bytes(&encoded, expected);
    part_free(&part);
    unit_free(&names);
}

enum { NODE = 5, INTEGER }; /* strings: struct node at 0xc, int at 0x18 */

/* Types of blocks. Sorting leaves KEPT calls. */
static const struct {
    size_t count, kept;
    struct typed_call calls[8];
    const char *bytes;
} types[] = {
    /* Types in the order of the calls; a call of another file; a line before the previous
       one. */
    {5,
     5,
     {{G, A_C, 130, 200, NODE, TYPED_RETURNED},
      {F, A_C, 9, 2, INTEGER, TYPED_KEPT},
      {G, B_H, 21, 1, 0, TYPED_RETURNED},
      {F, B_H, 6, 2, 0, TYPED_RETURNED},
      {G, B_H, 22, 1, INTEGER, TYPED_UNKNOWN}},
     "02 18 00 00 00 0c 00 00 00 05 01 04 7f 02 00 03 02 7d 02 01 0b 01 ee 00 c8 01 "
     "00 02 93 7f 01 00 04 01 01"},
    /* Each position is written once, without a type if types differ. */
    {8,
     2,
     {{F, A_C, 11, 12, NODE, TYPED_UNKNOWN},
      {F, A_C, 11, 12, 0, TYPED_KEPT},
      {F, A_C, 11, 12, NODE, TYPED_UNKNOWN},
      {G, B_H, 11, 1, NODE, TYPED_UNKNOWN},
      {G, B_H, 11, 1, INTEGER, TYPED_RETURNED},
      {G, B_H, 11, 1, 0, TYPED_RETURNED},
      {G, B_H, 22, 1, 0, TYPED_RETURNED},
      {G, B_H, 22, 1, 0, TYPED_RETURNED}},
     "01 0c 00 00 00 02 01 04 01 0c 01 02 02 01"},
    /* A position is marked as returned if all of its calls with known fate are. A
       position with neither type nor mark is not written. */
    {8,
     3,
     {{F, A_C, 11, 12, NODE, TYPED_UNKNOWN},
      {F, A_C, 11, 12, 0, TYPED_RETURNED},
      {F, A_C, 12, 12, NODE, TYPED_KEPT},
      {F, A_C, 12, 12, NODE, TYPED_RETURNED},
      {F, A_C, 13, 12, 0, TYPED_RETURNED},
      {F, A_C, 13, 12, 0, TYPED_KEPT},
      {F, A_C, 14, 12, 0, TYPED_KEPT},
      {G, B_H, 22, 1, 0, TYPED_RETURNED}},
     "01 0c 00 00 00 03 01 06 01 0c 00 04 01 0c 01 02 02 01"},
};

TEST_ROWS(types_of_blocks, types)
{
    struct unit names = make_unit();
    ck_assert_uint_eq(unit_string(&names, "struct node"), NODE);
    ck_assert_uint_eq(unit_string(&names, "int"), INTEGER);
    struct encoded bytes = {.unit = &names};
    const struct encode_sink sink = encoded_sink(&bytes);
    struct typed_call calls[8];
    memcpy(calls, types[_i].calls, sizeof calls);
    ck_assert_uint_eq(typed_sort(calls, types[_i].count), types[_i].kept);
    typed_encode(calls, types[_i].kept, &names, EXPRESSION, &sink);
    assert_bytes(&bytes, types[_i].bytes);
    unit_free(&names);
}

/* doc/tables.md's example of machine code, without its head. The numbers of labels are
   addresses. */
TEST(machine_code)
{
    static const struct machine_edge edges[] = {
        {0, 1, 1, 0}, {1, 2, 2, 0}, {1, 2, 0, 0}, {2, 0, 0, 0}};
    static const struct machine_segment segments[] = {
        {0x1000, 0x100a, 0, true, MACHINE_NO_EDGE},
        {0x100a, 0x100e, 0, false, MACHINE_NO_EDGE},
        {0x100e, 0x1018, 1, true, MACHINE_NO_EDGE},
        {0x1018, 0x101a, 1, false, MACHINE_NO_EDGE},
        {0x1020, 0x1021, 3, false, 1}};
    struct encoded bytes = {0};
    const struct encode_sink sink = encoded_sink(&bytes);
    machine_table_encode_edges(3, edges, 4, false, &sink);
    machine_table_encode_segments(segments, 5, &sink);
    assert_bytes(&bytes, MACHINE_EXAMPLE_EDGES MACHINE_EXAMPLE_SEGMENTS);
}

/* Numbers that need several bytes, and a function without edges and segments. */
TEST(large_and_empty_machine_code)
{
    static const struct machine_edge edge = {200, 0, 300, 0};
    static const struct machine_segment segment = {5, 205, 5000, true, 130};
    struct encoded bytes = {0};
    const struct encode_sink sink = encoded_sink(&bytes);
    machine_table_encode_edges(1000, &edge, 1, false, &sink);
    machine_table_encode_segments(&segment, 1, &sink);
    /* 5000 * 4 + 3 = 20003 = 0x4e23 */
    assert_bytes(&bytes, "e8 07 01 c8 01 00 ac 02 01 00 c8 01 a3 9c 01 82 01");
    machine_table_encode_edges(1, NULL, 0, false, &sink);
    machine_table_encode_segments(NULL, 0, &sink);
    assert_bytes(&bytes, "01 00 00");
}

/* With inclusive instructions: edges with 4 and 200 instructions, and two calls. */
TEST(inclusive_machine_code)
{
    static const struct machine_edge edges[] = {{0, 1, 1, 4}, {1, 0, 0, 200}};
    static const struct machine_call calls[] = {{0x1005, 1}, {0x1085, 3}};
    struct encoded bytes = {0};
    const struct encode_sink sink = encoded_sink(&bytes);
    machine_table_encode_edges(2, edges, 2, true, &sink);
    machine_table_encode_calls(0x1000, calls, 2, &sink);
    machine_table_encode_calls(0x1000, NULL, 0, &sink);
    assert_bytes(&bytes, "02 02 00 01 01 04 01 00 00 c8 01 02 05 01 80 01 03 00");
}
