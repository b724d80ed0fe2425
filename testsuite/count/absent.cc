// SPDX-License-Identifier: GPL-3.0-or-later
// Of classes and templates, of which nothing is compiled either.
//: (anonymous namespace)::hidden::get 0, (anonymous namespace)::hidden::virtually 0, alive::alive 2
//: alive::~alive 2, header_static 0, main 1, main.lambda 0, not_referred_to 0, shape::area 0, shape::shape 0
//: shape::~shape 0, twice<double> 0, twice<int> 1, under_if_0 0

#include "absent.h"

#include <algorithm>

template <class T> static T twice(T x) { return x + x; }

namespace
{
struct hidden {
    int get() { return 1; }
    virtual int virtually() { return 2; }
};
} // namespace

struct shape {
    int side;
    shape(int n) : side(n) {}
    virtual ~shape() {}
    int area() const { return side * side; }
};

struct alive {
    int side;
    alive(int n) : side(n) {}
    ~alive() { side = 0; }
};

static int under_if_0(int x) { return x + 1; }
inline int not_referred_to(int x) { return x + 3; }

int main()
{
    int numbers[] = {3, 1, 2};
    alive one(1), two(2);
    std::sort(numbers, numbers + 3);
    if (0) {
        hidden here;
        return shape(3).area() + twice(2.5) + under_if_0(3) + here.get() +
               [](int x) { return x; }(3);
    }
    return twice(numbers[0]) - one.side - one.side;
}
