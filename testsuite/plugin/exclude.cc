// SPDX-License-Identifier: GPL-3.0-or-later
// CCPROF_EXCLUDE wherever it may stand; -DNONE is the same program without it. Each
// function's product can be found by its constant.

#include "ccprof.h"

#ifdef NONE
#undef CCPROF_EXCLUDE
#define CCPROF_EXCLUDE
#endif

#define APART __attribute__((noinline))

int sink;

namespace shapes
{

template <class T> CCPROF_EXCLUDE inline T scaled(T x)
{
    return (x * 0x12345671) ^ 5;
}

template <class T> struct Box {
    CCPROF_EXCLUDE explicit Box(T x) : side(x * 0x19660d)
    {
    }
    CCPROF_EXCLUDE ~Box()
    {
        sink += side;
    }
    CCPROF_EXCLUDE T grown(T x) const
    {
        return (side + x) * 0x2545f49;
    }
    T kept(T x) const
    {
        return (side ^ x) * 0x3ade68b;
    }
    T side;
};

class CCPROF_EXCLUDE Hidden
{
  public:
    APART static int first(int x)
    {
        return x * 0x41c64e6d;
    }
    struct Inner {
        static int second(int x)
        {
            auto third = [](int y) { return y * 0x2b2ae35; };
            return third(x) + 1;
        }
    };
};

} // namespace shapes

// With machine code of its own, a clone for the second argument, and kept in it.
CCPROF_EXCLUDE static APART int apart(int x, int y)
{
    shapes::Box<int> box(x);
    sink = x;
    return box.kept(y) + sink;
}

APART int use(int x)
{
    auto hidden = [x](int y) CCPROF_EXCLUDE { return (x ^ y) * 0x1b873593; };
    auto shown = [x](int y) { return (x ^ y) * 0x85ebca6; };
    shapes::Box<int> box(shapes::scaled(x));
    return hidden(box.grown(x)) + shown(apart(x, 7)) + shapes::Hidden::first(x) +
           shapes::Hidden::Inner::second(x);
}

int main(int argc, char **)
{
    return use(argc) == 1;
}
