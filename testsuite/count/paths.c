// SPDX-License-Identifier: GPL-3.0-or-later
// Ways through functions.  Behind each line that has code stands how often it is executed.

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf back;
static volatile int sink;

static int inlined(int x) //= 1000
{
    if (x % 10 == 0) //= 1000
        return x; //= 100
    sink = x; //= 900
    return -x; //= 900
}

static int removed(int x) //= 0
{
    return x * 2; //= 0
}

__attribute__((pure)) static int pure(const char *text) //= 50
{
    int n = 0; //= 50
    while (*text) //= 250
        n += *text++ == 'a'; //= 200
    return n; //= 50
}

static int choose(int x) //= 100
{
    switch (x % 10) { //= 100
    case 0: //= 10
        return 1; //= 10
    case 1: //= 40
    case 3 ... 5:
        sink = x; //= 40
        // fall through
    case 2: //= 50
        return 2; //= 50
    default:
        break;
    }
    if (x > 50 && x % 2) //= 40
        goto odd; //= 10
    return 3; //= 30
odd:
    return 4; //= 10
}

// Comes back three times of four.
static void jump(int x) //= 8
{
    if (x % 4 == 3) //= 8
        longjmp(back, x); //= 2
    sink = x; //= 6
} //= 6

static int jumps(void) //= 2
{
    for (int i = 0; i < 4; i++) { //= 8
        jump(i + sink * 0); //= 8
        sink = i; //= 6
    }
    return 0; //= 0
}

static int depth(int n) //= 1001
{
    if (n == 0) //= 1001
        return 0; //= 1
    return n + depth(n - 1); //= 1000
}

static int even(unsigned n);

static int odd(unsigned n) //= 500
{
    return n == 0 ? 0 : even(n - 1); //= 500
}

static int even(unsigned n) //= 501
{
    return n == 0 ? 1 : odd(n - 1); //= 501
}

static void at_end(void) //= 1
{
    sink = 1; //= 1
} //= 1

static void leave(int x) //= 3
{
    if (x == 2) //= 3
        exit(x - 2); //= 1
    sink = x; //= 2
} //= 2

__attribute__((noinline)) static void forever(void) //= 1
{
    int i = 0; //= 1
    for (;;) {
        leave(i); //= 3
        i++; //= 2
    }
}

int main(int argc, char **argv) //= 1
{
    int sum = 0; //= 1
    (void)argv;
    for (int i = 0; i < 1000; i++) //= 1001
        sum += inlined(i); //= 1000
    if (argc > 1000) //= 1
        sum += removed(sum); //= 0
    for (int i = 0; i < 50; i++) //= 51
        sum += pure("abab"); //= 50
    for (int i = 0; i < 100; i++) //= 101
        sum += choose(i); //= 100
    for (volatile int i = 0; i < 2; i++) //= 3
        if (!setjmp(back)) //= 2
            jumps(); //= 2
    sum += depth(1000); //= 1
    sum += even(1000); //= 1
    printf("%d\n", sum); //= 1
    atexit(at_end); //= 1
    forever(); //= 1
}
