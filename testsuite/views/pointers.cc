// SPDX-License-Identifier: GPL-3.0-or-later
// Lambdas that are made pointers to functions: with and without `mutable', with a type of
// their own for each use, and with noexcept.  Prints how often each was called.

#include <cstdio>
#include <cstdlib>

static int calls[4];

static void each(int n, int (*function)(int))
{
    for (int i = 0; i < n; i++)
        function(i);
}

int main()
{
    int numbers[40];

    for (int i = 0; i < 40; i++)
        numbers[i] = i * 7 % 40;
    std::qsort(numbers, 40, sizeof *numbers, [](const void *a, const void *b) {
        calls[0]++;
        return *(const int *)a - *(const int *)b;
    });
    each(11, [](int x) mutable {
        calls[1]++;
        return x += 1;
    });
    auto any = [](auto x) {
        calls[2]++;
        return x;
    };
    each(12, any);
    any(1);
    each(13, [](int x) noexcept {
        calls[3]++;
        return x;
    });
    for (int i = 0; i < 4; i++)
        std::printf("%d\n", calls[i]);
}
