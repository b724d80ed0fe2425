/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the values of the groups: own, total and within, each sample once per group.
   grouping-keys.c decides which group a node belongs to. */

#include "mlprof/groups/grouping.h"
#include "mlprof/base/buf.h"
#include "mlprof/groups/grouping-inside.h"
#include "mlprof/program/code-names.h"
#include "mlprof/program/remarked.h"

#include <stdlib.h>
#include <string.h>

/* Returns the group of a node. Sets *DIRECT to whether it is the frame's own group, not
   the group of a frame around it. */
static uint32_t group_of(struct grouping_builder *build, uint32_t number, bool *direct)
{
    const struct stacks *stacks = &build->request->rows->stacks;
    const struct stacks_node *node = &stacks->nodes.list[number];
    enum rows_key key = build->request->key;
    bool loops = key == ROWS_LOOPS, spans = rows_keys[key].what != STACKS_CODE;
    enum stacks_what what = stacks_what(stacks, number);
    *direct = false;
    if (key == ROWS_MPI)
        return grouping_mpi_of(build, number);
    if (rows_keys[key].memory)
        return grouping_memory_of(build, number);
    uint32_t group = loops ? grouping_loop_of_node(&build->keys, number)
                           : grouping_put(&build->keys, node->copy, node->position);
    *direct = group != GROUPING_NONE;
    /* A thread is outside of all phases, and a process is outside of all threads, so
       frames further out need not be searched. */
    if (*direct || (spans && what > rows_keys[key].what) ||
        (loops && what != STACKS_CODE) || (!spans && !loops))
        return group;
    /* Code outside of profiled code belongs to the loop that called it. */
    bool outside = loops && stacks->copies.list[node->copy].module == STACKS_NONE;
    if (node->parent != STACKS_NONE && (spans || outside || node->inlined))
        group = build->by_node[node->parent];
    return group == GROUPING_NONE ? grouping_put_nowhere(&build->keys, false) : group;
}

/* Sets the group of each node. Only nodes with allocations are in groups of memory. */
static void find_groups(struct grouping_builder *build)
{
    const struct stacks *stacks = &build->request->rows->stacks;
    size_t value = 0;
    uint32_t *by_node = build->by_node =
        buf_alloc((stacks->nodes.count + 1) * sizeof *by_node);
    enum rows_key key = build->request->key;
    bool spans = rows_keys[key].what != STACKS_CODE, direct = false;
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        const struct stacks_node *node = &stacks->nodes.list[i];
        by_node[i] = GROUPING_NONE;
        bool allocates = node->count || shares_of(&stacks->values, i, &value).count;
        if (allocates || (!rows_keys[key].memory && (node->weight || node->others)))
            by_node[i] = group_of(build, i, &direct);
        if (by_node[i] == GROUPING_NONE)
            continue;
        uint32_t group = by_node[i];
        if (key == ROWS_MODULES && node->kernel)
            group = build->kernel =
                grouping_put_module(&build->keys, kernel_module(build->request->profile));
        *grouping_amount(build, group, MEASURED_SELF) += node->count;
        if (direct && !spans)
            grouping_add_piece(build, group, stacks->copies.list[node->copy].source,
                               node->count, node->weight);
    }
}

/* Returns the group that contains GROUP at NODE: for a loop, the loop around it. For
   time in the kernel, this is the kernel, in addition to the module that called it. */
static uint32_t group_around(const struct grouping_builder *build, uint32_t node,
                             uint32_t group)
{
    if (build->request->key == ROWS_MODULES && group != build->kernel &&
        build->request->rows->stacks.nodes.list[node].kernel)
        return build->kernel;
    return build->keys.groups[group].outer;
}

static void use_self_as_total(struct grouping_builder *build)
{
    for (uint32_t i = 0; i < build->keys.count; i++)
        *grouping_amount(build, i, MEASURED_TOTAL) =
            *grouping_amount(build, i, MEASURED_SELF);
}

