/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* Damaged tables, and tables of other versions: each is refused with the offset where it
   is wrong.  */

#define _GNU_SOURCE
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/table_bytes.h"
#include "runner.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(other_versions)
{
    struct make_elf file =
        with_tables(strings, "52 00 00 00 01 02 " UNIT_NAMES, HEAD "05 00 01 00 00");
    assert_refused(&file, FAULT_VERSION,
                   "section .ccprof.unit, offset 0x0: tables of version 1; this mlprof "
                   "reads version 2");
    /* Of what follows the version nothing is known.  */
    file = with_tables(strings, "04 00 00 00 03 ff ff ff", "");
    assert_refused(&file, FAULT_VERSION,
                   "section .ccprof.unit, offset 0x0: tables of version 3; this mlprof "
                   "reads version 2");
    file = with_tables(strings, unit, HEAD "05 00 01 00 00 00 07 ff");
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
    struct make_elf file = with_tables(strings, unit, damages[_i].bytes);
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
    struct make_elf file = with_tables(strings, unit_damages[_i].bytes, "");
    snprintf(expected, sizeof expected, "section .ccprof.unit, %s",
             unit_damages[_i].what);
    assert_refused(&file, FAULT_GARBLED, expected);
}
END_TEST

START_TEST(damaged_sections)
{
    struct make_elf file = with_tables("61 00 62", unit, code);
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
    struct make_elf file = with_counters(counter_damages[_i].bytes);
    snprintf(expected, sizeof expected, "section .ccprof.count, %s",
             counter_damages[_i].what);
    assert_refused(&file, FAULT_GARBLED, expected);
    file = with_counters("01 00 00 00 00 00 00 00 00 04");
    assert_refused(&file, FAULT_VERSION,
                   "section .ccprof.count, offset 0x9: tables of version 4; this mlprof "
                   "reads version 3");
}
END_TEST

START_TEST(positions_where_there_are_none)
{
    struct make_elf file = with_tables(strings, plain_unit, HEAD "05 00 01 01 03 02 00");
    assert_refused(&file, FAULT_GARBLED,
                   "section .ccprof.code, offset 0x13: a position in a unit without "
                   "positions");
    file = with_tables(strings, line_unit, HEAD "05 00 01 00 01 00 14");
    assert_refused(
        &file, FAULT_GARBLED,
        "section .ccprof.code, offset 0x14: a position of a kind that the unit "
        "has not");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tables_damage");
    TCase *tests = tcase_create("tables_damage");
    tcase_add_test(tests, other_versions);
    tcase_add_loop_test(tests, damaged_streams, 0, sizeof damages / sizeof *damages);
    tcase_add_loop_test(tests, damaged_units, 0,
                        sizeof unit_damages / sizeof *unit_damages);
    tcase_add_test(tests, damaged_sections);
    tcase_add_loop_test(tests, damaged_counters, 0,
                        sizeof counter_damages / sizeof *counter_damages);
    tcase_add_test(tests, positions_where_there_are_none);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
