/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The entries of the list: add a measure here. The functions below find an entry by its
   word, kind or event. */

#include "mlprof/measure/measure.h"
#include "mlprof/base/buf.h"

#include <stdio.h>
#include <string.h>

/* Define measures of memory, and the measures of memory that come from heap data. */
#define MEMORY(name, words, ...)                                                         \
    {                                                                                    \
        .word = name, .unit = MEASURE_BYTES, .stacks = true, .memory = true,             \
        .heading = "bytes", .noun = "byte", .plural = "bytes", .what = words,            \
        __VA_ARGS__                                                                      \
    }
#define HEAP(name, which, in_menu, columns, types, words, ...)                           \
    MEMORY(name, words, .heap.number = which, .heap.menu = in_menu,                      \
           .heap.column = columns, .pprof = types, __VA_ARGS__)

/* The place of the first measure of instructions in measure_all. */
#define FIRST_EVENT 3

/* Define a measure of instructions, and its amount for one execution of an instruction.
 */
#define WEIGH(name, amount)                                                              \
    static uint64_t weigh_##name(const struct events_insn *insn)                         \
    {                                                                                    \
        return amount;                                                                   \
    }
#define EVENTS(event_number, name, in_callgrind, function, head, one, many)              \
    [FIRST_EVENT + event_number] = {.word = name,                                        \
                                    .unit = MEASURE_COUNT,                               \
                                    .kinds = CCPROF_KIND_INSTRUCTIONS,                   \
                                    .profile = "instructions",                           \
                                    .stacks = true,                                      \
                                    .weigh = weigh_##function,                           \
                                    .event = in_callgrind,                               \
                                    .heading = head,                                     \
                                    .noun = one,                                         \
                                    .plural = many}

/* No-operations align the code that follows. Their number depends on addresses, and so
   on code elsewhere. */
WEIGH(all, !insn->padding)
WEIGH(loads, insn->loads)
WEIGH(stores, insn->stores)
WEIGH(load_bytes, insn->load_bytes)
WEIGH(store_bytes, insn->store_bytes)
WEIGH(branches, insn->branch)
WEIGH(mispredictable, events_mispredictable(insn))
WEIGH(divisions, insn->division)
WEIGH(vector64, insn->vector == 64)
WEIGH(vector128, insn->vector == 128)
WEIGH(vector256, insn->vector == 256)
WEIGH(vector512, insn->vector == 512)

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
     .inclusive = true,
     .heading = "calls",
     .noun = "call",
     .plural = "calls"},
    MEMORY("bytes", "allocated", .blocks = "blocks", .kinds = CCPROF_KIND_ALLOC,
           .profile = "alloc", .inclusive = true, .pprof = "alloc"),
    EVENTS(MEASURE_INSTRUCTIONS, "instructions", "Ir", all, "instructions", "instruction",
           "instructions"),
    EVENTS(MEASURE_LOADS, "loads", "Dr", loads, "loads", "load", "loads"),
    EVENTS(MEASURE_STORES, "stores", "Dw", stores, "stores", "store", "stores"),
    EVENTS(MEASURE_LOAD_BYTES, "load-bytes", "LoadBytes", load_bytes, "loaded",
           "byte loaded", "bytes loaded"),
    EVENTS(MEASURE_STORE_BYTES, "store-bytes", "StoreBytes", store_bytes, "stored",
           "byte stored", "bytes stored"),
    EVENTS(MEASURE_BRANCHES, "branches", "Branches", branches, "branches", "branch",
           "branches"),
    EVENTS(MEASURE_MISPREDICTABLE, "mispredictable", "Mispredictable", mispredictable,
           "predicted", "mispredictable branch", "mispredictable branches"),
    EVENTS(MEASURE_DIVISIONS, "divisions", "Divisions", divisions, "divisions",
           "division", "divisions"),
    EVENTS(MEASURE_VECTOR64, "vector64", "Vector64", vector64, "vector64",
           "instruction on vectors of 64 bits", "instructions on vectors of 64 bits"),
    EVENTS(MEASURE_VECTOR128, "vector128", "Vector128", vector128, "vector128",
           "instruction on vectors of 128 bits", "instructions on vectors of 128 bits"),
    EVENTS(MEASURE_VECTOR256, "vector256", "Vector256", vector256, "vector256",
           "instruction on vectors of 256 bits", "instructions on vectors of 256 bits"),
    EVENTS(MEASURE_VECTOR512, "vector512", "Vector512", vector512, "vector512",
           "instruction on vectors of 512 bits", "instructions on vectors of 512 bits"),
    {.word = "wait",
     .unit = MEASURE_NANOSECONDS,
     .kinds = MEASURE_KIND_WAIT,
     .stacks = true,
     .heading = "seconds",
     .noun = "nanosecond of waiting",
     .plural = "waiting"},
    {.word = "latency",
     .unit = MEASURE_NANOSECONDS,
     .kinds = MEASURE_KIND_LATENCY,
     .sampled = true,
     .stacks = true,
     .heading = "seconds",
     .noun = "part of a sample",
     .plural = "parts of samples"},
    HEAP("live", HEAPDATA_LIVE, "live", "live", "inuse",
         "alive when the file was written", .heap.ranged = true),
    HEAP("peak", HEAPDATA_PEAK, "peak", "peak", "peak", "alive at the peak"),
    MEMORY("leaks", "leaked", .heap.number = HEAPDATA_LEAKED, .heap.ranged = true,
           .heap.derived = true),
    HEAP("allocated", HEAPDATA_TOTAL, "allocated", "all", "alloc", "allocated",
         .kept = "total", .heap.ranged = true),
    HEAP("temporary", HEAPDATA_TEMPORARY, "temporary", "temp", "temporary",
         "freed at once", .heap.whole = HEAPDATA_TOTAL, .heap.lives = true),
    HEAP("lifetimes", HEAPDATA_FREED, "freed", "freed", "freed", "freed",
         .heap.lives = true),
    {0},
};

