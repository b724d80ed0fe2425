// SPDX-License-Identifier: GPL-3.0-or-later
// A shared library that main.c uses, also with dlopen: its own constructor, calls through
// the PLT, callbacks into the program, thread-local data, a longjmp over its frames.

#include <stdlib.h>

typedef int Callback(int);

static __thread int calls;
static int ready;

__attribute__((constructor)) static void begin(void)
{
    for (int i = 0; i < 5; i++)
        ready += i;
}

int library_again(int i)
{
    return i % 3 == 0 ? i / 3 : i + ready;
}

int library_run(Callback *callback, int n)
{
    int sum = ++calls;
    for (int i = 0; i < n; i++) {
        sum += library_again(i);
        sum += callback(i) * 2;
        sum ^= i;
    }
    return sum;
}

int library_recurse(int n, Callback *callback)
{
    return n == 0 ? callback(-1) : library_recurse(n - 1, callback) + library_again(n);
}
