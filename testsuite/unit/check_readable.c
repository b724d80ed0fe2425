/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Readable names of C++: the input as GCC 12 and its demangler print it, and the
   expected name. */

#include "mlprof/base/buf.h"
#include "mlprof/names/readable.h"
#include "testsuite/unit/tests.h"

#define STRING                                                                           \
    "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"
#define ITERATOR "__gnu_cxx::__normal_iterator<char const*, " STRING " >"
#define EXECUTOR                                                                         \
    "std::__detail::_Executor<" ITERATOR                                                 \
    ", std::allocator<std::__cxx11::sub_match<" ITERATOR                                 \
    " > >, std::__cxx11::regex_traits<char>, true>"
#define SCOPES "abcdefghi::abcdefghi::abcdefghi::abcdefghi::abcdefghi::abcdefghi"
#define LONG                                                                             \
    "a_name_of_c_that_is_longer_than_any_line_of_a_terminal_and_longer_than_a_hundred_"  \
    "columns_which_nobody_writes"

static const struct {
    const char *name, *shown;
} names[] = {
    /* Strings, streams, regular expressions; their constructors. */
    {STRING "::basic_string", "std::string::string"},
    {STRING "::~basic_string", "std::string::~string"},
    {STRING "::basic_string<char*, void>", "std::string::string<char*, void>"},
    {"std::basic_string<wchar_t, std::char_traits<wchar_t>, std::allocator<wchar_t> "
     ">::at",
     "std::wstring::at"},
    {"std::__cxx11::basic_ostringstream<char, std::char_traits<char>, "
     "std::allocator<char> >::str",
     "std::ostringstream::str"},
    {"std::__cxx11::basic_regex<char, std::__cxx11::regex_traits<char> >::_M_compile",
     "std::regex::_M_compile"},
    /* Inline namespaces of other libraries, by name, and namespaces that only look like
       one. */
    {"nlohmann::json_abi_diag_v3_11_3::detail::dtoa_impl::grisu2",
     "nlohmann::detail::dtoa_impl::grisu2"},
    {"std::map<int, int, std::less<> >::at", "std::map<int, int, std::less<>>::at"},
    {"lib::abi_v2::f", "lib::f"},
    {"fmt::v10::detail::write<char>", "fmt::detail::write<char>"},
    {"absl::lts_20230802::Mutex::Lock", "absl::Mutex::Lock"},
    {"absl::lts_2019_08_08::Mutex::Lock", "absl::Mutex::Lock"},
    {"std::__1::vector<int, std::__1::allocator<int> >::size", "std::vector<int>::size"},
    {"api::v1::f", "api::v1::f"},
    {"my::fmt::v9::f", "my::fmt::v9::f"},
    {"json_abi_v3_11_2::f", "json_abi_v3_11_2::f"},
    {"lib::json_abi_v3_11_2", "lib::json_abi_v3_11_2"},
    {"lib::grabi_v2::f", "lib::grabi_v2::f"},
    {"lib::abi_v2_::f", "lib::f"},
    /* A name of 100 columns stays, one of 101 loses its middle. Names of C are never
       shortened, nor is a last component. */
    {"outermost::abcdefghi::" SCOPES "::the_names_of",
     "outermost::abcdefghi::" SCOPES "::the_names_of"},
    {"outermost::abcdefghi::" SCOPES "::the_name_of_a",
     "outermost::...::" SCOPES "::the_name_of_a"},
    {LONG, LONG},
    {"space::inside::" LONG, "space::...::" LONG},
    /* Types that are not typedefs of the standard library. */
    {"mine::basic_string<char>::size", "mine::basic_string<char>::size"},
    {"std::basic_string<char, mine::traits, std::allocator<char> >::size",
     "std::basic_string<char, mine::traits>::size"},
    /* Arguments that are defaults, and arguments that are not. */
    {"std::vector<int, std::allocator<int> >::push_back", "std::vector<int>::push_back"},
    {"std::vector<int, mine::pool<int> >::push_back",
     "std::vector<int, mine::pool<int>>::push_back"},
    {"std::vector<int, std::allocator<long> >::push_back",
     "std::vector<int, std::allocator<long>>::push_back"},
    {"std::map<" STRING ", std::vector<int, std::allocator<int> >, std::less<" STRING
     " >, std::allocator<std::pair<" STRING
     " const, std::vector<int, std::allocator<int> > > > >::operator[]",
     "std::map<std::string, std::vector<int>>::operator[]"},
    {"std::unordered_map<" STRING ", int, std::hash<" STRING " >, std::equal_to<" STRING
     " >, std::allocator<std::pair<" STRING " const, int> > >::find",
     "std::unordered_map<std::string, int>::find"},
    {"std::unique_ptr<node, std::default_delete<node> >::~unique_ptr",
     "std::unique_ptr<node>::~unique_ptr"},
    {"std::unique_ptr<_IO_FILE, int (*)(_IO_FILE*)>::reset",
     "std::unique_ptr<_IO_FILE, int (*)(_IO_FILE*)>::reset"},
    {"std::chrono::duration<long, std::ratio<1, 1> >::count",
     "std::chrono::duration<long>::count"},
    {"std::chrono::_V2::system_clock::now", "std::chrono::system_clock::now"},
    {"mine::_V2::now<std::string>", "mine::_V2::now<std::string>"},
    /* Arguments are left out, nested ones first, then long ones. */
    {EXECUTOR "::_M_dfs", "std::__detail::_Executor<..., true>::_M_dfs"},
    {"std::vector<std::pair<" ITERATOR ", int>, std::allocator<std::pair<" ITERATOR
     ", int> > >::vector",
     "std::vector<std::pair<..., int>>::vector"},
    {"first<a_long_argument_that_is_a_class_of_its_own, another_one_of_that_kind>::go",
     "first<..., another_one_of_that_kind>::go"},
    /* Operators. */
    {"std::operator< <char, std::char_traits<char>, std::allocator<char> >",
     "std::operator< <char>"},
    {"std::operator<=><int, std::allocator<int> >", "std::operator<=><int>"},
    {"std::unique_ptr<node, std::default_delete<node> >::operator->",
     "std::unique_ptr<node>::operator->"},
    {"p<int, std::less<int> >::operator()<int>", "p<int>::operator()<int>"},
    {"any::operator std::vector<int, std::allocator<int> >",
     "any::operator std::vector<int>"},
    {"std::literals::operator\"\"_w<char, std::char_traits<char> >",
     "std::literals::operator\"\"_w<char>"},
    {"operators<int, std::allocator<int> >::go", "operators<int>::go"},
    /* Lambdas, functions, anonymous namespaces, ABI tags, characters. */
    {"each<std::vector<int, std::allocator<int> >, main.lambda>",
     "each<std::vector<int>, main.lambda>"},
    {"f[abi:one][abi:two]<int>", "f<int>"},
    {"seek<'<', '>'>::to", "seek<'<', '>'>::to"},
    /* Texts that are not names of C++, or cannot be parsed. */
    {"", ""},
    {"<unprofiled>", "<unprofiled>"},
    {"package.\"<\"", "package.\"<\""},
    {"a<b", "a<b"},
    {"std::a<b)>", "std::a<b)>"},
    {"decltype ((a)>(b)) std::f<int, std::allocator<int> >",
     "decltype ((a)>(b)) std::f<int, std::allocator<int> >"},
};

