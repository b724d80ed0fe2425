// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that are not compiled, since nothing that is compiled calls them, and functions of which the optimiser
// leaves nothing, or fewer calls.
//: behind_it 0, called 1, calls_behind_it 0, declared_const 10, declared_pure 10, empty 10, external 0, found_pure 10
//: header_static 0, main 1, not_referred_to 0, nothing 10, under_if_0 0, unused 10

#include "absent.h"

static int under_if_0(int x) { return x + 1; }
static int behind_it(int x) { return x + 2; }
static inline int calls_behind_it(int x) { return behind_it(x); }
__attribute__((unused)) static int not_referred_to(int x) { return x + 3; }
__attribute__((unused, ccprof_exclude)) static int excluded(int x) { return x + 4; }
static int called(int x) { return x - 1; }
int external(int x) { return called(x); }

static int nothing(int x) { return x - x; }
static inline void empty(void) {}
__attribute__((const, noinline)) static int declared_const(int x) { return 3 * x; }
__attribute__((pure, noinline)) static int declared_pure(const int *x) { return 5 * *x; }
__attribute__((noinline)) static int found_pure(int x) { return 7 * x; }

// Its result is not used.
__attribute__((noinline)) static int unused(int x) { return x + 2; }

int main(void)
{
    int x = 7, sum = called(1);
    if (0)
        sum += under_if_0(sum);
    if (sizeof(int) > 8)
        sum += calls_behind_it(sum);
    for (int i = 0; i < 10; i++) {
        sum += nothing(i) + declared_const(7) + declared_pure(&x) + found_pure(7);
        empty();
        unused(i);
    }
    return sum != 1050;
}
