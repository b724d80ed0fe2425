// SPDX-License-Identifier: GPL-3.0-or-later
// Exceptions through several frames, with and without cleanups, for inclusive
// instructions: each call that an exception leaves is closed where it is caught.
#include <cstdio>

#define NOINLINE __attribute__((noinline, noclone))

static int left;

struct guard {
    int number;
    NOINLINE ~guard()
    {
        for (int i = 0; i < number; i++)
            left += i;
    }
};

NOINLINE static void through(int depth)
{
    if (depth == 0)
        throw 1;
    through(depth - 1);
    left++;
}

NOINLINE static void cleaned(int depth)
{
    guard guarded{depth};
    if (depth == 0)
        throw 2L;
    cleaned(depth - 1);
}

NOINLINE static int caught(int depth, bool clean)
{
    try {
        if (clean)
            cleaned(depth);
        else
            through(depth);
    } catch (int) {
        return depth;
    }
    return -1;
}

NOINLINE static int again(int depth)
{
    try {
        return caught(depth, depth & 1) + caught(depth, false);
    } catch (long number) {
        guard guarded{5};
        return depth ? again(depth - 1) : (int)number;
    }
}

int main()
{
    int sum = again(3) + again(2) + caught(6, false);
    std::printf("%d %d\n", sum, left);
    return 0;
}
