/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/heapwords.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <stdlib.h>

const struct heapwords_measure heapwords_measures[] = {
    {HEAPDATA_LIVE, "live", "live", "inuse", "alive when the file was written"},
    {HEAPDATA_PEAK, "peak", "peak", "peak", "alive at the peak"},
    {HEAPDATA_TOTAL, "total", "all", "alloc", "allocated"},
};
const size_t heapwords_count = sizeof heapwords_measures / sizeof *heapwords_measures;

static const struct heapwords_measure *entry_of(enum heapdata_measure measure)
{
    for (size_t i = 0; i < heapwords_count; i++)
        if (heapwords_measures[i].measure == measure)
            return &heapwords_measures[i];
    return NULL;
}

const char *heapwords_word(enum heapdata_measure measure)
{
    const struct heapwords_measure *entry = entry_of(measure);
    return entry ? entry->word : NULL;
}

const char *heapwords_what(enum heapdata_measure measure)
{
    const struct heapwords_measure *entry = entry_of(measure);
    return entry ? entry->what : "freed";
}

/* An amount in words, to be freed.  */
static char *amount_text(const struct heapdata_amount *amount)
{
    char *bytes = text_number(amount->bytes, "byte");
    char *blocks = text_number(amount->blocks, "block");
    char *text = buf_format("%s in %s", bytes, blocks);
    free(bytes);
    free(blocks);
    return text;
}

void heapwords_head(FILE *out, const struct heapdata *heap, enum heapdata_measure measure)
{
    char *amount = amount_text(&heap->sums[measure]);
    fputs(amount, out);
    free(amount);
    if (measure == HEAPDATA_LIVE) {
        fputs(heap->ended ? " alive at the end\n" : " alive\n", out);
    } else if (measure == HEAPDATA_TOTAL) {
        char *freed = amount_text(&heap->sums[HEAPDATA_FREED]);
        fprintf(out, " allocated, %s freed\n", freed);
        free(freed);
    } else {
        fputs(" alive when most was", out);
        if (heap->peak_time) {
            char *time = text_commas((double)heap->peak_time / 1e9, 2);
            fprintf(out, ", %s seconds after the start", time);
            free(time);
        }
        putc('\n', out);
    }
}
