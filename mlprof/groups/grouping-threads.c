/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups threads by name and start routine: a program may make hundreds that do the
   same, one after the other.  A few that do the same, as those of a pool, have a row
   each.  */

#include "mlprof/base/buf.h"
#include "mlprof/groups/grouping-inside.h"

#include <stdlib.h>
#include <string.h>

/* So many that do the same have a row each.  */
#define FEW 8

static void find_start(struct grouping_thread *thread, const struct stacks *stacks,
                       uint32_t node, uint64_t samples)
{
    uint32_t source = stacks_source_of(stacks, node);
    if (samples > thread->most && stacks->sources[source].file) {
        thread->most = samples;
        thread->start = source;
    }
}

/* A thread in which no profiled function was seen started where the first one of its name
   did.  */
static void complete(struct grouping_thread *threads, size_t copies, size_t names)
{
    BUF_OWN uint32_t *starts = buf_alloc((names + 1) * sizeof *starts);
    memset(starts, 0xff, names * sizeof *starts);
    for (size_t i = copies; i-- > 0;)
        if (threads[i].name != GROUPING_NONE && threads[i].start != STACKS_NONE)
            starts[threads[i].name] = threads[i].start;
    for (size_t i = 0; i < copies; i++)
        if (threads[i].name != GROUPING_NONE && threads[i].start == STACKS_NONE)
            threads[i].start = starts[threads[i].name];
}

/* Takes the names from threads of which few do the same.  */
static void leave_few(struct grouping_thread *threads, size_t copies)
{
    struct index index = {0};
    BUF_OWN uint32_t *counts = buf_alloc((copies + 1) * sizeof *counts);
    BUF_OWN uint32_t *groups = buf_alloc((copies + 1) * sizeof *groups);
    bool fresh;
    for (size_t i = 0; i < copies; i++)
        if (threads[i].name != GROUPING_NONE) {
            groups[i] = index_put(&index, threads[i].name, threads[i].start, 0, &fresh);
            counts[groups[i]]++;
        }
    for (size_t i = 0; i < copies; i++)
        if (threads[i].name != GROUPING_NONE && counts[groups[i]] <= FEW)
            threads[i].name = GROUPING_NONE;
    index_free(&index);
}

void grouping_find_threads(struct grouping_builder *build)
{
    const struct stacks *stacks = &build->asked->rows->stacks;
    struct grouping_thread *threads =
        buf_alloc((stacks->copy_count + 1) * sizeof *threads);
    uint64_t *sums = buf_alloc((stacks->node_count + 1) * sizeof *sums);
    struct intern names = {0};
    for (uint32_t i = 0; i < stacks->copy_count; i++) {
        uint64_t number;
        const char *name = stacks_thread(stacks, i, &number);
        threads[i].name = name ? intern_put(&names, name) : GROUPING_NONE;
        threads[i].start = STACKS_NONE;
    }
    /* What calls a node comes before it.  */
    for (uint32_t i = (uint32_t)stacks->node_count; i-- > 0;) {
        const struct stacks_node *node = &stacks->nodes[i];
        sums[i] += node->count;
        if (node->parent == STACKS_NONE) {
            threads[node->copy].samples += sums[i];
            continue;
        }
        sums[node->parent] += sums[i];
        if (build->asked->profile->stack &&
            stacks_what(stacks, node->parent) == STACKS_THREAD)
            find_start(&threads[stacks->nodes[node->parent].copy], stacks, i, sums[i]);
    }
    complete(threads, stacks->copy_count, names.count);
    leave_few(threads, stacks->copy_count);
    intern_free(&names);
    free(sums);
    build->keys.threads = threads;
}
