// SPDX-License-Identifier: GPL-3.0-or-later
// Control flow that is not made of if, for and calls; and what GCC has values of beside arcs.

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int computed(int x)
{
    static void *const targets[] = {&&a, &&b, &&c};
    goto *targets[x % 3];
a:
    x++;
b:
    x += 2;
    if (x < 20)
        goto *targets[x % 3];
c:
    return x;
}

static int assembled(int x)
{
    __asm__ goto("" : : "r"(x) : : yes);
    return 1;
yes:
    return 2;
}

static int nonlocal(int n)
{
    __label__ out;
    void inner(int k)
    {
        if (k > 3)
            goto out;
        printf("%d\n", k);
    }

    for (int i = 0; i < n; i++)
        inner(i);
    return 0;
out:
    return 1;
}

static void endless(void)
{
    for (;;) {
    }
}

static int wide(unsigned long long x)
{
    switch (x) {
    case 0xffffffffffffffff:
        return 1;
    case 1 ... 5:
        return 2;
    case 0x8000000000000000 ... 0x8000000000000010:
        return 3;
    }
    return 0;
}

static jmp_buf again;

static int several_times(void)
{
    volatile int n = 0;
    if (setjmp(again) < 3) {
        n++;
        longjmp(again, n);
    }
    return n;
}

__attribute__((noreturn)) static void leave(int x) { exit(x); }

static int mixed(int x)
{
    if (x > 100)
        leave(3);
    return x > 50 ? abort(), 1 : 0;
}

static long factorial(int n) { return n ? n * factorial(n - 1) : 1; }

static __attribute__((noinline, pure)) int is_odd(int n) { return n & 1; }

static int cases(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        switch (i % 11) {
        case 1 ... 3:
            sum++;
            continue;
        case 7:
            sum += 2;
            /* fall through */
        case 8:
            sum += is_odd(i) ? 3 : 2;
            break;
        case 9:
            if (i > 90)
                return sum;
        }
        if (sum > 1000)
            break;
    }
    return -sum;
}

// So large that its cheap start would be split off to be inlined.
static int split(const int *at, int n)
{
    if (!at)
        return 0;
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int k = i; k < n; k++)
            if ((at[i] ^ at[k]) & 4)
                sum += printf("%s", "") + at[i] * at[k];
            else
                sum -= at[k];
    return sum;
}

// Divisors, sizes, pointers.
static unsigned values(unsigned a, unsigned b, const int *from)
{
    static int to[30];
    static unsigned (*const pointers[])(unsigned, unsigned, const int *) = {values, NULL};
    memcpy(to, from, b * sizeof *to);
    if (a > 40)
        return pointers[a == 0](a / b, b, from) + a % b;
    return a % (b + 1) + (unsigned)to[b / 2] + a / (b | 1);
}

int never(int n);
int never(int n) { return n ? never(n / 2) + 1 : 0; }

int main(int argc, char **argv)
{
    int numbers[30] = {0}, all = 0;
    (void)argv;
    for (int i = 0; i < 30; i++) {
        numbers[i] = i * 37 % 13;
        all += cases(i * 7) + computed(i) + (int)values((unsigned)i * 9, (unsigned)i % 5 + 2, numbers);
        all += split(i % 2 ? numbers : NULL, i) + split(NULL, i);
    }
    printf("%d\n", all);
    printf("%d %d %d\n", computed(argc), assembled(argc), nonlocal(6));
    if (argc > 5)
        endless();
    printf("%d %d\n", wide(3), wide(0x8000000000000001));
    printf("%d %d\n", several_times(), mixed(4));
    printf("%ld\n", factorial(10));
    leave(mixed(3));
}
