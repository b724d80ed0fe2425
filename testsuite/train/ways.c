// SPDX-License-Identifier: GPL-3.0-or-later
// Ways through functions that a flow graph must know: gotos in lines of their own,
// computed gotos, setjmp and longjmp, calls that do not return, switches, loops that are
// left in the middle, functions that are pure, and one that is never called.

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf out;

static __attribute__((noinline, pure)) int is_odd(int n)
{
    return n & 1;
}

static __attribute__((noinline)) void leave(int n)
{
    if (n % 3 == 0)
        longjmp(out, n + 1);
}

static int with_setjmp(int n)
{
    volatile int sum = 0;
    switch (setjmp(out)) {
    case 0:
        leave(n);
        sum += 2;
        break;
    case 1:
        sum += 5;
        break;
    default:
        sum += 7;
    }
    return sum;
}

static int interpret(const unsigned char *code)
{
    static const void *const steps[] = {&&add, &&twice, &&stop};
    int value = 0;
    goto *steps[*code++];
add:
    value += 3;
    goto *steps[*code++];
twice:
    value *= 2;
    goto *steps[*code++];
stop:
    return value;
}

static int gotos(int n)
{
    int i = 0, sum = 0;
again:
    if (i % 4 == 1)
        goto next;
    if (i % 5 == 2) {
        sum += i;
        if (sum > 400)
            goto done;
    }
    sum += is_odd(i) ? 2 : 1;
next:
    if (++i < n)
        goto again;
done:
    return sum;
}

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
            sum += 3;
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

static int recursive(int n)
{
    return n < 2 ? n : recursive(n - 1) + recursive(n - 2);
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

// What GCC has values of beside arcs: divisors, sizes, pointers.
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
int never(int n)
{
    return n ? never(n / 2) + 1 : 0;
}

int main(void)
{
    static const unsigned char code[] = {0, 1, 0, 0, 1, 2};
    int numbers[30] = {0}, sum = 0;
    for (int i = 0; i < 30; i++) {
        numbers[i] = i * 37 % 13;
        sum += with_setjmp(i) + interpret(code) + gotos(i * 10) + cases(i * 7);
        sum += (int)values((unsigned)i * 9, (unsigned)i % 5 + 2, numbers);
        sum += split(i % 2 ? numbers : NULL, i) + split(NULL, i);
    }
    printf("%d %d\n", sum, recursive(15));
    if (sum == 1)
        abort();
    exit(0);
}
