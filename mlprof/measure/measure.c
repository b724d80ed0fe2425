/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/measure/measure.h"
#include "mlprof/base/buf.h"

#include <stdio.h>

/* What all measures of memory have.  */
#define MEMORY                                                                           \
    .unit = MEASURE_BYTES, .stacks = true, .memory = true, .heading = "bytes",           \
    .noun = "byte", .plural = "bytes"

const struct measure measure_all[] = {
    {.word = "time",
     .unit = MEASURE_NANOSECONDS,
     .kinds = CCPROF_KINDS_SAMPLED,
     .profile = "time",
     .sampled = true,
     .stacks = true,
     .heading = "seconds",
     .noun = "sample",
     .plural = "samples"},
    {.word = "calls",
     .unit = MEASURE_COUNT,
     .kinds = CCPROF_KIND_COUNT,
     .profile = "count",
     .heading = "calls",
     .noun = "call",
     .plural = "calls"},
    {.word = "bytes",
     MEMORY,
     .kinds = CCPROF_KIND_ALLOC,
     .blocks = "blocks",
     .profile = "alloc",
     .pprof = "alloc",
     .what = "allocated"},
    {.word = "live",
     MEMORY,
     .heap = HEAPDATA_LIVE,
     .pprof = "inuse",
     .what = "alive when the file was written",
     .menu = "live",
     .column = "live",
     .ranged = true},
    {.word = "peak",
     MEMORY,
     .heap = HEAPDATA_PEAK,
     .pprof = "peak",
     .what = "alive at the peak",
     .menu = "peak",
     .column = "peak"},
    {.word = "leaks",
     MEMORY,
     .heap = HEAPDATA_LEAKED,
     .what = "leaked",
     .ranged = true,
     .derived = true},
    {.word = "total",
     MEMORY,
     .heap = HEAPDATA_TOTAL,
     .pprof = "alloc",
     .what = "allocated",
     .menu = "total",
     .column = "all",
     .ranged = true},
    {.word = "temporary",
     MEMORY,
     .heap = HEAPDATA_TEMPORARY,
     .pprof = "temporary",
     .what = "freed at once",
     .menu = "temporary",
     .column = "temp",
     .lives = true},
    {.word = "lifetimes",
     MEMORY,
     .heap = HEAPDATA_FREED,
     .pprof = "freed",
     .what = "freed",
     .menu = "freed",
     .column = "freed",
     .lives = true},
    {0},
};

const struct measure *measure_of_kinds(unsigned kinds)
{
    const struct measure *found = NULL;
    for (const struct measure *m = measure_all; m->word; m++)
        if (kinds & m->kinds && (!found || m->stacks > found->stacks))
            found = m;
    return found && !(kinds & CCPROF_KIND_REGION) ? found : measure_all;
}

const struct measure *measure_of_heap(enum heapdata_measure heap)
{
    const struct measure *m = measure_all;
    while (m->kinds || m->heap != heap)
        m++;
    return m;
}

const struct measure *measure_compared(const struct measure *measure)
{
    return measure && measure->derived ? measure_of_heap(HEAPDATA_LIVE) : measure;
}

const struct measure *measure_next_of_heap(const struct measure *measure)
{
    const struct measure *m = measure ? measure + 1 : measure_all;
    while (m->word && (m->kinds || m->derived))
        m++;
    return m->word ? m : NULL;
}

char *measure_words(bool heap)
{
    char *words = NULL;
    size_t size;
    FILE *out = buf_open(&words, &size);
    const char *between = heap ? "{" : "{main|stack|";
    for (const struct measure *m = measure_all; m->word; m++) {
        if (heap && m->kinds)
            continue;
        fprintf(out, "%s%s", between, m->word);
        between = "|";
        if (m->blocks)
            fprintf(out, "|%s", m->blocks);
    }
    putc('}', out);
    buf_close(out);
    return words;
}
