/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks the sources that the patterns match, decides for each node whether it is kept,
   and builds the tree again from the kept nodes. */

#include "mlprof/stacks/stacks-filter.h"
#include "mlprof/base/buf.h"
#include "mlprof/stacks/stacks-inside.h"

#include <stdlib.h>
#include <string.h>

/* Effects of the filter on frames of a source, as bits. */
enum { FOCUS = 1, IGNORE = 2, HIDE = 4 };

/* The options, in the order used by stacks_filter_text. */
#define OPTIONS 3
static const char *const names[OPTIONS] = {"focus", "ignore", "hide"};

static const struct patterns *patterns_of(const struct stacks_filter *filter, int option)
{
    const struct patterns *all[OPTIONS] = {&filter->focus, &filter->ignore,
                                           &filter->hide};
    return all[option];
}

/* The old tree and its mapping to the new one. */
struct work {
    struct stacks *stacks; /* gets the new nodes */
    const struct stacks_filter *filter;
    const struct stacks_moves *moves; /* NULL: no heap data moves */
    unsigned merged;                  /* kinds of frames to remove */
    struct stacks_node *nodes;        /* the old nodes */
    size_t count;
    struct shares times, values; /* of the old nodes */
    struct packed origins;
    /* By old node: whether it has counts, or amounts of another measure. */
    bool *measured;
    unsigned char *marks; /* by source: the bits above */
    /* By old node: the bits of its frame and of all frames around it. */
    unsigned char *on;
    /* By old node: whether the samples of the node or of a node below it are kept. */
    bool *needed;
    /* By old node: the new node. For a hidden frame, the node of the frame around it,
       or STACKS_NONE if there is none. */
    uint32_t *become;
    /* By old node: whether it is inlined into the frame that is around it in the new
       tree. */
    bool *inlined;
};

/* Returns, by source, whether it has a site or is on a stack with measured values.
   The caller frees the result. */
static bool *find_measured(const struct stacks *stacks)
{
    bool *measured = buf_alloc((stacks->sources.count + 1) * sizeof *measured);
    for (uint32_t i = 0; i < stacks->nodes.count; i++)
        if (stacks->nodes.list[i].weight || stacks->nodes.list[i].others)
            measured[stacks_source_of(stacks, i)] = true;
    for (size_t i = 0; i < stacks->allocs.count; i++)
        measured[stacks->allocs.sites[i].source] = true;
    return measured;
}

/* Sets BIT for the sources that match PATTERN. OPTION is used in the error message.
   If MEASURED is not NULL, only measured sources count. Returns false and sets FAULT
   if no source matches. */
static bool mark(const struct stacks *stacks, const char *option,
                 const struct pattern *pattern, const bool *measured, unsigned char bit,
                 unsigned char *marks, const struct names_style *style,
                 struct fault *fault)
{
    bool any = false;
    for (size_t i = 0; i < stacks->sources.count; i++)
        if ((!measured || measured[i]) &&
            names_match(pattern, &stacks->sources.list[i], NULL, style)) {
            marks[i] |= bit;
            any = true;
        }
    if (any)
        return true;
    BUF_OWN char *what = buf_format("-%s %s", option, pattern->text);
    fault_set(fault, FAULT_MISMATCH, what, "no function that was measured matches");
    return false;
}

static bool mark_sources(struct work *work, const struct names_style *style,
                         struct fault *fault)
{
    const struct stacks *stacks = work->stacks;
    BUF_OWN bool *measured = find_measured(stacks);
    bool good = true;
    work->marks = buf_alloc((stacks->sources.count + 1) * sizeof *work->marks);
    for (int option = 0; option < OPTIONS; option++) {
        const struct patterns *patterns = patterns_of(work->filter, option);
        for (size_t p = 0; good && p < patterns->count; p++)
            good = mark(stacks, names[option], &patterns->list[p], measured,
                        (unsigned char)(1 << option), work->marks, style, fault);
    }
    return good;
}

static bool is_kept(const struct work *work, uint32_t node)
{
    unsigned on = work->on[node];
    return !(on & IGNORE) && (on & FOCUS || work->filter->focus.count == 0);
}

static uint32_t source_of(const struct work *work, uint32_t node)
{
    return work->stacks->copies.list[work->nodes[node].copy].source;
}

static uint32_t moved(const struct work *work, uint32_t node)
{
    return work->moves ? work->moves->to[node] : node;
}

