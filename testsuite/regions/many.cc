// SPDX-License-Identifier: GPL-3.0-or-later
// 100 functions with a stopwatch whose names differ behind 700 bytes: work<table, N>::run
// has half of the time if N is 98, a quarter if it is 99. And functions of one name and
// line: instances of a template, and overloads.

#include <map>
#include <string>
#include <utility>
#include <vector>

static volatile unsigned sink;

using table = std::map<std::string, std::vector<std::pair<std::string, std::string>>>;

template <class T, int N> struct work {
    __attribute__((noinline)) static void run(long rounds)
    {
        rounds *= N == 98 ? 200 : N == 99 ? 100 : 1;
        for (long i = 0; i < rounds; i++)
            sink = sink * 1664525 + 1013904223;
    }
};

template <int... N> static void all(std::integer_sequence<int, N...>, long rounds)
{
    (work<table, N>::run(rounds), ...);
}

template <class Body> __attribute__((noinline)) static void timed(Body body)
{
    body();
}

struct S {
    // clang-format off
    __attribute__((noinline)) static void f(int) { sink = sink + 1; } __attribute__((noinline)) static void f(double) { sink = sink + 2; }
    // clang-format on
};

int main()
{
    for (int i = 0; i < 3; i++)
        timed([] { S::f(1); });
    for (int i = 0; i < 4; i++)
        timed([] { S::f(2.0); });
    for (int i = 0; i < 10; i++)
        all(std::make_integer_sequence<int, 100>(), 200000);
}
