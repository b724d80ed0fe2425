// SPDX-License-Identifier: GPL-3.0-or-later
// Ways of control inside and between functions: computed goto, jump tables, tail calls,
// cold parts, asm goto, unreachable ends, nested functions, recursion, callbacks from
// libc, weak functions, constructors.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline, noclone))

int sum;

NOINLINE static int interpret(const unsigned char *code)
{
    static const void *const targets[] = {&&add, &&twice, &&skip, &&loop, &&stop};
    int a = 1, n = 3;
    goto *targets[*code];
add:
    a += 5;
    goto *targets[*++code];
twice:
    a *= 2;
    goto *targets[*++code];
skip:
    code += 2;
    goto *targets[*code];
loop:
    if (n-- > 0)
        code -= 3;
    goto *targets[*++code];
stop:
    return a;
}

NOINLINE static int table(int i)
{
    switch (i) {
    case 0:
        return sum + 3;
    case 1:
        sum ^= 5;
        break;
    case 2:
        sum *= 3; // fallthrough
    case 3:
        sum += 9;
        break;
    case 4:
        return -sum;
    case 5:
        sum -= 100;
        break;
    case 7:
        sum |= 1;
        break;
    case 9:
        sum &= 0xffff;
        break;
    default:
        sum++;
    }
    return sum;
}

NOINLINE static int odd(unsigned n);

NOINLINE static int even(unsigned n)
{
    return n == 0 ? 1 : odd(n - 1);
}

NOINLINE static int odd(unsigned n)
{
    return n == 0 ? 0 : even(n - 1);
}

NOINLINE static int through(int (*callee)(unsigned), unsigned n)
{
    return callee(n + 1);
}

NOINLINE __attribute__((cold)) static void rare(int i)
{
    sum += i * 1000;
}

NOINLINE static int parts(int i)
{
    if (__builtin_expect(i % 11 == 0, 0)) {
        rare(i);
        if (i == 22)
            rare(-i);
        return sum;
    }
    return i * 3;
}

NOINLINE static unsigned exhaust(unsigned i)
{
    switch (i & 3) {
    case 0:
        return i + 1;
    case 1:
        return i * 2;
    case 2:
        return i ^ 7;
    case 3:
        return i - 1;
    }
    __builtin_unreachable();
}

NOINLINE static int outer_of_nested(int n)
{
    int total = 0;
    void visit(int i)
    {
        total += i * n;
    }
    void each(void (*call)(int), int count)
    {
        for (int i = 0; i < count; i++)
            call(i);
    }
    each(visit, n);
    return total;
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

NOINLINE static int sorted(void)
{
    int values[40];
    for (int i = 0; i < 40; i++)
        values[i] = i * 17 % 41;
    qsort(values, 40, sizeof *values, compare);
    return values[7];
}

NOINLINE static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

NOINLINE static long collatz(long n)
{
    long steps = 0;
    while (n != 1) {
        n = n % 2 != 0 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

#ifdef __x86_64__
NOINLINE static int jumping(int n)
{
    __asm__ goto("testl $1, %0\n\tjnz %l[is_odd]" : : "r"(n) : "cc" : is_odd);
    return n / 2;
is_odd:
    return n * 3;
}
#else
#define jumping(n) (n)
#endif

extern int absent(int) __attribute__((weak));

__attribute__((constructor)) static void begin(void)
{
    sum = 3;
    for (int i = 0; i < 4; i++)
        sum += i;
}

int main(void)
{
    static const unsigned char code[] = {0, 1, 2, 4, 0, 1, 3, 4};
    sum += interpret(code);
    for (int i = 0; i < 40; i++) {
        sum += table(i % 12) + parts(i) + jumping(i);
        sum += (int)exhaust((unsigned)i * 7);
    }
    sum += even(30) + odd(31) + through(even, 8) + through(odd, 3);
    sum += outer_of_nested(9) + sorted() + ackermann(2, 3) + (int)collatz(27);
    if (absent != NULL)
        sum += absent(1);
    printf("%d\n", sum);
    return 0;
}