/* Decides which nodes are kept. Returns whether a node with a count or values is kept. */
static bool find_needed_nodes(struct work *work)
{
    bool kept = false;
    const struct allocs *allocs = &work->stacks->allocs;
    const struct shares *values = &work->stacks->values;
    work->measured = buf_alloc((work->count + 1) * sizeof *work->measured);
    for (size_t i = 0; i < values->count; i++)
        work->measured[values->entries[i].owner] = true;
    work->on = buf_alloc((work->count + 1) * sizeof *work->on);
    work->needed = buf_alloc((work->count + 1) * sizeof *work->needed);
    for (uint32_t i = 0; i < work->count; i++) {
        const struct stacks_node *node = &work->nodes[i];
        work->on[i] = work->marks[source_of(work, i)];
        if (node->parent != STACKS_NONE)
            work->on[i] |= work->on[node->parent];
        work->measured[i] |= node->count != 0;
        if (is_kept(work, i) && work->measured[i]) {
            work->needed[moved(work, i)] = true;
            kept = true;
        }
    }
    /* Keep these nodes even without bytes, because a site may have allocated blocks of
       0 bytes. */
    for (size_t i = 0; i < allocs->count; i++)
        if (allocs->sites[i].node != STACKS_NONE)
            work->needed[allocs->sites[i].node] |= is_kept(work, allocs->sites[i].node);
    for (size_t i = work->count; i-- > 0;)
        if (work->needed[i] && work->nodes[i].parent != STACKS_NONE)
            work->needed[work->nodes[i].parent] = true;
    return kept;
}

static bool is_hidden(const struct work *work, uint32_t node)
{
    const struct stacks_copy *copy = &work->stacks->copies.list[work->nodes[node].copy];
    return work->marks[copy->source] & HIDE || work->merged >> copy->what & 1;
}

/* Adds a frame that replaces NODE below TO. An instruction keeps its address, because
   formats find its measures by address. */
static uint32_t put_hidden(struct work *work, uint32_t node, uint32_t to)
{
    struct stacks *stacks = work->stacks;
    const struct stacks_node *old = &work->nodes[node];
    const struct stacks_copy *copy = &stacks->copies.list[old->copy];
    if (!stacks->events || !old->address)
        return stacks_put_outside(stacks, to, STACKS_HIDDEN, STACKS_NONE);
    uint32_t module = copy->module == STACKS_NONE ? copy->home : copy->module;
    return stacks_put_outside_at(stacks, to, stacks_name_source(stacks, STACKS_HIDDEN),
                                 module, old->address);
}

/* Returns the new node that gets the counts of the old NODE. Phases and threads have
   no counts of their own, so a hidden frame directly below them is replaced by
   <hidden>. */
static uint32_t charged_node(struct work *work, uint32_t node)
{
    uint32_t to = work->become[node];
    if (is_hidden(work, node) &&
        (to == STACKS_NONE || stacks_what(work->stacks, to) != STACKS_CODE))
        to = put_hidden(work, node, to);
    return work->nodes[node].kernel ? stacks_put_in_kernel(work->stacks, to) : to;
}

static void put_frame(struct work *work, uint32_t number)
{
    const struct stacks_node *node = &work->nodes[number];
    bool root = node->parent == STACKS_NONE;
    uint32_t parent = root ? STACKS_NONE : work->become[node->parent];
    work->inlined[number] = node->inlined && (root || !is_hidden(work, node->parent) ||
                                              work->inlined[node->parent]);
    work->become[number] = parent;
    if (is_hidden(work, number))
        return;
    work->become[number] =
        stacks_put_node(work->stacks, parent, node->copy, node->position, node->address);
    work->stacks->nodes.list[work->become[number]].inlined = work->inlined[number];
    if (node->kernel)
        work->become[number] = stacks_put_in_kernel(work->stacks, work->become[number]);
}

/* Adds the kept data of an old node to a new node. *TIME and *VALUE are the positions of
   the next old times and values. */
static void move_kept_data(struct work *work, uint32_t from, size_t *time, size_t *value)
{
    struct stacks *stacks = work->stacks;
    struct shares scratch = {0};
    uint32_t to = charged_node(work, moved(work, from));
    struct shares_own times = shares_of(&work->times, from, time);
    struct shares_own values = shares_of(&work->values, from, value);
    struct shares_own origins = packed_of(&work->origins, from, &scratch);
    stacks->nodes.list[to].count += work->nodes[from].count;
    shares_take(&stacks->times.shares, to, &times, times.total);
    shares_take(&stacks->values, to, &values, values.total);
    packed_take(&stacks->origins, to, &origins, origins.total);
    shares_free(&scratch);
    if (work->moves && work->moves->types[from])
        stacks->skipped_types[to] = work->moves->types[from];
}

/* Rebuilds the tree from the kept nodes. */
static void rebuild(struct work *work)
{
    struct stacks *stacks = work->stacks;
    work->times = stacks->times.shares;
    work->values = stacks->values;
    work->origins = stacks->origins;
    stacks->times.shares = stacks->values = (struct shares){0};
    stacks->origins = (struct packed){0};
    stacks->nodes.list = NULL;
    stacks->nodes.count = stacks->nodes.capacity = 0;
    children_free(&stacks->children);
    work->become = buf_alloc((work->count + 1) * sizeof *work->become);
    work->inlined = buf_alloc((work->count + 1) * sizeof *work->inlined);
    if (work->moves)
        stacks->skipped_types =
            buf_alloc((2 * work->count + 1) * sizeof *stacks->skipped_types);
    size_t time = 0, value = 0;
    for (uint32_t i = 0; i < work->count; i++) {
        if (work->needed[i])
            put_frame(work, i);
        if (is_kept(work, i) && work->measured[i])
            move_kept_data(work, i, &time, &value);
    }
}