/* Counts each sample once in each group on its stack. Memory has no callees. */
static void add_stacks(struct grouping_builder *build)
{
    const struct stacks *stacks = &build->request->rows->stacks;
    if (rows_keys[build->request->key].memory) {
        use_self_as_total(build);
        return;
    }
    BUF_OWN uint32_t *active = buf_alloc((build->keys.count + 1) * sizeof *active);
    struct stacks_walk walk = {0};
    while (stacks_walk_next(stacks, &walk)) {
        uint32_t group = build->by_node[walk.node];
        for (; group != GROUPING_NONE; group = group_around(build, walk.node, group))
            rows_count_once(&active[group], grouping_amount(build, group, MEASURED_TOTAL),
                            walk.leave, stacks->nodes.list[walk.node].weight);
    }
}

/* Counts each sample once in each group of its local stack. */
static void add_within(struct grouping_builder *build)
{
    const struct stacks *stacks = &build->request->rows->stacks;
    BUF_OWN uint32_t *seen = buf_alloc((build->keys.count + 1) * sizeof *seen);
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        uint32_t frame = stacks->nodes.list[i].count ? i : STACKS_NONE;
        while (frame != STACKS_NONE) {
            uint32_t group = build->by_node[frame];
            for (; group != GROUPING_NONE; group = group_around(build, frame, group)) {
                if (seen[group] == i + 1)
                    continue;
                seen[group] = i + 1;
                *grouping_amount(build, group, MEASURED_WITHIN) +=
                    stacks->nodes.list[i].count;
            }
            frame = stacks->nodes.list[frame].inlined ? stacks->nodes.list[frame].parent
                                                      : STACKS_NONE;
        }
    }
}

/* Adds samples to the rank of an origin of the profile. */
static void add_to_rank(struct grouping_builder *build, uint32_t origin, uint64_t samples)
{
    struct grouping_group new_group = grouping_none;
    new_group.origin = origin;
    uint32_t group = grouping_put_group(&build->keys, origin, 0, 0, &new_group);
    *grouping_amount(build, group, MEASURED_SELF) += samples;
}

/* Adds the samples of each rank. */
static void add_ranks(struct grouping_builder *build)
{
    const struct stacks *stacks = &build->request->rows->stacks;
    const struct origins *origins = &build->request->profile->origins;
    uint64_t *counts = buf_alloc((origins->count + 1) * sizeof *counts);
    struct shares scratch = {0};
    for (uint32_t node = 0; node < stacks->nodes.count; node++) {
        struct shares_own owned = packed_of(&stacks->origins, node, &scratch);
        for (size_t i = 0; i < owned.count; i++)
            counts[owned.entries[i].bin] += owned.entries[i].count;
    }
    shares_free(&scratch);
    for (uint32_t i = 0; i < origins->count; i++)
        if (counts[i])
            add_to_rank(build, i, counts[i]);
    free(counts);
    /* Lost samples are in no point, so they are added here. */
    for (uint32_t i = 0; !stacks->filtered && i < origins->count; i++)
        if (origins->origins[i].lost)
            add_to_rank(build, i, origins->origins[i].lost);
    use_self_as_total(build);
}

/* Returns the group of an allocation site. The loop may be in a function around it.
   A site of the heap is a node. */
static uint32_t group_of_site(struct grouping_builder *build,
                              const struct allocs_site *site)
{
    uint32_t group = GROUPING_NONE;
    if (measure_is_of_heap(profile_measure(build->request->profile)))
        return build->by_node[site->node];
    if (build->request->key != ROWS_LOOPS)
        return grouping_put(&build->keys, site->copy, site->place);
    for (size_t i = 0; group == GROUPING_NONE && i < site->frames.count; i++)
        group = grouping_loop_at(&build->keys, site->frames.list[i].source,
                                 site->frames.list[i].position);
    return group == GROUPING_NONE ? grouping_put_nowhere(&build->keys, false) : group;
}

static void add_allocations(struct grouping_builder *build)
{
    const struct allocs *allocs = &build->request->rows->stacks.allocs;
    struct measured *measured = build->rows->measured;
    const struct measure *memory = measured->memory;
    for (size_t i = 0; i < allocs->count; i++) {
        const struct allocs_site *site = &allocs->sites[i];
        uint32_t group = group_of_site(build, site);
        if (group == GROUPING_NONE)
            continue;
        grouping_amount(build, group, MEASURED_SELF);
        /* If memory is the shown measure, find_groups has added the bytes. */
        if (memory != measured->shown)
            measured_amounts(measured, memory, MEASURED_SELF, false)[group] +=
                site->bytes;
        measured_amounts(measured, memory, MEASURED_SELF, true)[group] += site->blocks;
        if (build->request->key != ROWS_LOOPS &&
            !measure_is_of_heap(profile_measure(build->request->profile)))
            grouping_add_piece(build, group, site->source, 0, 0);
    }
}

