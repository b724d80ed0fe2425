/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/stacks/stacks-split.h"
#include "mlprof/base/buf.h"
#include "mlprof/stacks/stacks-inside.h"

#include <stdlib.h>

/* Marks the sources that PATTERN means; false if there are none.  */
static bool mark(const struct stacks *stacks, const struct pattern *pattern,
                 const struct names_style *style, bool *marked)
{
    bool any = false;
    for (size_t i = 0; i < stacks->source_count; i++)
        if (names_match(pattern, &stacks->sources[i], NULL, style))
            any = marked[i] = true;
    return any;
}

/* Splits copies of functions only: something outside has a single copy.  */
static void split(struct stacks *stacks, const bool *marked)
{
    for (size_t i = 0; i < stacks->copy_count; i++) {
        struct stacks_copy *copy = &stacks->copies[i];
        if (marked[copy->source] && copy->module != STACKS_NONE)
            copy->source = stacks_double_source(stacks, copy->source);
    }
    for (size_t i = 0; i < stacks->allocs.count; i++) {
        struct allocs_site *site = &stacks->allocs.sites[i];
        site->source = stacks->copies[site->copy].source;
    }
}

bool stacks_split(struct stacks *stacks, const struct patterns *patterns,
                  const struct names_style *style, struct fault *fault)
{
    bool *marked = buf_alloc(stacks->source_count + 1), good = true;
    for (size_t i = 0; good && i < patterns->count; i++) {
        good = mark(stacks, &patterns->list[i], style, marked);
        if (!good) {
            char *what = buf_format("-split %s", patterns->list[i].text);
            fault_set(fault, FAULT_MISMATCH, what,
                      "no function that was measured matches");
            free(what);
        }
    }
    if (good)
        split(stacks, marked);
    free(marked);
    return good;
}
