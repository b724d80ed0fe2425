// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that a compiler makes vector code of, if nothing is in their way.

#include <stdio.h>

#define SIZE   4096
#define ROUNDS 250000

static float x[SIZE], y[SIZE], z[SIZE];

static void fill(float *to, float from)
{
    for (int i = 0; i < SIZE; i++)
        to[i] = from + (float)i / SIZE;
}

static void add_scaled(float *restrict to, const float *restrict from, float by)
{
    for (int i = 0; i < SIZE; i++)
        to[i] += by * from[i];
}

static void blend(float *restrict to, const float *restrict a, const float *restrict b)
{
    for (int i = 0; i < SIZE; i++) {
        float mean = 0.5f * (a[i] + b[i]);
        to[i] = mean > 1 ? mean - 1 : mean;
    }
}

static float sum(const float *of)
{
    float total[8] = {0};

    for (int i = 0; i < SIZE; i += 8)
        for (int j = 0; j < 8; j++)
            total[j] += of[i + j];
    return total[0] + total[1] + total[2] + total[3] + total[4] + total[5] + total[6] +
           total[7];
}

int main(void)
{
    float total = 0;

    fill(x, 0);
    fill(y, 1);
    for (int i = 0; i < ROUNDS; i++) {
        add_scaled(x, y, 1e-5f);
        blend(z, x, y);
        total = 0.5f * (total + sum(z));
    }
    printf("%g\n", total);
    return 0;
}