/* If only counts were measured, they become the values of the rows. */
static void use_counts_as_values(struct grouping_builder *build)
{
    build->rows->total = 0;
    for (uint32_t i = 0; i < build->keys.count; i++)
        build->rows->total += *grouping_amount(build, i, MEASURED_SELF);
    use_self_as_total(build);
}

static bool refuse(const struct grouping *request, const char *what, const char *why,
                   struct fault *fault)
{
    BUF_OWN char *option = buf_format("-by %s", rows_keys[request->key].word);
    fault_set(fault, FAULT_MISMATCH, option, "%s%s", what, why);
    return false;
}

/* Returns whether the stacks contain frames of a kind. */
static bool has_frames(const struct grouping *request, enum stacks_what what)
{
    const struct stacks *stacks = &request->rows->stacks;
    for (size_t i = 0; i < stacks->copies.count; i++)
        if (stacks->copies.list[i].what == what)
            return true;
    return false;
}

static bool check(const struct grouping *request, struct fault *fault)
{
    const struct measure *measure = profile_measure(request->profile);
    bool points = request->key == ROWS_LINES || request->key == ROWS_EXPRESSIONS;
    bool heap = measure_is_of_heap(measure);
    if (rows_keys[request->key].memory && !heap &&
        !(request->profile->kind & CCPROF_KIND_ALLOC))
        return refuse(request, "no allocations were measured",
                      ": compile with -fplugin-arg-ccprof-profile=alloc, or run the "
                      "program with CCPROF=heap",
                      fault);
    if (rows_keys[request->key].waits && !profile_is_of_waits(request->profile))
        return refuse(request, "only waits have such rows", ": -measure wait", fault);
    if (request->key == ROWS_PARALLELISM && !measure_is_counted(measure) &&
        request->profile->sampling.samples > request->profile->sampling.lost &&
        !has_frames(request, STACKS_PARALLELISM))
        return refuse(request, "samples of time have it if waits are recorded",
                      ": run the program with CCPROF=wait=yes", fault);
    if (heap && (request->key == ROWS_RANKS || request->key == ROWS_PROCESSES ||
                 request->key == ROWS_MPI))
        return refuse(request, "heap data have only stacks, which do not show it", "",
                      fault);
    if (heap && request->key == ROWS_THREADS && !has_frames(request, STACKS_THREAD))
        return refuse(request, "blocks are not recorded per thread",
                      ": run the program with CCPROF=heap,threads=yes", fault);
    if (request->key == ROWS_THREADS && !measure_is_counted(measure) &&
        request->profile->sampling.samples > request->profile->sampling.lost &&
        request->profile->names.threads.count == 0)
        return refuse(request, "samples are not recorded per thread",
                      ": run the program with CCPROF=threads=yes", fault);
    if (request->key == ROWS_PROCESSES && !measure_is_counted(measure) &&
        request->profile->sampling.samples > request->profile->sampling.lost &&
        !has_frames(request, STACKS_PROCESS))
        return refuse(request, "the data have no processes",
                      ": they are of an older ccprof", fault);
    if (request->key == ROWS_MPI && request->profile->kind &&
        !request->profile->sampling.stack)
        return refuse(
            request, "calls of MPI are known only from the stacks of samples",
            ": not with -fplugin-arg-ccprof-profile=time-field or CCPROF=stack=no",
            fault);
    if (request->key == ROWS_RANKS && request->profile->kind &&
        !(request->profile->origins.kept && origins_ranks(&request->profile->origins)))
        return refuse(request, ORIGINS_NO_RANKS, "", fault);
    if (request->key == ROWS_LOOPS && request->profile->kind && !request->flows->count &&
        !(measure->stacks && remarked_any(request->program))) {
        BUF_OWN char *how =
            buf_format(" compile with -fplugin-arg-ccprof-profile=%s,count"
                       " and -fplugin-arg-ccprof-blocks",
                       measure->weigh ? measure->profile : "time");
        return refuse(request,
                      "loops are known from GCC's remarks on sampled code (not with -O0, "
                      "nor -fplugin-arg-ccprof-remarks=no), or where blocks are counted:",
                      how, fault);
    }
    if (!measure_is_counted(measure))
        return true;
    if (request->key == ROWS_RANKS || rows_keys[request->key].what != STACKS_CODE) {
        BUF_OWN char *what = buf_format("counters are added up over all %s; samples are "
                                        "not: -fplugin-arg-ccprof-profile=time",
                                        rows_keys[request->key].plural);
        return refuse(request, what,
                      request->key == ROWS_THREADS ? ", CCPROF=threads=yes" : "", fault);
    }
    if (!measure->stacks && request->key == ROWS_COPIES)
        return refuse(request, "calls are counted for all copies together; time is not",
                      ": -fplugin-arg-ccprof-profile=time", fault);
    if (!measure->stacks && points && !request->flows->count)
        return refuse(request, "only calls were counted: compile with",
                      " -fplugin-arg-ccprof-blocks", fault);
    return true;
}

