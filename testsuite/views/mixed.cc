// SPDX-License-Identifier: GPL-3.0-or-later
// Overloads, instances of a template, what is inlined of the library, and an exception.

#include <algorithm>
#include <vector>

static inline unsigned mix(unsigned x)
{
    return (x ^ x >> 15) * 0x2c1b3c6du;
}

namespace geo
{
template <class T, int N> struct vec {
    T v[N];
    T sum() const
    {
        T s = 0;
        for (int i = 0; i < N; i++)
            s += v[i];
        return s;
    }
};
} // namespace geo

__attribute__((noinline)) unsigned area(unsigned r)
{
    return mix(r) / 7 + mix(r + 1);
}

__attribute__((noinline)) double area(double a, double b)
{
    double c = a * b;
    return c + mix((unsigned)a);
}

volatile unsigned sink;

int main(int count, char **)
{
    geo::vec<double, 5> d{{1, 2, 3, (double)count}};
    geo::vec<unsigned, 9> u{{(unsigned)count}};
    std::vector<int> list;
    for (int i = 0; i < count; i++)
        list.push_back(u.v[i % 9]++ + i);
    std::sort(list.begin(), list.end());
    try {
        sink = area(d.sum(), list.at(2)) + area(u.sum());
    } catch (...) {
        sink = mix(3);
    }
}
