/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* What a regular expression of the user's costs before it is tried: regcomp copies what
   is repeated, and copies of copies soon are more than the machine holds.  */

#include "mlprof/base/pattern.h"
#include "testsuite/unit/tests.h"

static void assert_refused(const char *text, const char *want)
{
    struct pattern pattern = {0};
    char *why = pattern_set(&pattern, text);
    ck_assert_msg(why != NULL, "%s is taken", text);
    ck_assert_msg(strcmp(why, want) == 0, "%s: %s", text, why);
    ck_assert_ptr_null(pattern.text);
    free(why);
}

/* A letter, and COUNT times SUFFIX.  */
static char *repeated(const char *suffix, int count)
{
    char *text = calloc((size_t)count * strlen(suffix) + 2, 1);
    text[0] = 'a';
    for (int i = 0; i < count; i++)
        strcat(text, suffix);
    return text;
}

/* Fifty times: a doubling each is 2 to the 50th.  */
TEST(too_many_copies)
{
    static const char *const suffixes[] = {"+",    "{2}", "{1,}", "{,2}",
                                           "{2}*", "+?",  "*{2,}"};
    static const char *const others[] = {
        "(((((((((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+",
        "a{1001}",
        "a*++++++++++++",
        "a{99999999999999999999,}",
        "(a{100}){100}",
        "[a-z]{100}{100}",
        "b|a{100}*{100}",
        "((a*)*){500}",
        "b+++++++a?+++++++++"};
    for (size_t i = 0; i < LENGTH(suffixes); i++) {
        char *text = repeated(suffixes[i], 50);
        assert_refused(text, "it repeats too much");
        free(text);
    }
    for (size_t i = 0; i < LENGTH(others); i++)
        assert_refused(others[i], "it repeats too much");
    char *text = repeated("(", 201);
    assert_refused(text, "too many parentheses within each other");
    free(text);
}

/* What is only long, or repeats in many places, each for itself.  */
TEST(enough)
{
    static const char *const cases[][2] = {
        {"^(std::)+[a-z_]+<(.+, ?)*.+>+$", "std::map<int, x>"},
        {"a{0,}b{2,}c{,3}d{2,4}", "bbddd"},
        {"((a*)*){100}b", "b"},
        {"a++b", "aaab"},
        {"\\+\\+[+*{9999}]x", "++}x"},
    };
    struct pattern pattern = {0};
    for (size_t i = 0; i < LENGTH(cases); i++) {
        char *why = pattern_set(&pattern, cases[i][0]);
        ck_assert_msg(!why, "%s: %s", cases[i][0], why);
        ck_assert_msg(pattern_is_in(&pattern, cases[i][1]), "%s", cases[i][0]);
    }
    /* Many, but none of them of another.  */
    char *text = repeated("(b)+", 1000), *why = pattern_set(&pattern, text);
    ck_assert_msg(!why, "%s", why);
    pattern_free(&pattern);
    free(text);
}
