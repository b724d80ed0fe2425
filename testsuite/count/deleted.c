// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of which the optimiser leaves nothing, or fewer calls.
//: declared_const 10, declared_pure 10, empty 10, external_uncalled 0, found_pure 10, in_dead_code 0, main 1
//: nothing 10, unused 10

#include <stdio.h>

static int nothing(int x) { return x - x; }
static inline void empty(void) {}
__attribute__((const, noinline)) static int declared_const(int x) { return 3 * x; }
__attribute__((pure, noinline)) static int declared_pure(const int *x) { return 5 * *x; }
__attribute__((noinline)) static int found_pure(int x) { return 7 * x; }
static int in_dead_code(int x) { return x + 1; }

// Its result is not used.
__attribute__((noinline)) static int unused(int x) { return x + 2; }
int external_uncalled(int x) { return in_dead_code(x); }

int main(void)
{
    int x = 7, sum = 0;
    for (int i = 0; i < 10; i++) {
        sum += nothing(i) + declared_const(7) + declared_pure(&x) + found_pure(7);
        empty();
        unused(i);
        if (sizeof(int) > 8)
            sum += in_dead_code(i);
    }
    printf("%d\n", sum);
    return 0;
}
