/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the samples in the order of the nodes of the stacks, then allocations and calls
   that have no stacks. The current sample is in samples->stack and samples->around. */

#include "mlprof/export/samples.h"
#include "mlprof/base/buf.h"
#include "mlprof/view/heapwords.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static size_t number_of(const struct measure *measure)
{
    return measure->kinds ? (size_t)(measure - measure_all) : measure->heap.number;
}

static uint64_t *values_of(uint64_t values[SAMPLES_VALUES], const struct measure *measure)
{
    return &values[2 * number_of(measure)];
}

/* Measures have only amounts, except for time and memory. */
bool samples_have(const struct samples *samples, size_t value)
{
    const struct measure *measure = samples->measures[value / 2];
    return measure && (value % 2 || measure->sampled || measure->memory);
}

char *samples_around_text(const struct samples *samples, uint32_t node)
{
    const struct rows *rows = samples->view->rows;
    uint32_t row = rows->of_source[stacks_source_of(&rows->stacks, node)];
    if (row == STACKS_NONE || stacks_what(&rows->stacks, node) != STACKS_PHASE)
        return stacks_around_text(&rows->stacks, node);
    BUF_OWN char *name = view_name(samples->view, &rows->rows[row]);
    return buf_copy_prefix(name + 1, strlen(name) - 2);
}

char *samples_path(const struct samples *samples, uint32_t module)
{
    const struct view *view = samples->view;
    const char *path = program_path(view->program, view->profile, module);
    char *full = realpath(path, NULL);
    return full ? full : buf_copy(path);
}

/* Passes the stack in SAMPLES to the sink, and removes it. */
static void put_sample(struct samples *samples, const uint64_t values[SAMPLES_VALUES],
                       uint32_t origin)
{
    const struct samples_sample sample = {.locations = samples->stack.list,
                                          .location_count = samples->stack.count,
                                          .around = samples->around.list,
                                          .around_count = samples->around.count,
                                          .origin = origin,
                                          .values = values};
    samples->sink(samples->data, &sample);
    samples->stack.count = samples->around.count = 0;
}

/* Puts the stack that ends at NODE. */
static void put_stack(struct samples *samples, uint32_t node,
                      const uint64_t values[SAMPLES_VALUES], uint32_t origin)
{
    const struct stacks *stacks = &samples->view->rows->stacks;
    uint32_t current = node;
    while (current != STACKS_NONE) {
        if (stacks_what(stacks, current) != STACKS_CODE) {
            BUF_PUSH(samples->around) = current;
        } else {
            uint32_t location = locations_of_node(&samples->locations, current, &current);
            BUF_PUSH(samples->stack) = location;
        }
        current = stacks->nodes.list[current].parent;
    }
    put_sample(samples, values, origin);
}

/* Puts a stack of CALLEE and, if CALLER is not NULL, its caller. */
static void put_frames(struct samples *samples, const struct locations_line *callee,
                       const struct locations_line *caller,
                       const uint64_t values[SAMPLES_VALUES])
{
    BUF_PUSH(samples->stack) = locations_of_line(&samples->locations, callee);
    if (caller)
        BUF_PUSH(samples->stack) = locations_of_line(&samples->locations, caller);
    put_sample(samples, values, SAMPLES_NO_ORIGIN);
}

static struct locations_line line_of_row(struct samples *samples, uint32_t row)
{
    const struct identity_source *source = &samples->view->rows->rows[row].source;
    return (struct locations_line){
        .outer = LOCATIONS_NONE,
        .function = locations_function(&samples->locations, row, source->file),
        .line = source->line,
        .column = source->column,
        .module = LOCATIONS_NONE};
}

static void put_samples(struct samples *samples, uint32_t node, uint64_t count,
                        uint32_t origin)
{
    const struct profile *profile = samples->view->profile;
    uint64_t values[SAMPLES_VALUES] = {0},
             *pair = values_of(values, profile_measure(profile));
    pair[0] = count;
    pair[1] = profile_nanoseconds(profile, count);
    if (count)
        put_stack(samples, node, values, origin);
}

