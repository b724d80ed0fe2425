// SPDX-License-Identifier: GPL-3.0-or-later
// Registers, flags and frames that a counter could disturb: arithmetic with 128 bits,
// x87, vectorised and tight loops, variadic functions, many arguments, all registers in
// use, alloca and large frames, structures by value, bit fields, atomics.

#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noclone))

__extension__ typedef unsigned __int128 Wide;

NOINLINE static Wide factorial(unsigned n)
{
    Wide result = 1;
    for (unsigned i = 2; i <= n; i++)
        result = result * i + (i % 5 == 0);
    return result;
}

NOINLINE static int carries(const uint64_t *a, const uint64_t *b, uint64_t *c, int n)
{
    int carry = 0;
    for (int i = 0; i < n; i++) {
        Wide sum = (Wide)a[i] + b[i] + (unsigned)carry;
        c[i] = (uint64_t)sum;
        carry = (int)(sum >> 64);
    }
    return carry;
}

NOINLINE static int overflows(int a, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (__builtin_mul_overflow(a, 77777, &a) || __builtin_add_overflow(a, i, &a))
            count++;
    return count;
}

NOINLINE static long double series(int n)
{
    long double sum = 0, term = 1;
    for (int i = 1; i < n; i++) {
        term = term * 1.5L / i;
        sum += i % 2 != 0 ? term : -term / 3;
        if (sum > 1e9L)
            break;
    }
    return sum;
}

NOINLINE static float vectorised(float *restrict a, const float *restrict b, int n)
{
    float most = 0;
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 0.5f + b[i];
    for (int i = 0; i < n; i++)
        most = a[i] > most ? a[i] : most;
    return most;
}

NOINLINE static int tight(const unsigned char *text)
{
    int n = 0;
    while (text[n] != 0)
        n++;
    return n;
}

NOINLINE static unsigned bits(unsigned value)
{
    unsigned n = 0;
    do
        n += value & 1;
    while ((value >>= 1) != 0);
    return n;
}

NOINLINE static double variadic(int n, ...)
{
    va_list list;
    double sum = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        sum += i % 2 != 0 ? va_arg(list, double) : va_arg(list, int);
    va_end(list);
    return sum;
}

NOINLINE static long many(long a, long b, long c, long d, long e, long f, long g, long h,
                          double i, double j)
{
    if (a > b)
        return c * d - e * f + g * h;
    return (long)(i * j) + a * h - b * g;
}

// More values than registers are in use in the loop.
NOINLINE static uint64_t pressure(const uint64_t *v, int n)
{
    uint64_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6],
             h = v[7], k = v[8], l = v[9], m = v[10], o = v[11], p = v[12], q = v[13];
    for (int i = 0; i < n; i++) {
        a += b ^ q, b += c * 3, c ^= d, d += e << 1, e ^= f, f += g, g ^= h, h += k;
        if (a & 1)
            k ^= l, l += m;
        else
            m ^= o, o += p;
        p ^= q, q += a;
    }
    return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ k ^ l ^ m ^ o ^ p ^ q;
}

NOINLINE static int frames(int n)
{
    char large[20000];
    char *room = __builtin_alloca((size_t)n * 100 + 1);
    int list[n + 1];
    for (int i = 0; i <= n; i++)
        list[i] = i * i;
    memset(room, n, (size_t)n * 100);
    memset(large, list[n], sizeof large);
    __asm__ volatile("" : : "r"(large), "r"(room) : "memory");
    return large[n] + room[n] + (n > 0 ? frames(n - 1) : 0);
}

typedef struct Mixed {
    int small : 5, large : 20;
    double value;
    char text[40];
} Mixed;

NOINLINE static Mixed mix(Mixed mixed, int i)
{
    mixed.small = i;
    mixed.large += mixed.small;
    mixed.value = mixed.value > 10 ? 1 : mixed.value * 2;
    mixed.text[i % 40]++;
    return mixed;
}

NOINLINE static int atomics(int n)
{
    static atomic_int shared;
    for (int i = 0; i < n; i++) {
        int seen = atomic_load(&shared);
        while (!atomic_compare_exchange_strong(&shared, &seen, seen * 2 + 1))
            continue;
        atomic_fetch_sub(&shared, i);
    }
    return shared;
}

int main(void)
{
    uint64_t a[16], b[16], c[16];
    float x[100], y[100];
    for (int i = 0; i < 16; i++) {
        a[i] = ~(uint64_t)i;
        b[i] = (uint64_t)i * 0x9e3779b97f4a7c15;
    }
    for (int i = 0; i < 100; i++) {
        x[i] = (float)i;
        y[i] = (float)(i * 7 % 13);
    }
    Wide wide = factorial(30);
    printf("%llx %d %d\n", (unsigned long long)(wide >> 20), carries(a, b, c, 16),
           overflows(3, 50));
    printf("%.6Lf %g\n", series(30),
           (double)(vectorised(x, y, 97) + vectorised(x, y, 3)));
    printf("%d %u\n", tight((const unsigned char *)"how long is this?"),
           bits(0xf0f00001));
    printf("%g %ld\n", variadic(6, 1, 2.5, 3, 4.5, 5, 6.5),
           many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) + many(2, 1, 3, 4, 5, 6, 7, 8, 9, 10));
    printf("%llx %d\n", (unsigned long long)pressure(a, 60), frames(9));
    Mixed mixed = {1, 2, 3, "text"};
    for (int i = 0; i < 12; i++)
        mixed = mix(mixed, i);
    printf("%d %g %d\n", mixed.large, mixed.value, atomics(20));
    return 0;
}
