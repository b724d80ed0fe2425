/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The cost of a user's regular expression, estimated before it is compiled. regcomp
   copies repeated parts, and copies of copies soon exceed the memory. Also the functions
   that match a pattern. */

#include "mlprof/names/names.h"
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

/* Returns a letter followed by COUNT times SUFFIX. */
static char *repeated(const char *suffix, int count)
{
    char *text = calloc((size_t)count * strlen(suffix) + 2, 1);
    text[0] = 'a';
    for (int i = 0; i < count; i++)
        strcat(text, suffix);
    return text;
}

/* Fifty nested doublings are 2 to the 50th. */
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

/* Long expressions, and expressions with many separate repetitions. */
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
    /* Many repetitions that are not nested. */
    char *text = repeated("(b)+", 1000), *why = pattern_set(&pattern, text);
    ck_assert_msg(!why, "%s", why);
    pattern_free(&pattern);
    free(text);
}

static const struct meaning {
    const char *pattern;
    unsigned means; /* bit N: function N below */
} meanings[] = {
    /* A match anywhere in the name. ^ and $ are the ends of the name. The file's name
       alone does not match. */
    {"ars", 1 << 1},
    {"main", 1 << 0},
    {"^main$", 1 << 0},
    {"^ai|ai$", 0},
    {"^ns::", 1 << 1},
    {"parse$", 1 << 1},
    {".", 0x1f},
    {"x*", 0x1f},
    /* The position is matched only if the match begins in the name, or if the pattern has
       a character that occurs only in paths. */
    {"main  ", 1 << 0},
    {"^main  src/main\\.c: 3$", 1 << 0},
    {"src", 0},
    {"src/", 0x3},
    {"main\\.c", 0x3},
    {": 7$", 1 << 1},
    {".*vector\\.h", 1 << 2},
    {"h: 9|nobody", 1 << 2},
    /* Arguments match only in their readable form, or after a match that starts before
       them. */
    {"allocator", 0},
    {"allocator<", 0},
    {"vector<int>", 1 << 2},
    {"vector<int, std::allocator", 1 << 2},
    {"Slice", 0},
    {"parse\\(int, Slice", 1 << 1},
    {"int", 1 << 2},
    {"std::string::app", 1 << 3},
    {"__cxx11::basic_string", 1 << 3},
    {"basic_string<char.*append", 1 << 3},
    {"char_traits", 0},
    {"operator<", 1 << 4},
    {"A const", 0},
};

/* Names of C, and names of C++ in readable form, with and without parameters. */
TEST_ROWS(means_functions, meanings)
{
    static const struct identity_source functions[] = {
        {.name = "main", .file = "src/main.c", .line = 3},
        {"ns::parse", "_ZN2ns5parseEi5Slice", "src/main.c", 7, 1},
        {"std::vector<int, std::allocator<int> >::push_back",
         "_ZNSt6vectorIiSaIiEE9push_backERKi", "vector.h", 9, 1},
        {"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> "
         ">::append",
         "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc", NULL, 0, 0},
        {"operator<", "_ZltRK1AS1_", NULL, 0, 0},
    };
    const struct names_style style = {.long_name = true, .form = NAMES_READABLE};
    const struct meaning *row = &meanings[_i];
    struct pattern pattern = {0};
    char *why = pattern_set(&pattern, row->pattern);
    ck_assert_msg(!why, "%s", why);
    for (size_t i = 0; i < LENGTH(functions); i++) {
        bool means = names_match(&pattern, &functions[i], NULL, &style);
        ck_assert_msg(means == (row->means >> i & 1), "%s: %s is %smeant", row->pattern,
                      functions[i].name, means ? "" : "not ");
    }
    pattern_free(&pattern);
}
