// SPDX-License-Identifier: GPL-3.0-or-later
// Ways in and out of functions: recursion, exceptions, longjmp, callbacks, threads, and
// the end of the program from deep inside. With -DOUTSIDE the functions that are not
// profiled.

#include <csetjmp>
#include <cstdlib>
#include <thread>

// Calls the function and catches what it throws.
void outside_catch(void (*function)(void));
// Calls the function, and leaves another call of it by longjmp.
void outside_jump(void (*function)(int));

#ifdef OUTSIDE

void outside_catch(void (*function)(void))
{
    try {
        function();
    } catch (...) {
    }
}

void outside_jump(void (*function)(int))
{
    std::jmp_buf here;
    volatile bool again = false;
    if (setjmp(here) == 0) {
        function(1);
        again = true;
        std::longjmp(here, 1);
    }
    if (again)
        function(2);
}

#else

static volatile int sink;

static inline void leaf(int n)
{
    sink = sink + n;
}

static void recursive(int n)
{
    leaf(n);
    if (n > 0)
        recursive(n - 1);
    leaf(n);
}

static void odd(int n);

static void even(int n)
{
    if (n > 0)
        odd(n - 1);
    leaf(n);
}

static void odd(int n)
{
    if (n > 0)
        even(n - 1);
    if (n > 3)
        recursive(1);
}

struct Cleanup {
    int n;
    ~Cleanup()
    {
        leaf(n);
    }
};

static void thrower(int n)
{
    Cleanup cleanup = {n};
    leaf(n);
    if (n == 0)
        throw n;
    thrower(n - 1);
    leaf(n);
}

static void between(int n)
{
    leaf(1);
    thrower(n);
    leaf(2);
}

static void catcher(int n)
{
    try {
        between(n);
    } catch (int) {
        leaf(3);
        try {
            between(1);
        } catch (...) {
            leaf(4);
        }
    }
    recursive(2);
}

static void rethrower()
{
    try {
        between(2);
    } catch (int) {
        leaf(5);
        throw;
    }
}

static void catches_again()
{
    try {
        rethrower();
    } catch (int) {
        recursive(1);
    }
    leaf(6);
}

static void throws_into_nothing()
{
    recursive(1);
    throw 1;
}

// Received by code that is not profiled.
static void received_outside()
{
    outside_catch(throws_into_nothing);
    leaf(7);
    outside_jump(leaf);
    leaf(8);
}

static std::jmp_buf back;

static void jumps(int n)
{
    leaf(n);
    if (n == 0)
        std::longjmp(back, 1);
    jumps(n - 1);
    leaf(n);
}

static void jumped_to()
{
    volatile int round = 0;
    setjmp(back);
    leaf(9);
    round = round + 1;
    if (round < 4)
        jumps(3);
    recursive(1);
}

static void threaded()
{
    std::thread thread(recursive, 5);
    thread.join();
    leaf(11);
}

static void ends(int n)
{
    if (n == 0)
        exit(0);
    ends(n - 1);
    leaf(12);
}

int main(int argc, char **)
{
    recursive(10);
    even(9);
    for (int i = 0; i < 3; i++)
        catcher(i + argc);
    catches_again();
    received_outside();
    jumped_to();
    threaded();
    ends(3);
}

#endif