/* Parts of these, which -heap does not accept. */
#define PART(which, larger)                                                              \
    {                                                                                    \
        .unit = MEASURE_BYTES, .memory = true, .heap.number = which,                     \
        .heap.whole = larger                                                             \
    }
static const struct measure parts[] = {
    PART(HEAPDATA_YOUNG, HEAPDATA_LIVE),      PART(HEAPDATA_LOST, HEAPDATA_LEAKED),
    PART(HEAPDATA_INDIRECT, HEAPDATA_LEAKED), PART(HEAPDATA_POSSIBLE, HEAPDATA_LIVE),
    PART(HEAPDATA_REACHED, HEAPDATA_LIVE),    PART(HEAPDATA_LIVED + 0, HEAPDATA_FREED),
    PART(HEAPDATA_LIVED + 1, HEAPDATA_FREED), PART(HEAPDATA_LIVED + 2, HEAPDATA_FREED),
    PART(HEAPDATA_LIVED + 3, HEAPDATA_FREED), PART(HEAPDATA_LIVED + 4, HEAPDATA_FREED),
    PART(HEAPDATA_LIVED + 5, HEAPDATA_FREED), PART(HEAPDATA_LIVED + 6, HEAPDATA_FREED),
};
_Static_assert(sizeof parts / sizeof *parts + 6 == HEAPDATA_MEASURES,
               "parts has all measures of the heap but the six that measure_all has");

const struct measure *measure_of_event(enum measure_event event)
{
    return &measure_all[FIRST_EVENT + event];
}

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
    for (const struct measure *m = measure_all; m->word; m++)
        if (!m->kinds && m->heap.number == heap)
            return m;
    const struct measure *part = parts;
    while (part->heap.number != heap)
        part++;
    return part;
}

const struct measure *measure_compared(const struct measure *measure)
{
    return measure && measure->heap.derived ? measure_of_heap(HEAPDATA_LIVE) : measure;
}

const struct measure *measure_next_of_heap(const struct measure *measure)
{
    const struct measure *m = measure ? measure + 1 : measure_all;
    while (m->word && (m->kinds || m->heap.derived))
        m++;
    return m->word ? m : NULL;
}

static bool is_word(const char *word, const char *other)
{
    return other && strcmp(word, other) == 0;
}

const struct measure *measure_of_word(const char *word, bool heap)
{
    for (const struct measure *m = measure_all; m->word; m++)
        if (heap ? !m->kinds && (is_word(word, m->word) || is_word(word, m->kept))
                 : is_word(word, m->word) || is_word(word, m->blocks))
            return m;
    return NULL;
}

char *measure_words(bool heap)
{
    char *words = NULL;
    size_t size;
    FILE *out = buf_open(&words, &size);
    const char *between = heap ? "{" : "{main|total|";
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
