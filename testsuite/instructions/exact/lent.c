// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that leave no register free, for instructions-exact.test: their counters borrow a
// register whose value is needed after the loop. The program prints these values.

#include <alloca.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Eight values that change in each round of a loop, and six that are needed later.
#define DECLARE(start)                                                                   \
    long a = (start), b = a * 3, c = a ^ 5, d = a + 7, e = a * 11, f = a - 13,           \
         g = a * 17, h = ~a;                                                             \
    long later[6];                                                                       \
    for (int i = 0; i < 6; i++)                                                          \
    later[i] = a * (i + 2) + a / (i + 3)
#define ROUND                                                                            \
    (a += b ^ c, b = b * 5 + d, c ^= a >> 3, d += e, e = e * 3 ^ f, f += g >> 1,         \
     g ^= h + a, h = h * 7 + b)
#define RESULT                                                                           \
    (a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ later[0] ^ later[1] * 3 ^ later[2] * 5 ^            \
     later[3] * 7 ^ later[4] * 9 ^ later[5] * 11)

// A leaf without a frame of its own.
__attribute__((noinline)) static long leaf(long start, long rounds)
{
    DECLARE(start);
    for (long i = 0; i < rounds; i++)
        ROUND;
    return RESULT;
}

// A leaf that fills the red zone.
__attribute__((noinline)) static long full(long start, long rounds)
{
    volatile long zone[15];
    DECLARE(start);
    for (int i = 0; i < 15; i++)
        zone[i] = start + i;
    for (long i = 0; i < rounds; i++) {
        ROUND;
        a += zone[i % 15];
    }
    for (int i = 0; i < 15; i++)
        a += zone[i];
    return RESULT;
}

// Loops in loops, and one behind the other, with other exits.
__attribute__((noinline)) long nested(long start, long rounds)
{
    DECLARE(start);
    for (long i = 0; i < rounds; i++) {
        for (long j = 0; j < i; j++) {
            ROUND;
            if (a == 12345)
                goto out;
            if (b & 1)
                c++;
        }
        for (long j = i; j < rounds; j++) {
            ROUND;
            if (c == 12345)
                break;
        }
        while (d > 1000 && e % 3) {
            d >>= 1;
            e++;
        }
    }
out:
    return RESULT;
}

// The stack pointer changes. The caller knows which registers this function leaves alone,
// so it can only borrow.
__attribute__((noinline)) static long moving(long start, long rounds)
{
    char *last = NULL;
    long sum = start;
    for (long i = 0; i < rounds; i++) {
        char *room = alloca(48);
        *(char **)room = last;
        room[40] = (char)i;
        last = room;
    }
    for (; last; last = *(char **)last)
        sum = sum * 3 + last[40];
    return sum;
}

// It has values in all registers that moving leaves alone.
__attribute__((noinline)) long around(long start, long rounds)
{
    DECLARE(start);
    for (long i = 0; i < 3; i++) {
        ROUND;
        a += moving(i, rounds);
        ROUND;
    }
    return RESULT;
}

// A handler runs in the middle of the loop, and the same code in it.
static long *page;
static int faults;

__attribute__((noinline)) long faulting(long start, long rounds)
{
    DECLARE(start);
    for (long i = 0; i < rounds; i++) {
        ROUND;
        page[i] = a;
    }
    return RESULT;
}

static void on_fault(int number)
{
    (void)number;
    long *outer = page;
    if (++faults == 1) {
        page += 512;
        faulting(5, 100);
        page = outer;
    }
    mprotect(outer, 8192, PROT_READ | PROT_WRITE);
}

int main(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = on_fault;
    action.sa_flags = SA_NODEFER;
    sigaction(SIGSEGV, &action, NULL);
    for (long i = 1; i < 9; i++)
        printf("%ld %ld %ld %ld\n", leaf(i, i * 3), full(i, i * 5), nested(i, i),
               around(i, i * 2));
    page = mmap(NULL, 12288, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED)
        printf("%ld", faulting(3, 200));
    printf(" %d faults\n", faults);
    return 0;
}
