/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/cxxname.c plugin/tables/memory.c */
/* The demangler's output in the form of c++filt -p, and the shown name. */

#include "plugin/tables/cxxname.h"
#include "testsuite/unit/tests.h"

static const struct {
    const char *demangled, *spelt;
} names[] = {
    {"(anonymous namespace)::h", "(anonymous namespace)::h"},
    /* Template arguments stay. */
    {"fun<int (int)>", "fun<int (int)>"},
    {"mp<int (A::*)(int) const, 3>", "mp<int (A::*)(int) const, 3>"},
    {"tp<&(operator<(A, B))>::f", "tp<&(operator<(A, B))>::f"},
    {"cut<(((x)>(3)))>::f", "cut<(((x)>(3)))>::f"},
    {"A<&(B::operator->)>::f", "A<&(B::operator->)>::f"},
    /* Empty packs are removed. */
    {"std::thread::thread<main::{lambda()#1}, , void>",
     "std::thread::thread<main.lambda, void>"},
    {"f<, int>", "f<int>"},
    {"f<, , >", "f<>"},
    /* Enclosing functions lose their parameters. */
    {"f(int)::Local::g", "f::Local::g"},
    {"g<f(int)::Local>", "g<f::Local>"},
    {"A::operator<(A const&)::foo", "A::operator<::foo"},
    {"f(bool (*)(A<(3)>) const&)::B::h", "f::B::h"},
    /* Lambdas. */
    {"f(int)::{lambda(int)#1}::operator() const", "f.lambda"},
    {"f(int)::{lambda(auto:1)#1}::operator()<int> const", "f.lambda<int>"},
    {"f(int)::{lambda(auto:1)#1}::operator()<int>(int) const::{lambda()#2}::operator() "
     "const",
     "f.lambda<int>.lambda"},
    {"f(int)::{lambda(auto:1)#1}::_FUN<int>", "f.lambda<int>"},
    {"{lambda()#1}::operator() const", "lambda"},
    {"run<f(int)::{default arg#2}::{lambda()#1}>", "run<f.lambda>"},
    /* Operators. */
    {"operator<=> <A<int> >", "operator<=> <A<int> >"},
    {"A::operator->", "A::operator->"},
    {"A::operator() const", "A::operator()"},
    {"A::operator()(int) const::B::f", "A::operator()::B::f"},
    {"A::operator int (*)(int)", "A::operator int (*)(int)"},
    {"myoperator<int>", "myoperator<int>"},
    /* Unclosed brackets. */
    {"", ""},
    {"f<int", "f<int"},
    {"f(int", "f"},
    {"{lambda(", "lambda"},
    {"f>", "f>"},
};

TEST_ROWS(spells, names)
{
    char *name = strdup(names[_i].demangled);
    cxxname_shorten(name);
    ck_assert_str_eq(name, names[_i].spelt);
    free(name);
}