/* Puts the stacks with their samples, or with their bytes and blocks. */
static void put_stacks(struct samples *samples)
{
    const struct stacks *stacks = &samples->view->rows->stacks;
    const struct profile *profile = samples->view->profile;
    const struct measure *measure = profile_measure(profile);
    bool bytes = measure->memory;
    uint64_t *blocks = buf_alloc((stacks->nodes.count + 1) * sizeof *blocks);
    struct shares scratch = {0};
    for (size_t i = 0; bytes && i < stacks->allocs.count; i++)
        blocks[stacks->allocs.sites[i].node] += stacks->allocs.sites[i].blocks;
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        const struct stacks_node *node = &stacks->nodes.list[i];
        if (node->weight == 0)
            continue;
        if (stacks_what(stacks, i) == STACKS_CODE)
            locations_put_node(&samples->locations, i);
        if (bytes && node->count) {
            uint64_t values[SAMPLES_VALUES] = {0}, *pair = values_of(values, measure);
            pair[0] = blocks[i];
            pair[1] = node->count;
            put_stack(samples, i, values, SAMPLES_NO_ORIGIN);
            continue;
        }
        /* Lost samples have no origin. Other samples have none if origins are not
           requested. */
        struct shares_own owned = packed_of(&stacks->origins, i, &scratch);
        for (size_t k = 0; k < owned.count; k++)
            put_samples(samples, i, owned.entries[k].count, owned.entries[k].bin);
        put_samples(samples, i, node->count - owned.total, SAMPLES_NO_ORIGIN);
    }
    shares_free(&scratch);
    free(blocks);
}

/* Puts the stacks with all measures of the heap or of instructions. */
static void put_amounts(struct samples *samples)
{
    const struct stacks *stacks = &samples->view->rows->stacks;
    const struct measure *shown = profile_measure(samples->view->profile);
    uint64_t *columns[SAMPLES_VALUES] = {NULL};
    for (unsigned i = 0; i < SAMPLES_VALUES; i++)
        if (samples_have(samples, i))
            columns[i] =
                stacks_amounts(stacks, shown, samples->measures[i / 2], !(i % 2));
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        uint64_t values[SAMPLES_VALUES] = {0};
        bool any = false;
        if (stacks_what(stacks, i) == STACKS_CODE)
            locations_put_node(&samples->locations, i);
        for (unsigned k = 0; k < SAMPLES_VALUES; k++)
            if (columns[k])
                any |= (values[k] = columns[k][i]) != 0;
        if (any)
            put_stack(samples, i, values, SAMPLES_NO_ORIGIN);
    }
    for (unsigned i = 0; i < SAMPLES_VALUES; i++)
        free(columns[i]);
}

static void put_site(struct samples *samples, const struct allocs_site *site)
{
    const struct rows *rows = samples->view->rows;
    uint32_t row = rows_of_source(rows, site->source);
    uint64_t values[SAMPLES_VALUES] = {0},
             *pair = values_of(values, measure_of_kinds(CCPROF_KIND_ALLOC));
    if (row >= rows->count)
        return;
    pair[0] = site->blocks;
    pair[1] = site->bytes;
    struct locations_line line = {
        .outer = LOCATIONS_NONE,
        .function = locations_function(&samples->locations, row, site->file),
        .line = site->line,
        .column = site->column,
        .module = site->module};
    put_frames(samples, &line, NULL, values);
}

/* If stacks have samples, puts the allocations at each allocation site. If stacks
   have bytes, puts only allocation sites that are on no stack, such as calls of
   fopen, which allocate an unknown number of bytes. */
static void put_sites(struct samples *samples)
{
    const struct stacks *stacks = &samples->view->rows->stacks;
    bool bytes = profile_measure(samples->view->profile)->memory;
    for (size_t i = 0; i < stacks->allocs.count; i++) {
        const struct allocs_site *site = &stacks->allocs.sites[i];
        if (!bytes || stacks->nodes.list[site->node].count == 0)
            put_site(samples, site);
    }
}

/* Puts calls of a row: COUNT calls, but at most *LEFT, the number of calls that were
   not yet put. Subtracts the put calls from *LEFT. SITE is the call site;
   NULL: the caller is not known. */
static void put_some_calls(struct samples *samples, uint32_t row,
                           const struct arcs_site *site, uint64_t count, uint64_t *left)
{
    uint64_t values[SAMPLES_VALUES] = {0}, calls = count < *left ? count : *left;
    if (calls == 0)
        return;
    values_of(values, measure_of_kinds(CCPROF_KIND_COUNT))[1] = calls;
    *left -= calls;
    struct locations_line callee = line_of_row(samples, row);
    if (!site) {
        put_frames(samples, &callee, NULL, values);
        return;
    }
    struct locations_line caller = line_of_row(samples, site->row);
    caller.line = site->position.line;
    caller.column = site->position.column;
    put_frames(samples, &callee, &caller, values);
}

/* Puts the calls of call sites whose callee is known, then the remaining calls of
   each function. */
