/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Functions with the same shown name: the shortened names keep their differences and are
   not wider than other names. */

#include "mlprof/base/text.h"
#include "mlprof/names/readable.h"
#include "mlprof/names/names.h"
#include "testsuite/unit/tests.h"

#define COUNT 4

#define LONG                                                                             \
    "of_many::parts<one::thing, another::thing, and_a_third::thing, a_fourth::one>"

#define TEN  "a::ab, a::bc, a::cd, a::de, a::ef, a::fg, a::gh, a::hi, a::ij, a::jk"
#define LIST TEN ", " TEN ", " TEN

/* Shows these names as functions on different lines, in readable form. */
static void show(const char *const names[], size_t count, const char *shown[])
{
    static struct intern texts;
    const struct names_style style = {.long_name = true, .form = NAMES_READABLE};
    struct identity_source sources[COUNT];
    struct names_unique list[COUNT];
    for (size_t i = 0; i < count; i++) {
        sources[i] = (struct identity_source){.name = names[i],
                                              .symbol = names[i],
                                              .file = "a.cc",
                                              .line = (uint32_t)i + 1};
        list[i] = (struct names_unique){.source = &sources[i]};
    }
    names_make_unique(list, count, &texts, &style);
    for (size_t i = 0; i < count; i++)
        shown[i] = list[i].shown;
}

/* The third name differs from the others in another place than these from each other. Of
   many arguments, only the different ones are shown. */
TEST(long_names_keep_differences)
{
    const char *const names[] = {
        "space::visit<pack<" LIST ", first_cookie>, pack<" LIST ", zeroes>>::call",
        "space::visit<pack<" LIST ", first_cookie>, pack<" LIST ", single>>::call",
        "space::visit<pack<" LIST ", other_cookie>, pack<" LIST ", single>>::call"};
    static const char *const want[] = {
        "space::visit<...first_cookie, pack<a::ab, a:...>...zeroes>::call",
        "space::visit<...first_cookie, pack<a::ab, a:...>...single>::call",
        "space::visit<...other_cookie, pack<a::ab, a::bc, a::cd, a::de, a::ef, a::fg, "
        "a::gh,...>...>::call"};
    const char *shown[3];
    show(names, 3, shown);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_str_eq(shown[i], want[i]);
        ck_assert_uint_le(text_width(shown[i]), READABLE_WIDEST);
    }
}

/* Names without room for all their differences are still made different. */
TEST(names_differ)
{
    const char *const names[] = {"visit<" LONG "::a_first<a, a, a, a, a>, " LONG ">",
                                 "visit<" LONG "::b_first<a, a, a, a, b>, " LONG ">",
                                 "visit<" LONG "::b_first<a, a, a, b, b>, " LONG ">",
                                 "visit<" LONG "::b_first<a, b, b, b, c>, " LONG ">"};
    const char *shown[COUNT];
    show(names, COUNT, shown);
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < i; k++)
            ck_assert_str_ne(shown[i], shown[k]);
}

/* The plugin has shortened these names (plugin/gcc/names.h), and the demangler does not
   know their symbols. */
TEST(shortened_names_differ)
{
    const struct names_style style = {.long_name = true, .form = NAMES_READABLE};
    struct intern texts = {0};
    struct identity_source sources[] = {
        {.name = "a<...>::f", .symbol = "_Zfirst", .file = "a.cc", .line = 1},
        {.name = "a<...>::f", .symbol = "_Zother", .file = "a.cc", .line = 1}};
    struct names_unique list[] = {{.source = &sources[0]}, {.source = &sources[1]}};
    names_make_unique(list, 2, &texts, &style);
    ck_assert_str_eq(list[0].shown, "_Zfirst");
    ck_assert_str_eq(list[1].shown, "_Zother");
    intern_free(&texts);
}