/* Adds the columns of allocated memory. If it was counted, it is not known by thread, by
   process, by rank, by phase or by call of MPI. */
static void add_memory_columns(struct rows *grouped, const struct grouping *request)
{
    const struct measure *memory = grouped->measured->memory;
    bool code = rows_keys[request->key].what == STACKS_CODE &&
                request->key != ROWS_RANKS && request->key != ROWS_MPI;
    if (!memory || (!code && measure_is_counted(memory)))
        return;
    measured_amounts(grouped->measured, memory, MEASURED_SELF, false);
    measured_amounts(grouped->measured, memory, MEASURED_SELF, true);
}

bool grouping_evaluate(struct rows *grouped, const struct grouping *request,
                       struct fault *fault)
{
    const struct measure *measure = profile_measure(request->profile);
    struct grouping_builder build = {
        .request = request, .rows = grouped, .keys.request = request};
    *grouped = (struct rows){.key = request->key, .total = request->rows->total};
    if (!check(request, fault))
        return false;
    grouped->measured = measured_new(measure, profile_memory(request->profile), 0);
    add_memory_columns(grouped, request);
    /* The frame of a thread or rank is only on its own stacks. Of nested MPI calls,
       only the outermost counts. */
    grouped->stack = !measure_is_counted(measure) && request->profile->sampling.stack &&
                     request->key != ROWS_THREADS && request->key != ROWS_PROCESSES &&
                     request->key != ROWS_PARALLELISM && request->key != ROWS_RANKS &&
                     request->key != ROWS_MPI && !rows_keys[request->key].memory;
    bool memory = rows_keys[request->key].memory && !measure_is_of_heap(measure);
    if (request->key == ROWS_LOOPS)
        grouping_find_loops(&build);
    if (rows_keys[request->key].memory && !memory)
        build.types = blockcalls_new(request->program, &request->rows->stacks);
    if (request->key == ROWS_THREADS || request->key == ROWS_PROCESSES)
        grouping_find_threads(&build);
    if (request->key == ROWS_LOCKS)
        build.keys.places = places_new(request->profile, request->program, request->names,
                                       request->libraries, request->hide);
    if (memory)
        grouping_add_memory(&build);
    else
        find_groups(&build);
    add_stacks(&build);
    if (rows_keys[grouped->key].executed)
        add_within(&build);
    bool calls = request->key != ROWS_MPI || !request->profile->kind;
    for (size_t i = 0; i < build.keys.count; i++)
        calls |= build.keys.groups[i].call;
    bool good = calls || refuse(request, "no call of MPI was sampled", "", fault);
    if (request->key == ROWS_RANKS)
        add_ranks(&build);
    if (!memory)
        add_allocations(&build);
    grouping_add_counts(&build);
    if (!measure->stacks && !memory)
        use_counts_as_values(&build);
    grouping_name_rows(&build);
    grouping_free_loops(&build.keys);
    blockcalls_free(build.types);
    grouping_free(&build.keys);
    index_free(&build.piece_index);
    free(build.pieces);
    free(build.by_node);
    if (!good)
        rows_free(grouped);
    return good;
}
