/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program of Waddell and Ashley's figure 1: the fast Fourier transform, which splits
   its input into what stands at even and at odd places.  fft N TIMES: of N points, a
   power of two, for which it makes N / 2 log2 N butterflies.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct complex {
    double re, im;
};

static void split(const struct complex *x, struct complex *even, struct complex *odd,
                  unsigned half)
{
    for (unsigned i = 0; i < half; i++) {
        even[i] = x[2 * i];
        odd[i] = x[2 * i + 1];
    }
}

static void butterfly(struct complex *a, struct complex *b, const struct complex *turn)
{
    struct complex turned = {b->re * turn->re - b->im * turn->im,
                             b->re * turn->im + b->im * turn->re};
    b->re = a->re - turned.re;
    b->im = a->im - turned.im;
    a->re += turned.re;
    a->im += turned.im;
}

/* TURNS are the roots of unity of the whole, of which every STEP-th is looked at; ROOM
   has as much of it as X.  */
static void fft(struct complex *x, struct complex *room, unsigned n,
                const struct complex *turns, unsigned step)
{
    if (n == 1)
        return;
    unsigned half = n / 2;
    split(x, room, room + half, half);
    fft(room, x, half, turns, 2 * step);
    fft(room + half, x, half, turns, 2 * step);
    for (unsigned i = 0; i < half; i++) {
        x[i] = room[i];
        x[i + half] = room[i + half];
        butterfly(&x[i], &x[i + half], &turns[i * step]);
    }
}

int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 8;
    unsigned times = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    struct complex *x = calloc(n, sizeof *x), *room = calloc(n, sizeof *room);
    struct complex *turns = calloc(n, sizeof *turns);
    for (unsigned i = 0; i < n; i++)
        turns[i] = (struct complex){cos(2 * M_PI * i / n), -sin(2 * M_PI * i / n)};
    while (times--) {
        for (unsigned i = 0; i < n; i++)
            x[i] = (struct complex){i == 1, 0};
        fft(x, room, n, turns, 1);
    }
    /* One point after the first is a wave.  */
    printf("%.3f %.3f\n", x[n / 4].re, x[n / 4].im);
    return 0;
}
