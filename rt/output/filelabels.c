/* SPDX-License-Identifier: MIT */
/* Implements filelabels.h. */

#include <string.h>

#include "rt/output/filelabels.h"
#include "rt/format.h"
#include "rt/samples/tags.h"
#include "rt/regions/regions.h"

/* The labels of the file, in the numbering of mlmon.out(5): first the labels of
   phases, then the labels of regions that have samples in the file. */
static struct {
    unsigned phases;
    uint64_t regions[CCPROF_REGIONS_NAMES / 64]; /* bit N: region N has samples */
} labels;

void ccprof_filelabels_clear(void)
{
    memset(&labels, 0, sizeof labels);
}

void ccprof_filelabels_record(uint64_t address)
{
    uint64_t label = address - CCPROF_TAGS_LABEL;
    if (label >= CCPROF_LABELS_MAX)
        labels.regions[(label - CCPROF_LABELS_MAX) / 64] |=
            1ull << (label - CCPROF_LABELS_MAX) % 64;
}

static void filelabels_line(struct ccprof_text *text, unsigned label, const char *name)
{
    ccprof_text_string(text, "label ");
    ccprof_text_decimal(text, label);
    ccprof_text_char(text, ' ');
    ccprof_text_path(text, name);
    ccprof_text_char(text, '\n');
}

void ccprof_filelabels_write(struct ccprof_text *text)
{
    unsigned count = labels.phases = ccprof_labels_count();

    for (unsigned i = 0; i < labels.phases; i++)
        filelabels_line(text, i, ccprof_labels_name(i));
    for (unsigned i = 0; i < CCPROF_REGIONS_NAMES; i++)
        if (labels.regions[i / 64] >> i % 64 & 1)
            filelabels_line(text, count++, ccprof_regions_label(i));
}

unsigned ccprof_filelabels_number(uint64_t address)
{
    uint64_t label = address - CCPROF_TAGS_LABEL, region = label - CCPROF_LABELS_MAX;
    unsigned number = labels.phases;

    if (label < CCPROF_LABELS_MAX)
        return (unsigned)label;
    for (unsigned i = 0; i < region / 64; i++)
        number += (unsigned)__builtin_popcountll(labels.regions[i]);
    return number + (unsigned)__builtin_popcountll(labels.regions[region / 64] &
                                                   ((1ull << region % 64) - 1));
}
