// SPDX-License-Identifier: GPL-3.0-or-later
// Functions whose names are alike, called so often: each argument of ROUNDS.

#include <cstdio>
#include <cstdlib>

#define KEPT __attribute__((noipa))

static int sq(int x)
{
    return x * x;
}
static int cu(int x)
{
    return x * x * x;
}
template <int (*F)(int)> KEPT int tp(int x)
{
    return F(x) + 1;
}
KEPT int over(int x)
{
    return x + 1;
}
KEPT int over(double x)
{
    return (int)x + 2;
}
struct holder {
    KEPT int with(
        int x, int (*f)(int) = [](int y) { return y * 5; }) const
    {
        return f(x);
    }
};
// Two functions of one lambda.
template <class T> KEPT int instances(T x)
{
    auto one = [](auto y) { return (int)(y + 1); };
    return one(x) + one((double)x) + one((double)x * 2);
}
// Two lambdas in one line.
// clang-format off
KEPT int both(int x)
{
    int (*one)(int) = [](int y) { return y + 1; }, (*two)(int) = [](int y) { return y - 1; };
    return one(x) + two(x) * 2 + two(x + 1);
}
// clang-format on

int other(int x);
static KEPT int local(int x)
{
    return x + 3;
}

static long compared;

int main()
{
    int values[3000], sum = 0;
    unsigned seed = 1;

    for (int &value : values)
        value = (int)((seed = seed * 1103515245 + 12345) >> 8);
    qsort(values, 3000, sizeof *values, [](const void *a, const void *b) {
        compared++;
        return (*(int *)a > *(int *)b) - (*(int *)a < *(int *)b);
    });
    for (int i = 0; i < 10; i++)
        sum += tp<sq>(i) + over(i) + local(i);
    for (int i = 0; i < 20; i++)
        sum += tp<cu>(i) + over((double)i) + other(i);
    for (int i = 0; i < 30; i++)
        sum += holder().with(i) + both(i) + instances(i);
    std::printf("%ld\n", compared);
    return sum == 77777;
}
