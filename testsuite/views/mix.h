/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function that is inlined everywhere, all of it a macro.  */

#define STEP(x) ((x) = ((x) ^ (x) >> 15) * 0x2c1b3c6du)

static inline unsigned mix(unsigned x)
{
    STEP(x);
    return x;
}
