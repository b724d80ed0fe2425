/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Texts are strings of JSON (RFC 8259) in UTF-8 (RFC 3629). Numbers are read back
   exactly. Other programs read the rest: testsuite/formats. */

#define _GNU_SOURCE
#include "mlprof/base/encoding.h"
#include "testsuite/unit/tests.h"

#include <math.h>

/* Checks that TEXT is printed as WANT in quotes. */
static void assert_json(const char *text, const char *want)
{
    char quoted[100];
    FILE *out = print_begin();
    json_print(out, text);
    snprintf(quoted, sizeof quoted, "\"%s\"", want);
    print_end(out, quoted);
}

/* Characters are printed unchanged: the first and the last of each row of RFC 3629's
   table. */
static const char *const good[] = {
    "\xc2\xa0",         "\xdf\xbf",         "\xe0\xa0\x80",     "\xe0\xbf\xbf",
    "\xe1\x80\x80",     "\xec\xbf\xbf",     "\xed\x80\x80",     "\xed\x9f\xbf",
    "\xee\x80\x80",     "\xef\xbf\xbf",     "\xf0\x90\x80\x80", "\xf0\xbf\xbf\xbf",
    "\xf1\x80\x80\x80", "\xf3\xbf\xbf\xbf", "\xf4\x80\x80\x80", "\xf4\x8f\xbf\xbf",
};

TEST_ROWS(characters, good)
{
    assert_json(good[_i], good[_i]);
}

#define BAD "\\ufffd"

/* Escaped characters, and invalid bytes, each of which is replaced. */
static const struct {
    const char *text, *want;
} others[] = {
    {"a\"b\\c", "a\\\"b\\\\c"},
    {"\x01\n\x7f", "\\u0001\\u000a\\u007f"},
    /* Control characters C1. */
    {"\xc2\x80\xc2\x9f", "\\u0080\\u009f"},
    {"\x80x", BAD "x"},
    {"\xc3x", BAD "x"},
    {"\xe1\x80", BAD BAD},
    {"\xf5\x80", BAD BAD},
    /* Longer encodings than necessary. */
    {"\xc1\xbfx", BAD BAD "x"},
    {"\xe0\x9f\xbfx", BAD BAD BAD "x"},
    {"\xf0\x8f\xbf\xbfx", BAD BAD BAD BAD "x"},
    /* A surrogate, and a character above U+10FFFF. */
    {"\xed\xa0\x80x", BAD BAD BAD "x"},
    {"\xf4\x90\x80\x80x", BAD BAD BAD BAD "x"},
};

TEST_ROWS(replaced, others)
{
    assert_json(others[_i].text, others[_i].want);
}

static const struct {
    double value;
    const char *want;
} numbers[] = {
    {0.5, "0.5"},
    {-3, "-3"},
    {1e300, "1e+300"},
    {0.1, "0.1"},
    {1.0 / 3, "0.3333333333333333"},
    {NAN, "null"},
};

TEST_ROWS(number, numbers)
{
    struct json json = {.out = print_begin()};
    json_number(&json, numbers[_i].value);
    print_end(json.out, numbers[_i].want);
}
