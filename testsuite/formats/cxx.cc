// SPDX-License-Identifier: GPL-3.0-or-later
// cxx [SIZE]: templates that are inlined in each other, a recursion, and
// allocations, for the formats of other programs.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

template <typename T, int N> struct box {
    std::vector<T> v;
    T sum() const
    {
        T s{};
        for (auto x : v)
            s += x % N;
        return s;
    }
    void fill(int n)
    {
        for (int i = 0; i < n; i++)
            v.push_back(i * 2654435761u % 1000003);
    }
    // A lambda beside main's: folded stacks do not tell lambdas of one function apart.
    void sort()
    {
        std::sort(v.begin(), v.end(), [](T a, T b) { return a % 1024 < b % 1024; });
    }
};
template <typename F> static unsigned apply(F f, int n)
{
    unsigned s = 0;
    for (int i = 0; i < n; i++)
        s += f(i);
    return s;
}

static unsigned fib(unsigned n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(int count, char **words)
{
    int size = count > 1 ? std::atoi(words[1]) : 50000;
    unsigned total = 0;
    std::map<std::string, unsigned> m;
    for (int r = 0; r < 20; r++) {
        box<unsigned, 7> b;
        b.fill(size);
        b.sort();
        total += b.sum();
        m[std::to_string(r)] += apply([&](int i) { return b.v[i] ^ i; }, size / 2);
    }
    total += fib(30);
    printf("%u %zu\n", total, m.size());
}
