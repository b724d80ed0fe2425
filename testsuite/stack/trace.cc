// SPDX-License-Identifier: GPL-3.0-or-later
// What a trace must tell: recursion, what is inlined, tail calls, exceptions, longjmp and
// threads.

#include <pthread.h>
#include <setjmp.h>

#define NOINLINE __attribute__((noinline))
#define INLINE   static inline __attribute__((always_inline))

static volatile int sink;
static jmp_buf place;

NOINLINE static void leaf()
{
    sink = sink + 1;
}

INLINE void small()
{
    sink = sink + 1;
}

INLINE void middle()
{
    small();
    small();
    leaf();
    sink = sink + 1;
}

// At -O3 inlined into itself.
static int rec(int n)
{
    int below = n ? rec(n - 1) : 0;
    sink = sink + 1;
    small();
    return below + sink;
}

NOINLINE static void last()
{
    sink = sink + 1;
    leaf();
}

struct guard {
    ~guard()
    {
        leaf();
        sink = sink + 1;
    }
};

NOINLINE static void thrower(int n)
{
    if (n == 0)
        throw n;
    thrower(n - 1);
    sink = sink + 1;
}

static void between()
{
    guard one;
    thrower(1);
    sink = sink + 1;
}

static void catcher()
{
    try {
        between();
    } catch (int) {
        leaf();
    }
    sink = sink + 1;
}

NOINLINE static void jumper(int n)
{
    if (n == 0)
        longjmp(place, 1);
    jumper(n - 1);
    sink = sink + 1;
}

NOINLINE static void lander()
{
    if (setjmp(place) == 0) {
        jumper(1);
        sink = sink + 1;
    }
    leaf();
    sink = sink + 1;
}

static void *worker(void *)
{
    middle();
    return nullptr;
}

int main()
{
    pthread_t thread;
    rec(2);
    for (int i = 0; i < 2; i++)
        middle();
    last();
    catcher();
    lander();
    if (pthread_create(&thread, nullptr, worker, nullptr) == 0)
        pthread_join(thread, nullptr);
    sink = sink + 1;
    return 0;
}
