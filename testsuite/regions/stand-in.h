/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A runtime that only notes what regions begin and end, so that a test can say which of
   them were open at each moment, and that none is left open or ended twice.  */

#ifndef STAND_IN_H
#define STAND_IN_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ccprof.h"

#ifdef __cplusplus
extern "C" {
#endif

#define STAND_IN_MOST 100

static struct {
    const struct ccprof_region *open[STAND_IN_MOST];
    const void *address[STAND_IN_MOST];
    unsigned long depth;
} stand_in;

/* What begins and ends, as text: `(a' and `a)'; with `!' behind what was left.  */
static char stand_in_log[10000];

static __inline__ void stand_in_note(const char *before, const char *name,
                                     const char *behind)
{
    size_t used = strlen(stand_in_log);
    snprintf(stand_in_log + used, sizeof stand_in_log - used, "%s%s%s", before, name,
             behind);
}

static __inline__ unsigned long stand_in_begin(struct ccprof_region *region)
{
    if (stand_in.depth == STAND_IN_MOST)
        abort();
    stand_in_note("(", region->name, " ");
    stand_in.open[stand_in.depth] = region;
    return ++stand_in.depth;
}

static __inline__ void stand_in_cut(unsigned long token)
{
    if (token > stand_in.depth || token == 0) {
        puts("FAIL: a region is ended that is not open");
        abort();
    }
    while (stand_in.depth > token)
        stand_in_note("", stand_in.open[--stand_in.depth]->name, "!) ");
    stand_in_note("", stand_in.open[--stand_in.depth]->name, ") ");
}

static __inline__ void stand_in_end_one(struct ccprof_region *region)
{
    unsigned long token = stand_in.depth;
    while (token > 0 && stand_in.open[token - 1] != region)
        token--;
    stand_in_cut(token);
}

/* Where the calls of functions began, in the order in which they did.  */
static const void *stand_in_address[1000];
static unsigned stand_in_addresses;

static __inline__ unsigned long stand_in_enter(struct ccprof_region *region,
                                               const void *address)
{
    if (stand_in_addresses < 1000)
        stand_in_address[stand_in_addresses++] = address;
    return stand_in_begin(region);
}

/* As ccprof.h wants it: these two leave the registers of vectors as they are.  */
#ifdef __x86_64__
#define STAND_IN_VECTORS(do)                                                             \
    char vectors[512] __attribute__((aligned(16)));                                      \
    __builtin_ia32_fxsave64(vectors);                                                    \
    do                                                                                   \
        ;                                                                                \
    __builtin_ia32_fxrstor64(vectors)
#else
#define STAND_IN_VECTORS(do) do
#endif

static __attribute__((noinline)) unsigned long
stand_in_function(struct ccprof_region *region, const void *address)
{
    unsigned long entered;
    STAND_IN_VECTORS(entered = stand_in_enter(region, address));
    return entered;
}

static __attribute__((noinline)) void stand_in_end(struct ccprof_region *region)
{
    STAND_IN_VECTORS(stand_in_end_one(region));
}

/* It may have been left already.  */
static __attribute__((noinline)) void stand_in_left(struct ccprof_region *region,
                                                    unsigned long entered)
{
    if (entered <= stand_in.depth && stand_in.open[entered - 1] == region)
        stand_in_cut(entered);
}

/* Called first.  */
static __inline__ void stand_in_start(void)
{
    static struct ccprof_api api;

    api.size = sizeof api;
    api.region_begin = stand_in_begin;
    api.region_cut = stand_in_cut;
    api.region_end = stand_in_end;
    api.region_enter = stand_in_function;
    api.region_left = stand_in_left;
#ifdef WITHOUT_API
    /* Where the stub is not to be missed; the program is not run.  */
    static const struct ccprof_api *volatile attached;
    attached = &api;
#else
    if (&ccprof_attach_api)
        ccprof_attach_api = &api;
#endif
}

/* Whether that is what has happened since the last time; nothing is open.  */
static int stand_in_failed;
#define HAPPENED(want) stand_in_happened(__LINE__, want)
static __inline__ void stand_in_happened(int line, const char *want)
{
    size_t used = strlen(stand_in_log);
    if (used > 0)
        stand_in_log[used - 1] = 0;
    if (strcmp(stand_in_log, CCPROF_ON ? want : "") != 0 || stand_in.depth != 0) {
        printf("FAIL: line %d: `%s', not `%s'; open: %lu\n", line, stand_in_log, want,
               stand_in.depth);
        stand_in_failed = 1;
    }
    stand_in.depth = 0;
    stand_in_log[0] = 0;
}

/* The call returns the value.  */
#define SAME(call, value)                                                                \
    do {                                                                                 \
        long got = (call);                                                               \
        if (got != (value)) {                                                            \
            printf("FAIL: line %d: %s is %ld\n", __LINE__, #call, got);                  \
            stand_in_failed = 1;                                                         \
        }                                                                                \
    } while (0)

/* The same, and this is what has happened.  */
#define RUN(call, value, want)                                                           \
    do {                                                                                 \
        SAME(call, value);                                                               \
        HAPPENED(want);                                                                  \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