/* Moves a site in a hidden frame to the frame around it. */
static void charge_site(struct work *work, struct allocs_site *site)
{
    uint32_t node = charged_node(work, site->node);
    if (is_hidden(work, site->node)) {
        const struct stacks_position *position =
            &work->stacks->positions.list[work->stacks->nodes.list[node].position];
        site->file = position->file;
        site->line = position->line;
        site->column = position->column;
    }
    stacks_place_site(work->stacks, site, node);
}

/* Filters the sites that have nodes. The others are there only if the filter has no
   pattern (see choose.c), so all of them are kept. */
static void filter_sites(struct work *work)
{
    struct allocs *allocs = &work->stacks->allocs;
    size_t kept = 0;
    for (size_t i = 0; i < allocs->count; i++) {
        struct allocs_site *site = &allocs->sites[i];
        if (site->node != STACKS_NONE && !is_kept(work, site->node)) {
            allocs->left_out += site->bytes;
            free(site->frames.list);
            continue;
        }
        if (site->node != STACKS_NONE)
            charge_site(work, site);
        allocs->sites[kept++] = *site;
    }
    allocs->count = kept;
}

bool stacks_filter_has_processes(const struct stacks_filter *filter)
{
    for (int option = 0; option < OPTIONS; option++)
        for (size_t i = 0; i < patterns_of(filter, option)->count; i++)
            if (strstr(patterns_of(filter, option)->list[i].text, STACKS_FILTER_PROCESS))
                return true;
    return false;
}

bool stacks_filter_merges(const struct stacks *stacks, unsigned merged)
{
    for (size_t i = 0; i < stacks->copies.count; i++)
        if (merged >> stacks->copies.list[i].what & 1)
            return true;
    return false;
}

bool stacks_filter_is_set(const struct stacks_filter *filter)
{
    return filter->focus.count || filter->ignore.count || filter->hide.count;
}

bool stacks_filter_apply(struct stacks *stacks, const struct stacks_filter *filter,
                         const struct stacks_moves *moves, unsigned merged,
                         const struct names_style *style, struct fault *fault)
{
    struct work work = {.stacks = stacks,
                        .filter = filter,
                        .moves = moves,
                        .merged = merged,
                        .nodes = stacks->nodes.list,
                        .count = stacks->nodes.count};
    bool any = stacks->values.count;
    for (size_t i = 0; !any && i < stacks->nodes.count; i++)
        any = stacks->nodes.list[i].count != 0;
    if (!any)
        return true;
    bool good = mark_sources(&work, style, fault), kept = false;
    if (good) {
        kept = find_needed_nodes(&work);
        rebuild(&work);
        filter_sites(&work);
        stacks_finish(stacks);
        stacks->filtered = stacks_filter_is_set(filter);
        free(work.nodes);
        shares_free(&work.times);
        shares_free(&work.values);
        packed_free(&work.origins);
    }
    if (good && !kept) {
        BUF_OWN char *text = stacks_filter_text(filter);
        good = fault_set(fault, FAULT_MISMATCH, text, "no stack is left");
    }
    free(work.measured);
    free(work.marks);
    free(work.on);
    free(work.needed);
    free(work.become);
    free(work.inlined);
    return good;
}

bool stacks_split(struct stacks *stacks, const struct patterns *patterns,
                  const struct names_style *style, struct fault *fault)
{
    BUF_OWN unsigned char *marks = buf_alloc(stacks->sources.count + 1);
    bool good = true;
    for (size_t i = 0; good && i < patterns->count; i++)
        good = mark(stacks, "split", &patterns->list[i], NULL, 1, marks, style, fault);
    /* Functions outside of the tables have only one copy. */
    for (size_t i = 0; good && i < stacks->copies.count; i++) {
        struct stacks_copy *copy = &stacks->copies.list[i];
        if (marks[copy->source] && copy->module != STACKS_NONE)
            copy->source = stacks_double_source(stacks, copy->source);
    }
    stacks->has_copies |= patterns->count > 0;
    for (size_t i = 0; good && i < stacks->allocs.count; i++) {
        struct allocs_site *site = &stacks->allocs.sites[i];
        site->source = stacks->copies.list[site->copy].source;
    }
    return good;
}

char *stacks_filter_text(const struct stacks_filter *filter)
{
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    const char *between = "";
    for (int option = 0; option < OPTIONS; option++) {
        const struct patterns *patterns = patterns_of(filter, option);
        for (size_t i = 0; i < patterns->count; i++, between = ", ")
            fprintf(out, "%s-%s %s", between, names[option], patterns->list[i].text);
    }
    buf_close(out);
    return text;
}

void stacks_filter_free(struct stacks_filter *filter)
{
    patterns_free(&filter->focus);
    patterns_free(&filter->ignore);
    patterns_free(&filter->hide);
}
