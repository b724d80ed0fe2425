/* SPDX-License-Identifier: MIT */
/* Keeps what is in the registers of floating-point and vectors: a function with a
   stopwatch may be called by code that knows that it leaves them alone (ccprof.h,
   region_enter).  The files of this room use none where there are others (rt.mk); this is
   for what calls other code, libc's say, which seldom happens.  */

#ifndef CCPROF_REGIONS_VECTORS_H
#define CCPROF_REGIONS_VECTORS_H

#ifdef __x86_64__
#include <cpuid.h>

/* As far as the registers of AVX-512 reach, which are the last that compilers use by
   themselves.  */
#define REGIONS_VECTORS_SIZE 2752
#define REGIONS_VECTORS_ALL  0xe7u

struct regions_vectors {
    _Alignas(64) unsigned char area[REGIONS_VECTORS_SIZE];
    int has_xsave;
};

static inline void regions_vectors_save(struct regions_vectors *vectors)
{
    unsigned a, b, c, d;

    vectors->has_xsave = __get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE;
    if (vectors->has_xsave) {
        /* The header; volatile: not by libc's memset.  */
        for (volatile unsigned char *at = vectors->area + 512; at < vectors->area + 576;
             at++)
            *at = 0;
        __asm__ volatile("xsave64 (%0)"
                         :
                         : "r"(vectors->area), "a"(REGIONS_VECTORS_ALL), "d"(0)
                         : "memory");
    } else {
        __asm__ volatile("fxsave64 (%0)" : : "r"(vectors->area) : "memory");
    }
}

static inline void regions_vectors_restore(const struct regions_vectors *vectors)
{
    if (vectors->has_xsave)
        __asm__ volatile("xrstor64 (%0)"
                         :
                         : "r"(vectors->area), "a"(REGIONS_VECTORS_ALL), "d"(0)
                         : "memory");
    else
        __asm__ volatile("fxrstor64 (%0)" : : "r"(vectors->area) : "memory");
}

#else

struct regions_vectors {
    char nothing;
};

static inline void regions_vectors_save(struct regions_vectors *vectors)
{
    vectors->nothing = 0;
}

static inline void regions_vectors_restore(const struct regions_vectors *vectors)
{
    (void)vectors;
}

#endif

#endif
