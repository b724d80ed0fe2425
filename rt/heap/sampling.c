/* SPDX-License-Identifier: MIT */
/* Implements sampling. Owns the mean distance of samples and each thread's random
   number generator. Called in any thread that allocates. */

#define _GNU_SOURCE
#include <time.h>
#include <unistd.h>

#include "rt/heap/sampling.h"
#include "rt/os/sys.h"

__extension__ typedef unsigned __int128 draw_wide;

/* Number of bits after the binary point in fixed-point numbers. */
#define DRAW_BITS 32

/* The natural logarithm of 2, as a fixed-point number. */
#define DRAW_LN2 UINT64_C(0xb17217f8)

/* The generator of Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
   Generators" (OOPSLA 2014). */
static uint64_t draw_random(uint64_t *state)
{
    uint64_t value = *state += UINT64_C(0x9e3779b97f4a7c15);

    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

/* Returns the binary logarithm of 2^64 / NUMBER as a fixed-point number. NUMBER must
   not be 0. Each squaring of the mantissa gives one bit (Knuth, TAOCP 1, 1.2.2,
   exercise 25). */
static uint64_t draw_logarithm(uint64_t number)
{
    unsigned zeros = (unsigned)__builtin_clzll(number);
    uint64_t mantissa = number << zeros, fraction = 0;

    for (int i = 0; i < DRAW_BITS; i++) {
        draw_wide square = (draw_wide)mantissa * mantissa;
        unsigned bit = (unsigned)(square >> 127);
        mantissa = (uint64_t)(square >> (63 + bit));
        fraction = fraction << 1 | bit;
    }
    return ((uint64_t)(zeros + 1) << DRAW_BITS) - fraction;
}

uint64_t ccprof_heap_sampling_draw(uint64_t *state, uint64_t mean)
{
    uint64_t random = draw_random(state);
    draw_wide product = (draw_wide)mean * draw_logarithm(random ? random : 1);

    return (uint64_t)(product * DRAW_LN2 >> 2 * DRAW_BITS);
}

/* For blocks smaller than MEAN >> DRAW_SMALL, x - x^2 / 2 is a sufficiently exact
   value of 1 - exp(-x). */
#define DRAW_SMALL 20

/* Blocks larger than DRAW_LARGE times MEAN are always sampled. */
#define DRAW_LARGE 64

/* Returns 1 - exp(-x), with 62 bits after the binary point, where x is PART / MEAN.
   Computes the series for x / 256 and then doubles x eight times, since 1 - q^2 = 2 (1
   - q) - (1 - q)^2. */
static uint64_t draw_probability(uint64_t part, uint64_t mean)
{
    uint64_t x = (uint64_t)(((draw_wide)part << 54) / mean);
    uint64_t square = (uint64_t)((draw_wide)x * x >> 62);
    uint64_t cube = (uint64_t)((draw_wide)square * x >> 62);
    uint64_t p =
        x - square / 2 + cube / 6 - (uint64_t)((draw_wide)square * square >> 62) / 24;

    for (int i = 0; i < 8; i++)
        p = 2 * p - (uint64_t)((draw_wide)p * p >> 62);
    return p;
}

uint64_t ccprof_heap_sampling_weight(uint64_t size, uint64_t mean)
{
    if (size / DRAW_LARGE >= mean)
        return size;
    if (size < mean >> DRAW_SMALL)
        return (uint64_t)((draw_wide)mean * size / (size + 1)) + size / 2;
    uint64_t p = draw_probability(size + 1, mean);
    return (uint64_t)((((draw_wide)size << 62) + p / 2) / p);
}

/* Mean number of bytes between two samples; 0: every block is counted. */
static uint64_t mean;

__thread uint64_t ccprof_heap_sampling_left, ccprof_heap_sampling_frees;

/* The state of the thread's generator, 0 before the first draw. */
static __thread uint64_t random_state;

void ccprof_heap_sampling_start(uint64_t size)
{
    mean = size;
}

/* Draws the distance to the thread's next sample. Threads start from different
   states: the initial state depends on the address of the state, the clock and the
   process. */
static uint64_t sampling_draw_distance(void)
{
    if (random_state == 0)
        random_state = (uintptr_t)&random_state ^ ccprof_sys_clock(CLOCK_MONOTONIC) ^
                       (uint64_t)getpid() << 40;
    return ccprof_heap_sampling_draw(&random_state, mean);
}

/* A thread draws for the first time at its first block. In the child of a fork it
   draws again for this block. This changes nothing, since the exponential
   distribution has no memory. */
bool ccprof_heap_sampling_hit(uint64_t size)
{
    uint64_t *left = &ccprof_heap_sampling_left;

    if (mean == 0)
        return true;
    if (random_state == 0)
        *left = sampling_draw_distance();
    bool hit = size >= *left;
    *left = hit ? sampling_draw_distance() : *left - size - 1;
    return hit;
}

void ccprof_heap_sampling_fork_child(void)
{
    random_state = 0;
}

/* Sets a state, so that the thread never does the first draw, which reads a clock with
   a system call. */
void ccprof_heap_sampling_stop(void)
{
    random_state = 1;
    if (mean != 0)
        ccprof_heap_sampling_left = UINT64_MAX;
}