TEST_ROWS(name_is_readable, names)
{
    assert_text(readable(names[_i].name, READABLE_MOST), names[_i].shown);
}

TEST(nothing_is_left_out)
{
    assert_text(readable(EXECUTOR "::_M_dfs", 0),
                "std::__detail::_Executor<__gnu_cxx::__normal_iterator<char const*, "
                "std::string>, std::allocator<std::sub_match<__gnu_cxx::"
                "__normal_iterator<char const*, std::string>>>, "
                "std::regex_traits<char>, true>::_M_dfs");
}

/* A list of any length loses its default arguments. */
TEST(list_is_long)
{
    BUF_OWN char *types = buf_alloc(100 * strlen("int, ") + 1);
    for (int i = 0; i < 100; i++)
        strcat(types, "int, ");
    BUF_OWN char *name = buf_format("list<%sstd::less<int> >::at", types);
    types[strlen(types) - strlen(", ")] = '\0';
    BUF_OWN char *shown = buf_format("list<%s>::at", types);
    assert_text(readable(name, 0), shown);
}

/* Deep names do not crash the program and are fast. For damaged names, no byte after the
   end of the name is read. */
TEST(names_that_are_broken)
{
    size_t deep = 100000;
    char *name = buf_alloc(2 * deep + 1);
    for (size_t i = 0; i < deep; i++)
        memcpy(name + 2 * i, "a<", 2);
    assert_text(readable(name, READABLE_MOST), name);
    free(name);
    for (size_t i = 0; i < LENGTH(names); i++)
        for (size_t length = 0; length < strlen(names[i].name); length++) {
            char *cut = buf_copy_prefix(names[i].name, length);
            free(readable(cut, READABLE_MOST));
            free(readable(cut, 0));
            free(cut);
        }
}
