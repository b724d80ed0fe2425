/* SPDX-License-Identifier: MIT */
/* Keeps what the code that begins or ends a region expects to keep: errno, and the
   registers for floating-point numbers and vectors.  A function with a stopwatch may be
   called by code that knows that the function leaves these registers alone (ccprof.h,
   region_enter).  The compiler uses none of these registers for the files of this room,
   where it can avoid them (rt.mk).  So they are saved here only around calls of other
   code, libc's for example, which are rare.  */

#ifndef CCPROF_REGIONS_CALLER_H
#define CCPROF_REGIONS_CALLER_H

#include <errno.h>

#ifdef __x86_64__
#include <cpuid.h>

/* All registers up to those of AVX-512, the last that compilers use on their own.  */
#define REGIONS_CALLER_SIZE 2752
#define REGIONS_CALLER_ALL  0xe7u

struct regions_caller {
    _Alignas(64) unsigned char area[REGIONS_CALLER_SIZE];
    int has_xsave;
    int error;
};

/* The processor is asked once, since under a hypervisor the question takes
   microseconds.  */
static inline int regions_caller_has_xsave(void)
{
    enum { UNKNOWN, NO, YES };
    static int known;
    int has = __atomic_load_n(&known, __ATOMIC_RELAXED);

    if (has == UNKNOWN) {
        unsigned a, b, c, d;
        has = __get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE ? YES : NO;
        __atomic_store_n(&known, has, __ATOMIC_RELAXED);
    }
    return has == YES;
}

static inline void regions_caller_save(struct regions_caller *caller)
{
    caller->error = errno;
    caller->has_xsave = regions_caller_has_xsave();
    if (caller->has_xsave) {
        /* Clears the header of the area; `volatile' keeps the compiler from calling
           libc's memset.  */
        for (volatile unsigned char *at = caller->area + 512; at < caller->area + 576;
             at++)
            *at = 0;
        __asm__ volatile("xsave64 (%0)"
                         :
                         : "r"(caller->area), "a"(REGIONS_CALLER_ALL), "d"(0)
                         : "memory");
    } else {
        __asm__ volatile("fxsave64 (%0)" : : "r"(caller->area) : "memory");
    }
}

static inline void regions_caller_restore(const struct regions_caller *caller)
{
    if (caller->has_xsave)
        __asm__ volatile("xrstor64 (%0)"
                         :
                         : "r"(caller->area), "a"(REGIONS_CALLER_ALL), "d"(0)
                         : "memory");
    else
        __asm__ volatile("fxrstor64 (%0)" : : "r"(caller->area) : "memory");
    errno = caller->error;
}

#else

struct regions_caller {
    int error;
};

static inline void regions_caller_save(struct regions_caller *caller)
{
    caller->error = errno;
}

static inline void regions_caller_restore(const struct regions_caller *caller)
{
    errno = caller->error;
}

#endif

#endif