static void put_calls(struct samples *samples)
{
    const struct rows *rows = samples->view->rows;
    const struct arcs *arcs = &samples->view->report->arcs;
    BUF_OWN uint64_t *left = buf_alloc((rows->count + 1) * sizeof *left);
    for (uint32_t i = 0; i < rows->count; i++)
        left[i] = rows->rows[i].branch ? 0 : rows_calls(&rows->rows[i]);
    for (size_t i = 0; arcs && i < arcs->count; i++) {
        const struct arcs_site *site = &arcs->sites[i];
        if (site->callee < rows->count)
            put_some_calls(samples, site->callee, site, site->count, &left[site->callee]);
    }
    for (uint32_t i = 0; i < rows->count; i++)
        put_some_calls(samples, i, NULL, left[i], &left[i]);
}

size_t samples_shown(const struct samples *samples)
{
    const struct measure *shown = profile_measure(samples->view->profile);
    return 2 * number_of(measure_compared(shown)) + 1;
}

char *samples_type(const struct samples *samples, size_t value)
{
    const struct measure *measure = samples->measures[value / 2];
    bool amount = value % 2,
         wall = samples->view->profile->sampling.clock == PROFILE_WALL;
    if (measure->weigh || measure->kinds & MEASURE_KINDS_MADE)
        return buf_copy(measure->word);
    if (measure->memory)
        return buf_format("%s_%s", measure->pprof, amount ? "space" : "objects");
    return buf_copy(!amount || measure->unit == MEASURE_COUNT ? measure->plural
                    : wall                                    ? "wall"
                                                              : "cpu");
}

const char *samples_unit(const struct samples *samples, size_t value)
{
    static const char *const units[] = {[MEASURE_NANOSECONDS] = "nanoseconds",
                                        [MEASURE_COUNT] = "count",
                                        [MEASURE_BYTES] = "bytes"};
    return units[value % 2 ? samples->measures[value / 2]->unit : MEASURE_COUNT];
}

uint64_t samples_period(const struct samples *samples)
{
    const struct profile *profile = samples->view->profile;
    bool time = measure_compared(profile_measure(profile))->unit == MEASURE_NANOSECONDS;
    return time ? profile_nanoseconds(profile, 1) : 0;
}

void samples_list(struct samples *samples, samples_sink *sink, void *data)
{
    const struct profile *profile = samples->view->profile;
    const struct measure *measure = profile_measure(profile);
    samples->sink = sink;
    samples->data = data;
    if (profile->modules.count)
        locations_map(&samples->locations, 0);
    if (measure->weigh || measure_is_of_heap(measure))
        put_amounts(samples);
    else
        put_stacks(samples);
    if (measure->kinds && profile->kind & CCPROF_KIND_ALLOC)
        put_sites(samples);
    if (measure->kinds && profile->kind & CCPROF_KIND_COUNT)
        put_calls(samples);
}

/* If the sums of the heap are estimates, adds their confidence intervals to the
   comments. */
static void add_certainty(struct samples *samples)
{
    const struct profile *profile = samples->view->profile;
    const struct heapdata *heap = &profile->heap;
    const struct measure *m = NULL;
    bool sampled = !profile_measure(profile)->kinds && heap->sample;
    while (sampled && (m = measure_next_of_heap(m))) {
        BUF_OWN char *words = heapwords_samples(heap, m->heap.number);
        BUF_OWN char *comment = buf_format("%s_space: %s", m->pprof, words);
        intern_put(&samples->comments, comment);
    }
}

void samples_open(struct samples *samples, const struct export_input *input)
{
    const struct profile *profile = input->view->profile;
    const struct measure *shown = profile_measure(profile);
    const struct intern *commands = &profile->runs.commands;
    *samples = (struct samples){.view = input->view};
    locations_open(&samples->locations, input->view);
    for (const struct measure *m = measure_all; m->word; m++)
        if (shown->kinds ? profile_has(profile, m) || (shown->weigh && m->weigh)
                         : !m->kinds && !m->heap.derived)
            samples->measures[number_of(m)] = m;
    intern_put(&samples->comments, input->maker);
    for (uint32_t i = 0; i < commands->count; i++)
        intern_put(&samples->comments, intern_text(commands, i));
    if (profile_builds(profile) > 1)
        intern_put(&samples->comments,
                   "several builds, functions matched by linkage name");
    add_certainty(samples);
}

void samples_free(struct samples *samples)
{
    locations_free(&samples->locations);
    intern_free(&samples->comments);
    free(samples->stack.list);
    free(samples->around.list);
}
