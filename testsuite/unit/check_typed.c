/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/typed.c plugin/tables/unit.c plugin/tables/distinct.c */
/* links: plugin/tables/memory.c testsuite/unit/encoded.c */
/* The types of blocks against bytes that were worked out by hand from doc/tables.md.  */

#include "plugin/tables/typed.h"
#include "runner.h"
#include "testsuite/unit/encoded.h"

#include <check.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { A_C = 1, B_H = 2 };
enum { GET = 1, FILL, THIRD };

/* Strings: a.c at 0, b.h at 4, get at 8, fill at 0xc, third at 0x11, struct node at 0x17,
   int at 0x23.  Sources: get of a.c:5, fill of a.c:10, third of b.h:3.  */
struct made {
    struct unit unit;
    unsigned node, integer;
};

static struct made make(void)
{
    struct made made = {0};
    unsigned names[] = {
        [A_C] = unit_file(&made.unit, "a.c"), [B_H] = unit_file(&made.unit, "b.h")};
    unsigned get = unit_string(&made.unit, "get"), fill = unit_string(&made.unit, "fill"),
             third = unit_string(&made.unit, "third");
    ck_assert_uint_eq(names[A_C], A_C);
    ck_assert_uint_eq(names[B_H], B_H);
    unit_source(&made.unit, &(struct unit_source){get, get, A_C, 5, 1, 0});
    unit_source(&made.unit, &(struct unit_source){fill, fill, A_C, 10, 1, 0});
    unit_source(&made.unit, &(struct unit_source){third, third, B_H, 3, 1, 0});
    made.node = unit_string(&made.unit, "struct node");
    made.integer = unit_string(&made.unit, "int");
    return made;
}

/* The calls, sorted, are KEPT ones, which are spelt EXPECTED.  */
static void assert_bytes(struct made *made, struct typed_call *calls, size_t count,
                         size_t kept, enum ccprof_position detail, const char *expected)
{
    struct encoded bytes = {.unit = &made->unit};
    const struct encode_sink sink = encoded_sink(&bytes);
    ck_assert_uint_eq(typed_sort(calls, count), kept);
    typed_encode(calls, kept, &made->unit, detail, &sink);
    ck_assert_str_eq(bytes.text, expected);
    encoded_free(&bytes);
    unit_free(&made->unit);
}

START_TEST(the_example)
{
    struct made made = make();
    struct typed_call calls[] = {
        {FILL, A_C, 13, 15, made.node},
        {GET, A_C, 6, 12, 0},
        {FILL, A_C, 11, 15, made.node},
    };
    assert_bytes(&made, calls, COUNT(calls), 3, CCPROF_POSITION_EXPRESSION,
                 "01 17 00 00 00 03 01 00 01 0c 01 02 01 0f 00 02 02 0f");
}
END_TEST

START_TEST(lines_alone)
{
    struct made made = make();
    struct typed_call calls[] = {{GET, A_C, 6, 0, made.integer}};
    assert_bytes(&made, calls, COUNT(calls), 1, CCPROF_POSITION_LINE,
                 "01 23 00 00 00 01 01 02 01");
}
END_TEST

/* Types in the order of the calls; a call of another file; lines that go back.  */
START_TEST(several_types)
{
    struct made made = make();
    struct typed_call calls[] = {
        {THIRD, A_C, 130, 200, made.node},
        {GET, A_C, 4, 2, made.integer},
        {THIRD, B_H, 4, 1, 0},
        {GET, B_H, 1, 2, 0},
        {THIRD, B_H, 5, 1, made.integer},
    };
    assert_bytes(&made, calls, COUNT(calls), 5, CCPROF_POSITION_EXPRESSION,
                 "02 23 00 00 00 17 00 00 00 05 "
                 "01 02 7f 02 "
                 "00 01 02 7d 02 "
                 "02 05 01 ff 00 c8 01 "
                 "00 00 82 7f 01 "
                 "00 02 01 01");
}
END_TEST

/* Each position once: a type rather than a return, and none if types differ.  */
START_TEST(equal_positions)
{
    struct made made = make();
    struct typed_call calls[] = {
        {GET, A_C, 6, 12, made.node},
        {GET, A_C, 6, 12, 0},
        {GET, A_C, 6, 12, made.node},
        {FILL, A_C, 11, 1, made.node},
        {FILL, A_C, 11, 1, made.integer},
        {FILL, A_C, 11, 1, 0},
        {FILL, A_C, 12, 1, 0},
        {FILL, A_C, 12, 1, 0},
    };
    assert_bytes(&made, calls, COUNT(calls), 2, CCPROF_POSITION_EXPRESSION,
                 "01 17 00 00 00 02 01 02 01 0c 01 00 02 01");
}
END_TEST

START_TEST(nothing)
{
    struct made made = make();
    struct typed_call none;
    assert_bytes(&made, &none, 0, 0, CCPROF_POSITION_EXPRESSION, "00 00");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("typed");
    TCase *tests = tcase_create("typed");
    tcase_add_test(tests, the_example);
    tcase_add_test(tests, lines_alone);
    tcase_add_test(tests, several_types);
    tcase_add_test(tests, equal_positions);
    tcase_add_test(tests, nothing);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
