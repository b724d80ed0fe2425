/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Names of C++ from symbols. Some names would have gigabytes, and for some symbols the
   demangler of GCC 12 never ends. */

#include "mlprof/names/readable.h"
#include "testsuite/unit/tests.h"

/* No compiler generates this symbol. */
#define ENDLESS "_Z1fIXsr3stdDi5valueEEvv"

static void expect(const char *symbol, const char *want)
{
    assert_text(demangle(symbol), want);
}

TEST(usual)
{
    expect("_Z1fIiEvT_", "void f<int>(int)");
    expect("_ZN1AC1Ev", "A::A()");
    expect("main", NULL);
    expect("", NULL);
    expect(NULL, NULL);
    /* A part is read before the error is found. */
    expect("_Z1fT_", NULL);
}

/* Stores the symbol of f<P<P<...>, P<...> > >() in SYMBOL. DEPTH pairs are nested. */
static void nest(char *symbol, int depth)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char *to = symbol + sprintf(symbol, "_Z1fI1PI");
    for (int i = 1; i < depth; i++)
        to += sprintf(to, "S0_I");
    to += sprintf(to, "iiE");
    for (int i = 1; i < depth; i++)
        to += sprintf(to, "S%c_E", digits[i]);
    sprintf(to, "Evv");
}

TEST(nested)
{
    char symbol[300];
    size_t length = strlen("P<int, int>");
    nest(symbol, 2);
    expect(symbol, "void f<P<P<int, int>, P<int, int> > >()");
    for (int depth = 1; depth <= 30; depth++) {
        nest(symbol, depth);
        char *name = demangle(symbol);
        size_t whole = length + strlen("void f< >()");
        if (whole <= DEMANGLE_MOST)
            ck_assert_uint_eq(strlen(name), whole);
        else
            ck_assert_str_eq(name, symbol);
        free(name);
        length += length + strlen("P<,  >");
    }
}

/* Other demanglers recognise these symbols as invalid. */
TEST(endless)
{
    for (int i = 0; i < 20; i++) {
        char *name = demangle(ENDLESS);
        if (name)
            ck_assert_str_eq(name, ENDLESS);
        free(name);
    }
}
