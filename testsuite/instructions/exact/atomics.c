// SPDX-License-Identifier: GPL-3.0-or-later
// Atomic operations of one thread. On some processors GCC makes loops of instructions of
// them, at -O0 after all optimisations, and a comparison that fails leaves the loop.

#include <stdatomic.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline, noclone))

static atomic_long sum;
static atomic_int word;
static atomic_uchar byte;

NOINLINE static long add(int n)
{
    long before = 0;
    for (int i = 0; i < n; i++)
        before += atomic_fetch_add(&sum, i) + atomic_fetch_xor(&word, i);
    return before;
}

NOINLINE static int swap(int expected, int wanted)
{
    return atomic_compare_exchange_strong(&word, &expected, wanted) ? 1 : expected;
}

NOINLINE static int swap_byte(unsigned char expected, unsigned char wanted)
{
    return atomic_compare_exchange_weak(&byte, &expected, wanted) ? 1 : expected;
}

int main(int count, char **arguments)
{
    long total = add(100);
    (void)arguments;
    atomic_store(&word, 0);
    for (int i = 0; i < 60; i++) {
        total += swap(i % 3 ? i : i + 1, i + count) + atomic_exchange(&word, i + 1);
        total += swap_byte((unsigned char)(i & 1), (unsigned char)i);
        total += atomic_fetch_or(&byte, (unsigned char)(i & 3));
        atomic_thread_fence(memory_order_seq_cst);
    }
    printf("%ld\n", total);
    return 0;
}
