/* SPDX-License-Identifier: MIT */
/* Owns the set of regions whose labels are in the file that is being written.  One thread
   at a time.  */

#include <string.h>

#include "rt/process/mlmon-labels.h"
#include "rt/regions/regions.h"
#include "rt/samples/scope.h"

#define LABELS_WORDS (CCPROF_REGIONS_NAMES / 64)

static uint64_t noted[LABELS_WORDS];
static unsigned phases; /* labels of phases, which come first */

void ccprof_mlmon_labels_begin(void)
{
    memset(noted, 0, sizeof noted);
}

void ccprof_mlmon_labels_note(uint64_t address)
{
    uint64_t label = address - CCPROF_SCOPE_LABEL;
    if (label >= CCPROF_LABELS_MAX)
        noted[(label - CCPROF_LABELS_MAX) / 64] |= 1ull
                                                   << (label - CCPROF_LABELS_MAX) % 64;
}

static void labels_line(struct ccprof_text *text, unsigned label, const char *name)
{
    ccprof_text_string(text, "label ");
    ccprof_text_decimal(text, label);
    ccprof_text_char(text, ' ');
    ccprof_text_path(text, name);
    ccprof_text_char(text, '\n');
}

void ccprof_mlmon_labels_write(struct ccprof_text *text)
{
    unsigned count = phases = ccprof_labels_count();

    for (unsigned i = 0; i < phases; i++)
        labels_line(text, i, ccprof_labels_name(i));
    for (unsigned i = 0; i < CCPROF_REGIONS_NAMES; i++)
        if (noted[i / 64] >> i % 64 & 1)
            labels_line(text, count++, ccprof_regions_label(i));
}

unsigned ccprof_mlmon_labels_number(uint64_t address)
{
    uint64_t label = address - CCPROF_SCOPE_LABEL, region = label - CCPROF_LABELS_MAX;
    unsigned number = phases;

    if (label < CCPROF_LABELS_MAX)
        return (unsigned)label;
    for (unsigned i = 0; i < region / 64; i++)
        number += (unsigned)__builtin_popcountll(noted[i]);
    return number + (unsigned)__builtin_popcountll(noted[region / 64] &
                                                   ((1ull << region % 64) - 1));
}
