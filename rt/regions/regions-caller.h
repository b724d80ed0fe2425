/* SPDX-License-Identifier: MIT */
/* Keeps what the program's code that begins or ends a region has: errno, and what is in
   the registers of floating-point and vectors; a function with a stopwatch may be called
   by code that knows that it leaves them alone (ccprof.h, region_enter).  The files of
   this room use none of these registers where there are others (rt.mk); this is for what
   calls other code, libc's say, which seldom happens.  */

#ifndef CCPROF_REGIONS_CALLER_H
#define CCPROF_REGIONS_CALLER_H

#include <errno.h>

#ifdef __x86_64__
#include <cpuid.h>

/* As far as the registers of AVX-512 reach, which are the last that compilers use by
   themselves.  */
#define REGIONS_CALLER_SIZE 2752
#define REGIONS_CALLER_ALL  0xe7u

struct regions_caller {
    _Alignas(64) unsigned char area[REGIONS_CALLER_SIZE];
    int has_xsave;
    int error;
};

/* The processor is asked once: under a hypervisor that takes microseconds.  */
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
        /* The header; volatile: not by libc's memset.  */
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
