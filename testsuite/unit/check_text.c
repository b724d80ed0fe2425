/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "testsuite/unit/tests.h"

TEST(thousands)
{
    static const struct {
        double value;
        int decimals;
        const char *text;
    } cases[] = {
        {0, 2, "0.00"},
        {999.999, 2, "1,000.00"},
        {1234567.891, 2, "1,234,567.89"},
        {100000, 0, "100,000"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++)
        assert_text(text_commas(cases[i].value, cases[i].decimals), cases[i].text);
    assert_text(text_number(1, "tick"), "1 tick");
    assert_text(text_number(1001, "tick"), "1,001 ticks");
}

TEST(last_components)
{
    static const struct {
        const char *name, *last;
    } cases[] = {{"f", "f"},
                 {"v<a::b, c.d>::push<e::f>", "push<e::f>"},
                 {"C::operator<<", "operator<<"},
                 {"C::operator()<a::b>", "operator()<a::b>"},
                 {"C::operator std::string", "operator std::string"},
                 {"operators::f", "f"},
                 {"f.", "f."},
                 {"f::", "f::"},
                 {")::f", "f"}};
    for (size_t i = 0; i < LENGTH(cases); i++)
        ck_assert_str_eq(text_last_component(cases[i].name), cases[i].last);
}

TEST(shown_text)
{
    assert_text(text_clean("a\nb\tc\x7f"
                           "d\xc3\xa9"),
                "a\\x0ab\\x09c\\x7f"
                "d\xc3\xa9");
    /* C1 in UTF-8 and as a byte, U+202E, U+2067, U+061C are escaped. Latin-1, U+00A0,
       U+1F600 and U+26E0 are shown. */
    assert_text(
        text_clean("\xc2\x9b|\x9b|\xe2\x80\xae|\xe2\x81\xa7|\xd8\x9c|\xe9|\xc2\xa0|"
                   "\xf0\x9f\x98\x80|\xe2\x9b\xa0"),
        "\\xc2\\x9b|\\x9b|\\xe2\\x80\\xae|\\xe2\\x81\\xa7|\\xd8\\x9c|"
        "\xe9|\xc2\xa0|\xf0\x9f\x98\x80|\xe2\x9b\xa0");
    ck_assert_uint_eq(text_width("caf\xc3\xa9"), 4);
    ck_assert_uint_eq(text_width("\xe4\xb8\xad\xe6\x96\x87"), 2);
}

static char *end_of_name(const char *name, size_t most)
{
    return text_end(name, most);
}

static char *fit_parts(const char *text, size_t most)
{
    return text_fit(text, most, end_of_name);
}

#define PARTS                                                                            \
    "inlined in " TEXT_PART "geo::shape::area" TEXT_PART " at " TEXT_PART                \
    "src/a/geo.cc" TEXT_PART ": 7"
#define LONGER                                                                           \
    "inlined in " TEXT_PART "geo::shapes::area_of" TEXT_PART " at " TEXT_PART            \
    "src/area_of_all.cc" TEXT_PART ": 7"

static const struct {
    char *(*shorten)(const char *text, size_t most);
    const char *text;
    size_t most; /* columns */
    const char *shown;
} rows[] = {
    /* The middle is removed. */
    {text_shorten, "abc", 3, "abc"},
    {text_shorten, "abcd", 3, "..."},
    {text_shorten, "abcdefghij", 8, "abc...ij"},
    {text_shorten, "\xc3\xa9\xc3\xa8\xc3\xa0ghi", 5, "\xc3\xa9...i"},
    /* The beginning is removed. */
    {text_end, "abcdefghi", 8, "...efghi"},
    {text_end, "ab\xc3\xa9\xc3\xa9\xc3\xa9ghi", 7, "...\xc3\xa9ghi"},
    /* In 12 columns, a part has at least 8. */
    {text_end, "space::class::method", 12, "...::method"},
    {text_end, "space::class::run", 12, "...lass::run"},
    /* Folders are removed from the middle. The file's own name is shortened last. */
    {text_path, "/usr/include/bits/x.h: 7", 23, "/usr/.../bits/x.h: 7"},
    {text_path, "/usr/include/bits/x.h: 7", 19, "/usr/.../x.h: 7"},
    {text_path, "/usr/include/bits/x.h: 7", 14, ".../x.h: 7"},
    {text_path, "/usr/include/bits/x.h: 7", 9, "x.h: 7"},
    {text_path, "/usr/include/bits/x.h: 7", 5, "x...7"},
    {text_path, "src/a/b/c/file.c", 16, "src/a/b/c/file.c"},
    {text_path, "source/a/b/c/file.c", 16, ".../a/b/c/file.c"},
    {text_path, "a_file_of_equations.hpp: 7", 16, "a_file_...hpp: 7"},
    /* Each part is shortened separately. */
    {fit_parts, PARTS, 41, "inlined in ...pe::area at .../geo.cc: 7"},
    {fit_parts, PARTS, 1, "inlined in ...:area at geo.cc: 7"},
    /* The file's own name is shortened only after the other names cannot be shortened
       further. */
    {fit_parts, LONGER, 41, "inlined in ...rea_of at area_of_all.cc: 7"},
    {fit_parts, LONGER, 38, "inlined in ...area_of at area....cc: 7"},
    /* A text without marks is one part. */
    {fit_parts, "geo::shape::area", 12, "...ape::area"},
    /* Lines are broken. */
    {text_wrap, "a line of words\n", 15, "a line of words\n"},
    {text_wrap, "a line of words\nb\n", 14, "a line of\n    words\nb\n"},
    {text_wrap, "sampled 1 s of 2 s, engine task\n", 30,
     "sampled 1 s of 2 s,\n    engine task\n"},
    {text_wrap, "  in prog, in assembly and so on\n", 20,
     "  in prog, in\n      assembly and\n      so on\n"},
    {text_wrap, "no more than half; next: f 1%\n", 28,
     "no more than half;\n    next: f 1%\n"},
    {text_wrap, "onewordthatisfartoolong\n", 12, "onewordthatisfartoolong\n"},
};

TEST_ROWS(shortened, rows)
{
    char *text = rows[_i].shorten(rows[_i].text, rows[_i].most);
    if (rows[_i].shorten == text_path)
        ck_assert_uint_le(text_width(text), rows[_i].most);
    assert_text(text, rows[_i].shown);
}

TEST(parts)
{
    assert_text(text_plain(PARTS), "inlined in geo::shape::area at src/a/geo.cc: 7");
    assert_text(text_part("a\037b"), TEXT_PART "a\\x1fb" TEXT_PART);
}

TEST(separated)
{
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    ck_assert_ptr_null(buf_close_text(out, &text));
    out = buf_open(&text, &size);
    buf_separate(out, "; ");
    fputs("a", out);
    buf_separate(out, "; ");
    fputs("b", out);
    assert_text(buf_close_text(out, &text), "a; b");
}
