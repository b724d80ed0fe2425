// SPDX-License-Identifier: GPL-3.0-or-later
// The second compilation of classes.cc.

#include "classes.h"

#include <cstdarg>

static int local(int n)
{
    int sum = 0;
    while (n > 0) {
        sum += n & 3;
        n >>= 2;
    }
    return sum;
}

int Square::area(int scale) const
{
    return scale * scale;
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

int quiet(int n)
{
    return n > 3 ? n : 3;
}

int others(int n)
{
    Book<std::string, int> book;
    Regular<3> shape(n);
    for (int i = 0; i < n; i++)
        book.add(i % 2 ? "odd" : "even", collatz(i) + local(i));
    const Shape &any = shape;
    return book.sum() + any.area(n);
}
