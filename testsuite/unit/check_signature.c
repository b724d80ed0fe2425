/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Names of functions without arguments and return types. */

#include "mlprof/names/readable.h"
#include "testsuite/unit/tests.h"

static const struct {
    const char *demangled, *name;
} names[] = {
    {"std::_Hash_bytes(void const*, unsigned long, unsigned long)", "std::_Hash_bytes"},
    {"main", "main"},
    {"a::b(int) const &&", "a::b"},
    {"f(int) [clone .cold]", "f"},
    /* The name of a template function contains its return type. */
    {"int f<int>(int)", "f<int>"},
    {"std::enable_if<(1)>(2), int>::type f<int>(int)", "f<int>"},
    {"auto v::reset()::{lambda(auto:1&&)#1}::operator()<int>(int) const",
     "v::reset()::{lambda(auto:1&&)#1}::operator()<int>"},
    {"void (*f<int>(int))(char)", "void (*f<int>(int))(char)"},
    {"void (anonymous namespace)::f<int>(int)", "(anonymous namespace)::f<int>"},
    {"f(void (*)(int), std::function<void ()>)", "f"},
    {"decltype (a->b) f<int>(int)", "f<int>"},
    /* Operators. */
    {"operator new(unsigned long)", "operator new"},
    {"operator delete[](void*)", "operator delete[]"},
    {"a::operator->() const", "a::operator->"},
    {"bool std::operator< <char>(a<char> const&, int)", "std::operator< <char>"},
    {"std::ostream& std::operator<< <int>(std::ostream&)", "std::operator<< <int>"},
    {"a<b>::operator unsigned long() const", "a<b>::operator unsigned long"},
    {"a::operator std::vector<int>() const", "a::operator std::vector<int>"},
    {"operators::f(int)", "operators::f"},
    {"my_operator(int)", "my_operator"},
    /* Names that are not functions, or are damaged. */
    {"vtable for a::b", "vtable for a::b"},
    {"f(int", "f(int"},
    {"", ""},
};

TEST_ROWS(name_is_alone, names)
{
    assert_text(signature_name(names[_i].demangled), names[_i].name);
}
