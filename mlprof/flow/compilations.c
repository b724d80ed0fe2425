/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/flow/compilations.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

static void add(struct compilations *all, const struct flowcounts_flow *flow)
{
    const char *directory = flow->flow->unit->directory, *input = flow->flow->graph.input;
    bool fresh;
    uint32_t number =
        index_put(&all->index, flow->module, intern_put(&all->texts, directory),
                  intern_put(&all->texts, input), &fresh);
    if (fresh) {
        BUF_NEXT(all->list, all->count, all->capacity) =
            (struct compilations_one){.directory = directory, .input = input};
    }
    struct compilations_one *one = &all->list[number];
    BUF_NEXT(one->flows, one->count, one->capacity) = flow;
}

void compilations_find(struct compilations *compilations, const struct flowcounts *counts)
{
    memset(compilations, 0, sizeof *compilations);
    for (size_t i = 0; i < counts->count; i++)
        add(compilations, &counts->flows[i]);
}

void compilations_free(struct compilations *compilations)
{
    for (size_t i = 0; i < compilations->count; i++)
        free(compilations->list[i].flows);
    free(compilations->list);
    intern_free(&compilations->texts);
    index_free(&compilations->index);
    memset(compilations, 0, sizeof *compilations);
}

const char *compilations_here(const struct compilations *compilations)
{
    return compilations->count ? compilations->list[0].directory : "";
}
