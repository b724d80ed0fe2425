/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of all measures, with everything that options, tables, formats and the page
   need to know of a measure. Callers read the fields of an entry. Few check which entry
   it is: the texts and columns of the heap (view/heapwords.c, heapview.c), the page's
   menu, and the interval of the peak (profile/heapdata.c). */

#ifndef MLPROF_MEASURE_H
#define MLPROF_MEASURE_H

#include "mlprof/elf/events.h"
#include "rt/format.h"

#include <stdbool.h>
#include <stddef.h>

/* The measures of the heap, in the order of the data file. */
enum heapdata_measure {
    HEAPDATA_TOTAL, /* allocated */
    HEAPDATA_FREED,
    HEAPDATA_LIVE,      /* in use when the file was written */
    HEAPDATA_PEAK,      /* in use when total use was highest */
    HEAPDATA_TEMPORARY, /* freed before their thread did anything else */
    HEAPDATA_LIVED,     /* freed, by class of lifetime */
    HEAPDATA_YOUNG = HEAPDATA_LIVED + CCPROF_LIVES, /* in use, and allocated recently */
    /* Memory in use at the end, by the way in which the program can reach a block: not
       at all; only from blocks that it cannot reach; possibly; by an address that the
       program holds. */
    HEAPDATA_LOST,
    HEAPDATA_INDIRECT,
    HEAPDATA_POSSIBLE,
    HEAPDATA_REACHED,
    HEAPDATA_LEAKED, /* HEAPDATA_LOST plus HEAPDATA_INDIRECT; not in the file */
    HEAPDATA_MEASURES
};

enum measure_unit { MEASURE_NANOSECONDS, MEASURE_COUNT, MEASURE_BYTES };

/* The kinds of profiles that were made from waits (profile/waitpoints.h), and from
   samples and waits (latencypoints.h). They are no bits of enum ccprof_kind: programs
   record waiting in addition to their kind. */
#define MEASURE_KIND_WAIT    (1U << 16)
#define MEASURE_KIND_LATENCY (1U << 17)
#define MEASURE_KINDS_MADE   (MEASURE_KIND_WAIT | MEASURE_KIND_LATENCY)

/* What only measures of the heap have. */
struct measure_heap {
    enum heapdata_measure number;
    const char *menu;            /* name in the page's menu */
    const char *column;          /* prefix of its columns' names in CSV and JSON */
    enum heapdata_measure whole; /* the measure that contains it: shares are of it */
    bool lives;                  /* requires data about how blocks were freed */
    bool ranged;                 /* also known for a range of time */
    bool derived;                /* formats, comparisons and the page use live instead */
};

struct measure {
    const char *word; /* name for -measure and, for the heap, -heap */
    /* KEPT: an older name, which JSON still uses. BLOCKS: the name for
       -measure that selects the number of blocks. NULL: none. */
    const char *kept, *blocks;
    enum measure_unit unit;
    /* The kinds of profiles (enum ccprof_kind, MEASURE_KINDS_MADE) that have the measure,
       as bits; 0: a measure of the heap. */
    unsigned kinds;
    /* Value of the plugin's argument profile; NULL: the program records the measure if
       the user asks for it. */
    const char *profile;
    /* True: amounts are samples of a clock, which have a confidence interval. Each
       sample is worth the same time. False: amounts were counted or, for a sampled
       heap, estimated. */
    bool sampled;
    bool stacks; /* known per call stack; false: only per function */
    /* The argument stack of the plugin counts it in all that a function has called. */
    bool inclusive;
    /* Whether amounts are bytes allocated at allocation sites, for which the number of
       blocks is also known. */
    bool memory;
    /* Only for instructions: returns the amount of one execution of INSN. */
    uint64_t (*weigh)(const struct events_insn *insn);
    const char *event;         /* only for instructions: name in callgrind's format */
    const char *heading;       /* heading of its amounts */
    const char *noun, *plural; /* unit after an amount, singular and plural */
    /* Only for memory: */
    const char *what;         /* follows the word bytes or blocks */
    const char *pprof;        /* prefix of its two sample types in pprof */
    struct measure_heap heap; /* only for the heap */
};

/* Ends with an entry without a word. */
extern const struct measure measure_all[];

/* The measures of instructions, in the order of measure_all. */
enum measure_event {
    MEASURE_INSTRUCTIONS,
    MEASURE_LOADS,
    MEASURE_STORES,
    MEASURE_LOAD_BYTES,
    MEASURE_STORE_BYTES,
    MEASURE_BRANCHES,
    MEASURE_MISPREDICTABLE,
    MEASURE_DIVISIONS,
    MEASURE_VECTOR64,
    MEASURE_VECTOR128,
    MEASURE_VECTOR256,
    MEASURE_VECTOR512,
    MEASURE_EVENTS
};
const struct measure *measure_of_event(enum measure_event event);

/* Returns the main measure of a profile of KINDS, bits of enum ccprof_kind: the first
   measure with call stacks, else the first measure, else time. */
const struct measure *measure_of_kinds(unsigned kinds);

/* Returns the entry for a measure of the heap. An entry that is not in the list, because
   -heap does not accept it, has no words. */
const struct measure *measure_of_heap(enum heapdata_measure heap);

/* Returns whether MEASURE, which may be NULL, is a measure of the heap. */
static inline bool measure_is_of_heap(const struct measure *measure)
{
    return measure && !measure->kinds;
}

/* Returns whether MEASURE comes from counters in the program's code, which record no
   call stacks, threads or phases. */
static inline bool measure_is_counted(const struct measure *measure)
{
    return measure->kinds & CCPROF_KINDS_COUNTED;
}

/* Returns the measure that comparisons, formats and the page use for MEASURE: MEASURE
   itself, or live if it is derived. */
const struct measure *measure_compared(const struct measure *measure);

/* Returns the next measure of the heap after MEASURE that formats and the page have;
   the first one if MEASURE is NULL. Returns NULL after the last one. */
const struct measure *measure_next_of_heap(const struct measure *measure);

/* Returns the name of MEASURE in JSON. */
static inline const char *measure_kept_word(const struct measure *measure)
{
    return measure->kept ? measure->kept : measure->word;
}

/* Returns the measure that WORD selects for -measure or, if HEAP, for -heap; NULL if
   there is none. WORD may also be the name for its blocks or its older name. */
const struct measure *measure_of_word(const char *word, bool heap);

/* Returns the values of -measure in braces, with the measures of the heap last; if
   HEAP, only the measures of the heap. Freed by free. */
char *measure_words(bool heap);

#endif
