/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Names in fewer columns than they need. */

#include "mlprof/base/buf.h"
#include "mlprof/base/cxxname.h"
#include "mlprof/base/text.h"
#include "testsuite/unit/tests.h"

#define TREE "std::_Rb_tree<std::string, std::pair<int, double>>::_M_insert"

static const struct {
    const char *name;
    size_t most;
    const char *want;
} names[] = {
    {TREE, sizeof TREE - 1, TREE},
    /* First leading scopes are removed, then arguments, the deepest first, then more
       scopes. */
    {TREE, 60, "...:_Rb_tree<std::string, std::pair<int, double>>::_M_insert"},
    {TREE, 42, "std::_Rb_tree<std::string, ...>::_M_insert"},
    {TREE, 41, "std::_Rb_tree<...>::_M_insert"},
    {TREE, 13, "...:_M_insert"},
    {TREE, 12, "_M_insert"},
    /* A shortened list never keeps only its end. */
    {"space::parse_and_throw<std::vector<std::string>>", 25, "...::parse_and_throw<...>"},
    {"space::parse_and_throw<std::vector<std::string>>", 19, "parse_and_throw"},
    {"a::b<int, c, 48>::f", 12, "...::f"},
    {"a<int, std::vector<std::string>, ...>::f", 18, "a<int, ...>::f"},
    /* Parameters, and the return type. */
    {"std::function<int (int)>::function(std::function<int (int)> const&)", 35,
     "std::function<...>::function(...)"},
    {"unsigned long space::hash<std::string>(std::string const&)", 20,
     "...::hash<...>(...)"},
    {"worker(int)::{lambda(std::string const&, double)#1}::operator()(int) const", 26,
     "...::operator()(int) const"},
    {"space::run() const", 11, "run() const"},
    /* Names of operators contain brackets that do not close a list. */
    {"space::operator< <std::string>", 16, "operator< <...>"},
    {"space::of<std::string>::operator->", 17, "...::operator->"},
    {"space::type::operator std::string", 26, "...::operator std::string"},
    /* Text after a name stays. */
    {"space::worker.lambda (t.cc:52)", 19, "...lambda (t.cc:52)"},
    {"space::list<std::string>::push and 2 more", 22, "...::push and 2 more"},
    /* Names of other languages, and damaged names. */
    {"abcdefghi", 8, "abc...hi"},
    {"module.some_procedure", 12, "some_...dure"},
    {"sum.<case 123456789>", 12, "<case...789>"},
    {"a<b<c::doors", 10, "...::doors"},
};

TEST_ROWS(fits, names)
{
    assert_text(cxxname_fit(names[_i].name, names[_i].most), names[_i].want);
}

/* Any text: the result is not wider than allowed, and no byte after the end of the name
   is read. */
TEST_ROWS(any_beginning_at_any_width, names)
{
    const char *name = names[_i].name;
    for (size_t length = 0; length <= strlen(name); length++)
        for (size_t most = 4; most <= length + 1; most++) {
            char *cut = buf_copy_prefix(name, length), *shown = cxxname_fit(cut, most);
            ck_assert_uint_le(text_width(shown), most);
            ck_assert(length > most || strcmp(shown, cut) == 0);
            free(shown);
            free(cut);
        }
}

TEST(endless_brackets)
{
    static const char brackets[] = "<([{>)]}";
    for (size_t i = 0; i < sizeof brackets - 1; i++) {
        char *name = malloc(100001), *shown;
        memset(name, brackets[i], 100000);
        name[0] = 'f';
        name[100000] = 0;
        shown = cxxname_fit(name, 20);
        ck_assert_uint_eq(text_width(shown), 20);
        free(shown);
        free(name);
    }
}

TEST(places_stay)
{
    static const struct {
        const char *name, *at; /* the beginning of part AT */
        size_t most;
        const char *shown; /* NULL: the part is not shown */
    } cases[] = {
        {"a::visit<first::thing, second<of, these>, third<one>>::call", "second<", 50,
         "a::visit<...second<of, these>, thi...>::call"},
        {"a::visit<first<one, two, three, four, five>, six>", "five", 40,
         "a::visit<...five, six>"},
        {"a::visit<first::thing, second>", "visit", 40, NULL},
        {"a::visit<first::thing, second>::a_call_of_a_long_name", "second", 50, NULL},
        {"a::operator<< <first::thing, second, third, fourth>", "second", 40,
         "a::operator<< <...second, thir...>"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        size_t from = (size_t)(strstr(cases[i].name, cases[i].at) - cases[i].name);
        char *text = cxxname_keep_places(cases[i].name, &from, 1, cases[i].most);
        if (cases[i].shown)
            ck_assert_str_eq(text, cases[i].shown);
        else
            ck_assert_ptr_null(text);
        ck_assert(!text || strlen(text) <= cases[i].most);
        free(text);
    }
}
