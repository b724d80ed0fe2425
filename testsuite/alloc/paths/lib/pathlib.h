// SPDX-License-Identifier: GPL-3.0-or-later
// A library of templates, found as a system header, for paths.cc: it allocates in all the
// ways in which control can come back to it. N tells what is allocated where.

#ifndef PATHLIB_H
#define PATHLIB_H

#include <new>

// What operator new of pathnew.cc charges: the line of the program's own that has called
// library code. The program sets it; a library function puts back what it was called
// with, as it must be if the profile is right.
extern thread_local int path_line;

namespace lib
{
template <int N> __attribute__((noinline)) void get(int more)
{
    operator delete(operator new(N + more));
}

template <int N> __attribute__((noinline)) long tail(int more)
{
    operator delete(operator new(N));
    return more > 0 ? tail<N>(more - 1) : more;
}

// What is behind the call allocates, too.
template <int N, class F> __attribute__((noinline)) void call(F f)
{
    int line = path_line;
    get<N>(0);
    f();
    path_line = line;
    operator delete(operator new(2 * N));
    get<N>(2 * N);
}

template <int N, class F> __attribute__((noinline)) void guard(F f)
{
    int line = path_line;
    try {
        f();
    } catch (int) {
        path_line = line;
        get<N>(0);
    }
    path_line = line;
    get<N>(1);
}

struct cleanup {
    int line;
    ~cleanup()
    {
        path_line = line;
        get<300>(0);
    }
};

template <class F> __attribute__((noinline)) void pass(F f)
{
    cleanup last = {path_line};
    f();
}

// Inlined where it is called.
template <int N, class F> __attribute__((always_inline)) inline void here(F f)
{
    call<N>(f);
}

// The program's own comparison is a part of it.
template <class T, class F> __attribute__((noinline)) T *most(T *from, T *to, F less)
{
    T *found = from;
    for (; from != to; from++) {
        int line = path_line;
        if (less(*found, *from))
            found = from;
        path_line = line;
        get<7>(0);
    }
    return found;
}

template <int N> int compare(const void *, const void *)
{
    get<N>(0);
    return 0;
}

struct shape {
    virtual void draw(int n)
    {
        get<500>(n);
    }
};
} // namespace lib

#endif
