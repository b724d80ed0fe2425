// SPDX-License-Identifier: GPL-3.0-or-later
// Exceptions through 1 to 20 frames. Each function has one caller, so that what it
// executes with all callees is the sum of what these functions execute themselves. The
// number at the end of a name is the frame's.
#include "storms.h"

static volatile int sink;
long caught, passed_on;

extern "C" {
// Cleanups, one of which throws and catches an exception of its own.
#define CLEAN(N)                                                                         \
    NOINLINE static void clean_##N(int depth)                                            \
    {                                                                                    \
        for (int i = 0; i < N % 4 + depth % 3; i++)                                      \
            sink += N * i;                                                               \
    }
CLEAN(1)
CLEAN(4)
CLEAN(7)
CLEAN(10)
CLEAN(16)
CLEAN(19)

NOINLINE static void throw_13(int depth)
{
    if (depth & 1)
        throw 'c';
    sink++;
}

NOINLINE static void try_13(int depth)
{
    try {
        throw_13(depth);
    } catch (char) {
        caught++;
    }
}

NOINLINE static void clean_13(int depth)
{
    try_13(depth);
    sink++;
}
}

template <void (*clean)(int)> struct guard {
    int depth;
    ~guard()
    {
        clean(depth);
        sink++; // the call is not in tail position
    }
};

extern "C" {
NOINLINE static void frame_20(int depth)
{
    if (depth)
        throw depth;
}

#define BODY(N, NEXT)                                                                    \
    if (depth == N)                                                                      \
        throw depth;                                                                     \
    frame_##NEXT(depth);                                                                 \
    sink++;

// Nothing to do where an exception leaves.
#define FRAME(N, NEXT)                                                                   \
    NOINLINE void frame_##N(int depth)                                                   \
    {                                                                                    \
        BODY(N, NEXT)                                                                    \
    }

#define GUARDED(N, NEXT)                                                                 \
    NOINLINE static void frame_##N(int depth)                                            \
    {                                                                                    \
        guard<clean_##N> guarded{depth};                                                 \
        BODY(N, NEXT)                                                                    \
    }

// Catches another type.
#define OTHER(N, NEXT)                                                                   \
    NOINLINE static void frame_##N(int depth)                                            \
    {                                                                                    \
        try {                                                                            \
            BODY(N, NEXT)                                                                \
        } catch (long) {                                                                 \
            sink++;                                                                      \
        }                                                                                \
    }

// Catches an exception and throws it again.
#define AGAIN(N, NEXT)                                                                   \
    NOINLINE static void frame_##N(int depth)                                            \
    {                                                                                    \
        try {                                                                            \
            BODY(N, NEXT)                                                                \
        } catch (int) {                                                                  \
            passed_on++;                                                                 \
            throw;                                                                       \
        }                                                                                \
    }

GUARDED(19, 20)
FRAME(18, 19)
OTHER(17, 18)
GUARDED(16, 17)
FRAME(15, 16)
FRAME(14, 15)
GUARDED(13, 14)
AGAIN(12, 13)
FRAME(11, 12)
GUARDED(10, 11)
FRAME(9, 10)
OTHER(8, 9)
GUARDED(7, 8)
FRAME(6, 7)
FRAME(5, 6)
GUARDED(4, 5)
FRAME(3, 4)
FRAME(2, 3)
GUARDED(1, 2)

NOINLINE void throws(int depth)
{
    try {
        frame_1(depth);
    } catch (int) {
        caught++;
    }
}
}
