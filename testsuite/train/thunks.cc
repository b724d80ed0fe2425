// SPDX-License-Identifier: GPL-3.0-or-later
// What is called by a pointer and has no profile of GCC's: thunks of variadic functions,
// and functions with an attribute. And what runs before main.

#include <cstdarg>
#include <cstdio>

struct Shape {
    virtual ~Shape() = default;
    virtual int area(int scale) const = 0;
};

struct Named {
    virtual ~Named() = default;
    virtual const char *name(int number) const = 0;
    virtual int pick(int count, ...) const = 0;
};

// Its functions are called by way of Named with another address of the object.
struct Square : Shape, Named {
    int area(int scale) const override;
    const char *name(int number) const override;
    int pick(int count, ...) const override;
};

int Square::area(int scale) const
{
    return scale % 2 ? scale * scale : -scale;
}

const char *Square::name(int number) const
{
    return number % 4 ? "square" : "box";
}

int Square::pick(int count, ...) const
{
    va_list list;
    int picked = 0;
    va_start(list, count);
    while (count-- > 0)
        picked = va_arg(list, int);
    va_end(list);
    return picked;
}

__attribute__((no_profile_instrument_function)) static int quiet(int n)
{
    return n > 3 ? n : 3;
}

static volatile int zero;
static const int start = Square().area(27 + zero);

int main()
{
    int sum = start;
    const Square square;
    const Named *volatile named = &square;
    int (*volatile call)(int) = quiet;
    for (int i = 0; i < 33; i++)
        sum += named->name(i)[0] + call(i);
    for (int i = 0; i < 21; i++)
        sum += named->pick(2, i, 3 * i);
    std::printf("%d\n", sum);
}
