/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of all that is measured, with all that options, tables, formats and the page
   have to know of a measure.  Callers ask the fields of an entry, not which one it is. */

#ifndef MLPROF_MEASURE_H
#define MLPROF_MEASURE_H

#include "rt/format.h"

#include <stdbool.h>
#include <stddef.h>

/* The measures of the heap, in the order of the data file.  */
enum heapdata_measure {
    HEAPDATA_TOTAL, /* allocated */
    HEAPDATA_FREED,
    HEAPDATA_LIVE,      /* in use when the file was written */
    HEAPDATA_PEAK,      /* in use when total use was highest */
    HEAPDATA_TEMPORARY, /* freed before their thread did anything else */
    HEAPDATA_FOREIGN,   /* freed by another thread */
    HEAPDATA_AGAIN,     /* allocated by realloc in place of others */
    HEAPDATA_LIVED,     /* freed, by class of their lifetimes */
    HEAPDATA_YOUNG = HEAPDATA_LIVED + CCPROF_LIVES, /* in use, and allocated recently */
    /* Alive at the end, by how a block can be reached: not at all; from others that
       cannot; perhaps; by its address, which the program has.  */
    HEAPDATA_LOST,
    HEAPDATA_INDIRECT,
    HEAPDATA_POSSIBLE,
    HEAPDATA_REACHED,
    HEAPDATA_LEAKED, /* the first two together: not in the file */
    HEAPDATA_MEASURES
};

enum measure_unit { MEASURE_NANOSECONDS, MEASURE_COUNT, MEASURE_BYTES };

struct measure {
    const char *word; /* of -measure; if the heap has it, of -heap, too */
    /* KEPT: an older word, which JSON and baselines keep.  BLOCKS: the word of -measure
       for its blocks.  NULL: there is none.  */
    const char *kept, *blocks;
    enum measure_unit unit;
    /* The kinds (enum ccprof_kind) that measure it, as bits; 0: it is a measure of the
       heap.  */
    unsigned kinds;
    const char *profile; /* the plugin's argument profile that measures it */
    enum heapdata_measure heap;
    /* Amounts are samples of a clock: the true ones are in an interval, and each is worth
       the same time.  False: they were counted or, of a sampled heap, estimated.  */
    bool sampled;
    bool stacks; /* it is known of whole stacks.  False: of functions alone */
    /* Bytes that were allocated at allocation sites, which have a number of blocks,
       too.  */
    bool memory;
    const char *heading;       /* above its amounts */
    const char *noun, *plural; /* behind an amount: of 1, of more */
    /* Only of memory.  */
    const char *what;  /* behind the words bytes or blocks */
    const char *pprof; /* the beginning of pprof's two sample types */
    /* Only of the heap.  */
    const char *menu;   /* in the page's menu */
    const char *column; /* the beginning of its columns' names in CSV and JSON */
    bool lives;         /* needs to know what became of blocks */
    bool ranged;        /* is known of a range of time, too */
    bool derived;       /* formats, comparisons and the page have live in its place */
};

/* Ends with an entry without a word.  */
extern const struct measure measure_all[];

/* The main measure of a profile of KINDS, bits of enum ccprof_kind: the first measure
   that has stacks, or else the first measure, or else time.  */
const struct measure *measure_of_kinds(unsigned kinds);

/* The measure of the heap that -heap can ask for.  */
const struct measure *measure_of_heap(enum heapdata_measure heap);

/* Whether MEASURE, which may be NULL, is one of the heap.  */
static inline bool measure_is_of_heap(const struct measure *measure)
{
    return measure && !measure->kinds;
}

/* Whether counters in the program's code have counted MEASURE: they tell nothing of call
   stacks, threads and phases.  */
static inline bool measure_is_counted(const struct measure *measure)
{
    return measure->kinds & CCPROF_KINDS_COUNTED;
}

/* MEASURE, or the one that comparisons, formats and the page have in its place.  */
const struct measure *measure_compared(const struct measure *measure);

/* The measure of the heap behind MEASURE in formats and on the page.  If MEASURE is NULL,
   the first one.  NULL: there are no more.  */
const struct measure *measure_next_of_heap(const struct measure *measure);

/* The word of JSON and baselines for MEASURE.  */
static inline const char *measure_kept_word(const struct measure *measure)
{
    return measure->kept ? measure->kept : measure->word;
}

/* The measure that WORD names for -measure or, if HEAP, for -heap.  WORD may also be the
   word for its blocks or its older word.  NULL: there is none.  */
const struct measure *measure_of_word(const char *word, bool heap);

/* The words of -measure, in braces, those of the heap at the end, or these alone; to be
   freed.  */
char *measure_words(bool heap);

#endif
