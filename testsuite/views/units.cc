// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of each sort that the units tell apart.

#include <stdio.h>
#include <emmintrin.h>

template <class T> struct base {
    virtual ~base();
    virtual T get(T value)
    {
        return value + count;
    }
    T count = 1;
};

template <class T> base<T>::~base()
{
    puts("gone");
}

static int twice(int x)
{
    return 2 * x * x;
}

// The test is inlined in its callers, the rest is not.
extern int table[];
int table[100];
extern "C" void rest(int *);
extern "C" __attribute__((noipa)) void rest(int *cell)
{
    *cell += 1;
}

static int look(int i)
{
    if (i < 0)
        return 0;
    for (int k = 0; k < i; k++) {
        rest(&table[k % 50]);
        rest(&table[(k * 3) % 50]);
        rest(&table[(k * 7) % 50]);
        rest(&table[(k * 9) % 50]);
    }
    return table[i & 63];
}

__attribute__((noipa)) int first(int i)
{
    return look(i) + twice(i);
}

__attribute__((noipa)) int second(int i)
{
    return look(i + 1) - twice(i + 2);
}

__attribute__((noipa)) __m128i add(__m128i a, __m128i b)
{
    return _mm_add_epi8(_mm_mul_epu32(a, b), b);
}

__attribute__((noipa)) int call(int (*f)(int), int x)
{
    return f(x);
}

int main(int argc, char **)
{
    base<int> *object = new base<int>;
    int sum = first(argc) + second(argc) + object->get(argc);
    sum += call([](int x) { return x * 3; }, argc);
    sum += _mm_cvtsi128_si32(add(_mm_set1_epi8(argc), _mm_set1_epi8(2)));
    delete object;
    return sum == 77777;
}
