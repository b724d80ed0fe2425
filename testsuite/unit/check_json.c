/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Texts are strings of JSON (RFC 8259) in UTF-8 (RFC 3629); values stand with their names
   and commas.  */

#define _GNU_SOURCE
#include "mlprof/base/json.h"
#include "testsuite/unit/tests.h"

#include <math.h>

/* TEXT is printed as WANT between quotes.  */
static void assert_json(const char *text, const char *want)
{
    char *printed = NULL;
    size_t size;
    FILE *out = open_memstream(&printed, &size);
    json_print(out, text);
    fclose(out);
    ck_assert_uint_ge(size, 2);
    ck_assert(printed[0] == '"' && printed[size - 1] == '"');
    printed[size - 1] = 0;
    ck_assert_str_eq(printed + 1, want);
    free(printed);
}

TEST(ascii)
{
    assert_json("a.c", "a.c");
    assert_json("a\"b\\c", "a\\\"b\\\\c");
    assert_json("\x01\n\x7f", "\\u0001\\u000a\\u007f");
}

/* The first and the last characters of each row of RFC 3629's table.  */
TEST(characters)
{
    static const char *const good[] = {
        "\xc2\xa0",         "\xdf\xbf",         "\xe0\xa0\x80",     "\xe0\xbf\xbf",
        "\xe1\x80\x80",     "\xec\xbf\xbf",     "\xed\x80\x80",     "\xed\x9f\xbf",
        "\xee\x80\x80",     "\xef\xbf\xbf",     "\xf0\x90\x80\x80", "\xf0\xbf\xbf\xbf",
        "\xf1\x80\x80\x80", "\xf3\xbf\xbf\xbf", "\xf4\x80\x80\x80", "\xf4\x8f\xbf\xbf",
    };
    for (size_t i = 0; i < LENGTH(good); i++)
        assert_json(good[i], good[i]);
    /* The first of two bytes is of C1.  */
    assert_json("\xc2\x80", "\\u0080");
    assert_json("\xc2\x9f", "\\u009f");
}

#define BAD "\\ufffd"

/* Bytes of no character: each is replaced, and what follows stands.  */
TEST(others)
{
    assert_json("\x80x", BAD "x");
    assert_json("\xc0\x80x", BAD BAD "x");
    assert_json("\xc1\xbfx", BAD BAD "x");
    assert_json("\xc3x", BAD "x");
    assert_json("\xc3", BAD);
    assert_json("\xe1\x80", BAD BAD);
    assert_json("\xf5\x80\x80\x80", BAD BAD BAD BAD);
    assert_json("\xff", BAD);
    /* Longer than need be.  */
    assert_json("\xe0\x80\x80x", BAD BAD BAD "x");
    assert_json("\xe0\x9f\xbfx", BAD BAD BAD "x");
    assert_json("\xf0\x80\x80\x80x", BAD BAD BAD BAD "x");
    assert_json("\xf0\x8f\xbf\xbfx", BAD BAD BAD BAD "x");
    /* Surrogates.  */
    assert_json("\xed\xa0\x80x", BAD BAD BAD "x");
    assert_json("\xed\xbf\xbfx", BAD BAD BAD "x");
    /* Above U+10FFFF.  */
    assert_json("\xf4\x90\x80\x80x", BAD BAD BAD BAD "x");
    assert_json("\xf4\xbf\xbf\xbfx", BAD BAD BAD BAD "x");
}

TEST(values)
{
    char *printed = NULL;
    size_t size;
    struct json json = {.out = open_memstream(&printed, &size)};
    json_open(&json);
    json_text_field(&json, "a\"", "x");
    json_open_list_field(&json, "list");
    json_unsigned(&json, UINT64_MAX);
    json_signed(&json, INT64_MIN);
    json_open_list(&json);
    json_close_list(&json);
    json_open(&json);
    json_close(&json);
    json_open(&json);
    json_null_field(&json, "none");
    json_close(&json);
    json_close_list(&json);
    json_bool_field(&json, "no", false);
    json_text_field(&json, "null", NULL);
    json_open_field(&json, "empty");
    json_close(&json);
    json_close(&json);
    fclose(json.out);
    ck_assert_str_eq(printed, "{\"a\\\"\": \"x\", \"list\": [18446744073709551615, "
                              "-9223372036854775808, [], {}, {\"none\": null}], "
                              "\"no\": false, \"null\": null, \"empty\": {}}");
    free(printed);
}

/* VALUE is printed as WANT.  */
static void assert_number(double value, const char *want)
{
    char *printed = NULL;
    size_t size;
    struct json json = {.out = open_memstream(&printed, &size)};
    json_number(&json, value);
    fclose(json.out);
    ck_assert_str_eq(printed, want);
    free(printed);
}

TEST(numbers)
{
    assert_number(0.5, "0.5");
    assert_number(-3, "-3");
    assert_number(1e300, "1e+300");
    assert_number(0.1, "0.1");
    assert_number(1.0 / 3, "0.3333333333333333");
    assert_number(INFINITY, "null");
    assert_number(NAN, "null");
}
