/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts a baseline, the format that mlprof -gate-write wrote before budgets had all
   functions: only its measures are read, because an update replaces the counts
   (budget.h). */

#include "mlprof/base/buf.h"
#include "mlprof/base/fields.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/budget.h"

#include <stdlib.h>
#include <string.h>

/* Sets *MEASURE to the measure that WORD means: of HEAP, or NULL, of the other counts. */
static bool find_measure(const struct measure *heap, const char *word,
                         struct runset_measure *measure)
{
    bool total = text_begins(word, "total-");
    const char *name = total ? word + strlen("total-") : word;
    enum runset_part part = total                             ? RUNSET_STACK
                            : strcmp(word, "blocks") == 0     ? RUNSET_BLOCKS
                            : strcmp(word, "executions") == 0 ? RUNSET_LINES
                                                              : RUNSET_OWN;
    const struct measure *base =
        heap                    ? heap
        : part == RUNSET_BLOCKS ? measure_of_kinds(CCPROF_KIND_ALLOC)
        : part == RUNSET_LINES  ? measure_of_kinds(CCPROF_KIND_COUNT)
                                : measure_of_word(name, false);
    *measure = (struct runset_measure){base, part};
    return base && !base->sampled;
}

bool budget_convert(struct budget *budget, const char *limit, const char *path,
                    const char *text, size_t size, struct fault *fault)
{
    struct fields fields = {
        .path = path, .next = text, .end = text + size, .fault = fault};
    const struct measure *heap = NULL;
    do {
        if (!fields_next_line(&fields))
            return false;
    } while (!fields_skip(&fields, "measures "));
    BUF_OWN char *line =
        buf_copy_prefix(fields.cursor, (size_t)(fields.stop - fields.cursor));
    char *rest = line;
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        bool is_heap = strcmp(word, "heap") == 0;
        struct runset_measure measure;
        if (is_heap && (word = strtok_r(NULL, " ", &rest)))
            heap = measure_of_word(word, true);
        if (is_heap ? !heap : !find_measure(measure_compared(heap), word, &measure))
            return fields_wrong(&fields, "a measure that this mlprof does not know");
        if (!is_heap)
            budget_add_each(budget, limit, measure);
    }
    return true;
}
