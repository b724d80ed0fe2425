/* SPDX-License-Identifier: GPL-3.0-or-later */
/* known TURNS: six functions whose shares are known, of the same code and so many
   steps each: 40, 25, 15, 10, 6 and 4 of 100.  A turn of all of them takes some
   microseconds, a small part of the interval between samples, so that samples are drawn
   from them as balls from an urn.  PLANTED more steps are done in the last one; 5.26
   would be 5 % of the run.  */

#include <stdint.h>
#include <stdlib.h>

#ifndef PLANTED
#define PLANTED 0
#endif

/* For each hundredth; each takes some four cycles.  */
enum { STEPS = 100 };

/* Steps that wait for each other.  */
#define FUNCTION(name)                                                                   \
    __attribute__((noinline, aligned(64))) uint64_t name(uint64_t x,                     \
                                                         unsigned hundredths)            \
    {                                                                                    \
        for (unsigned i = 0; i < hundredths * STEPS; i++)                                \
            x = x * UINT64_C(0x5851f42d) + 11;                                           \
        return x;                                                                        \
    }
FUNCTION(forty)
FUNCTION(twentyfive)
FUNCTION(fifteen)
FUNCTION(ten)
FUNCTION(six)
FUNCTION(four)

int main(int argc, char **argv)
{
    uint64_t x = 1;
    for (long turns = argc > 1 ? strtol(argv[1], NULL, 10) : 0; turns > 0; turns--) {
        x = forty(x, 40);
        x = twentyfive(x, 25);
        x = fifteen(x, 15);
        x = ten(x, 10);
        x = six(x, 6);
        x = four(x, 4 + PLANTED);
    }
    return x == 0;
}
