/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work whose cost is known: a chain of multiplications, each of which waits for
   the one before, so that a step costs the same whatever its constant is. The
   constants differ from function to function, and so tell their machine code. */

#ifndef TESTSUITE_KERNEL_H
#define TESTSUITE_KERNEL_H

#include <stdint.h>
#include <time.h>

#define KERNEL_ALPHA 0x5851f42d
#define KERNEL_BETA  0x4c957f2d
#define KERNEL_GAMMA 0x1b873593
#define KERNEL_DELTA 0x369dea0f

/* STEPS steps with CONSTANT, in the function where it stands. */
#define KERNEL_SPIN(x, constant, steps)                                                  \
    do {                                                                                 \
        for (long kernel_i = 0; kernel_i < (steps); kernel_i++)                          \
            (x) = (x) * (uint64_t)(constant) + 11;                                       \
    } while (0)

/* CPU time that a program runs for, in seconds. Programs of other processors are tried
   under qemu, which translates what runs first: a few milliseconds that are the
   program's, but no kernel's. */
#if defined __x86_64__
#define KERNEL_RUN 0.3
#else
#define KERNEL_RUN 1.2
#endif

/* CPU time of the process in seconds. */
#define KERNEL_SECONDS() kernel_seconds(CLOCK_PROCESS_CPUTIME_ID)

static inline double kernel_seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Adds to TOTAL the CPU time that the statement takes. */
#define KERNEL_TIMED(total, statement)                                                   \
    do {                                                                                 \
        double kernel_start = KERNEL_SECONDS();                                          \
        statement;                                                                       \
        (total) += KERNEL_SECONDS() - kernel_start;                                      \
    } while (0)

/* From LOW up to, but not, HIGH; xorshift64*. */
static inline long kernel_random(uint64_t *state, long low, long high)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return low + (long)((*state * UINT64_C(2685821657736338717) >> 33) %
                        (uint64_t)(high - low));
}

#endif
