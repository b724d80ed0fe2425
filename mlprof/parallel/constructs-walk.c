/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks over the profile from callers to callees and keeps the open constructs on a
   stack. Each sample is added to a sum by construct and thread. */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/program/program.h"
#include "mlprof/program/exits.h"
#include "mlprof/parallel/constructs-inside.h"

#include <stdlib.h>

/* Adds COUNT to the sum of A and B. */
static void constructs_add(struct constructs_sums *sums, uint32_t a, uint32_t b,
                           double count)
{
    bool fresh;
    uint32_t number = index_put(&sums->index, a, b, 0, &fresh);
    double *sum = &BUF_AT(sums->sums, number, sums->capacity);
    *sum = count + (fresh ? 0 : *sum);
}

struct constructs_cell *constructs_cell(struct constructs_builder *build,
                                        uint32_t construct, uint32_t thread)
{
    bool fresh;
    uint32_t number = index_put(&build->cell_index, construct, thread, 0, &fresh);
    struct constructs_cell *cell = &BUF_AT(build->cells, number, build->cell_capacity);
    if (fresh)
        *cell = (struct constructs_cell){0};
    return cell;
}

static void add_construct(struct constructs_builder *build,
                          const struct identity_source *source)
{
    BUF_NEXT(build->list, build->count, build->capacity) =
        (struct construct){.source = *source};
}

/* Returns the number of the construct with the function SOURCE; adds the construct if
   it is new. Returns CONSTRUCTS_NONE if SOURCE is not the function of a construct. */
static uint32_t constructs_number(struct constructs_builder *build,
                                  const struct unit *unit,
                                  const struct unit_source *source)
{
    bool fresh;
    const struct identity_source identity = identity_of(unit, source);
    uint32_t number =
        CONSTRUCTS_FIRST + identity_put(&build->identity, &identity, &fresh);
    if (fresh)
        add_construct(build, &identity);
    return number;
}

void constructs_start(struct constructs_builder *build)
{
    static const char *const names[CONSTRUCTS_FIRST] = {[OUTSIDE] = "<outside>",
                                                        [UNKNOWN] = "<unknown construct>",
                                                        [ENDS] = "<end of a construct>",
                                                        [IDLE] = "<idle>"};
    for (size_t i = 0; i < CONSTRUCTS_FIRST; i++)
        add_construct(build, &(struct identity_source){.name = names[i]});
}

static void free_sums(struct constructs_sums *sums)
{
    index_free(&sums->index);
    free(sums->sums);
}

void constructs_end(struct constructs_builder *build)
{
    identity_free(&build->identity);
    index_free(&build->cell_index);
    free(build->cells);
    free(build->list);
    free_sums(&build->ends);
    free_sums(&build->parents);
    free_sums(&build->loose);
}

/* The walk goes down the stacks twice. In the first pass, samples in constructs show
   which calls of libgomp run the functions of constructs, and at which calls the
   program began each construct. In the second pass, each sample is assigned to a
   construct and an activity of the thread. Both depend on the innermost code of the
   program or of libgomp. */

/* The role of a thread for a construct on its stack. */
enum role {
    BEGINS, /* it began the construct and waits for its end */
    PART,   /* the thread began the construct and runs its own part of the work */
    TEAM,   /* libgomp created the thread, which runs its part of the work */
    RUNS    /* it runs a task, or its role is unknown */
};

/* Maximum nesting of constructs. Deeper ones are ignored. */
#define DEEPEST 128

struct open {
    uint32_t construct, outer; /* OUTER: index of the construct around it */
    enum role role;
    unsigned depth;
    bool again; /* the same construct is also further out on the stack */
};

/* State at a point, derived from the stack down to this point. */
struct state {
    uint32_t thread;
    /* Index of the innermost open construct. */
    uint32_t open;
    enum { NOTHING, PROGRAM, LIBRARY } running; /* other code is ignored */
    bool team; /* the stack begins in libgomp, so libgomp created the thread */
    /* This point is the first function of libgomp on the stack below code of the
       program. */
    bool first;
    /* A function of libgomp that was called below code of the program waits at the end
       of a construct. */
    bool ends;
    bool runs;   /* the innermost function of libgomp runs functions of constructs */
    bool called; /* the program called the outermost function of libgomp */
};

struct walk {
    struct constructs_builder *build;
    struct constructs_jumps *jumps;
    struct tail_calls *tail_calls; /* NULL: not available */
    bool learning;
    struct state *states; /* by node of the profile */
    BUF_VECTOR(struct open) opens;
    /* Key: module and address. Calls that run functions of constructs. */
    struct index runners;
    /* Key: module and address of a call that begins a construct. Value: index in
       SITES. */
    struct index site_index;
    uint32_t *sites; /* by index: the construct */
    size_t site_capacity;
    struct frames frames;
};

static void open_construct(struct walk *walk, struct state *state, uint32_t construct,
                           enum role role)
{
    struct open open = {.construct = construct, .outer = state->open, .role = role};
    for (uint32_t i = open.outer; i != CONSTRUCTS_NONE; i = walk->opens.list[i].outer)
        open.again |= walk->opens.list[i].construct == construct;
    if (open.outer != CONSTRUCTS_NONE)
        open.depth = walk->opens.list[open.outer].depth + 1;
    if (open.depth >= DEEPEST)
        return;
    BUF_PUSH(walk->opens) = open;
    state->open = (uint32_t)walk->opens.count - 1;
}

/* Returns the number of the innermost open construct, or CONSTRUCTS_NONE. */
static uint32_t innermost(const struct walk *walk, const struct state *state)
{
    return state->open == CONSTRUCTS_NONE ? CONSTRUCTS_NONE
                                          : walk->opens.list[state->open].construct;
}

/* Searches from the construct OPEN outwards. Returns the innermost construct that the
   thread has begun or in whose team it is, or CONSTRUCTS_NONE. */
static uint32_t parallel_around(const struct walk *walk, uint32_t open)
{
    for (; open != CONSTRUCTS_NONE; open = walk->opens.list[open].outer)
        if (walk->opens.list[open].role != RUNS)
            return walk->opens.list[open].construct;
    return CONSTRUCTS_NONE;
}

/* Returns whether the last action of the thread was to begin the innermost construct. */
static bool has_begun(const struct walk *walk, const struct state *state)
{
    return state->open != CONSTRUCTS_NONE && walk->opens.list[state->open].role == BEGINS;
}

/* Returns the construct that a call of the program begins, or CONSTRUCTS_NONE if it is
   unknown. */
static uint32_t site_of(const struct walk *walk, const struct profile_node *call)
{
    uint32_t number;
    return index_get(&walk->site_index, call->module, call->address, 0, &number)
               ? walk->sites[number]
               : CONSTRUCTS_NONE;
}

static void learn_site(struct walk *walk, const struct profile_node *call,
                       uint32_t construct)
{
    bool fresh;
    uint32_t number =
        index_put(&walk->site_index, call->module, call->address, 0, &fresh);
    BUF_AT(walk->sites, number, walk->site_capacity) = construct;
}

/* Returns the construct whose function has jumped to the code at NODE. Returns
   UNKNOWN if there is no such construct, or if several constructs are possible. */
static uint32_t construct_jumped(struct walk *walk, const struct profile_node *node)
{
    uint32_t only = UNKNOWN, found;
    size_t first = 0, second = 0;
    bool several = false;
    const struct unit *unit;
    const struct unit_source *source;
    while (constructs_jumps_next(walk->jumps, node->module, node->address, &first, &unit,
                                 &source)) {
        found = constructs_number(walk->build, unit, source);
        several |= only != UNKNOWN && only != found;
        only = found;
    }
    while (several && constructs_jumps_next(walk->jumps, node->module, node->address,
                                            &second, &unit, &source)) {
        found = constructs_number(walk->build, unit, source);
        walk->build->list[found].unsure = true;
    }
    return several ? UNKNOWN : only;
}

/* Returns the construct whose function libgomp has called, or UNKNOWN. */
static uint32_t construct_called(struct walk *walk, const struct profile_node *node)
{
    const struct unit_source *source = walk->frames.list[0].source;
    if (constructs_is_one(source))
        return constructs_number(walk->build, walk->frames.function->unit, source);
    return construct_jumped(walk, node);
}

/* Opens the construct whose function was run by the library's call above NODE. The
   construct can only be found if NODE is code of the program (IN_PROGRAM). */
static void begin_construct(struct walk *walk, struct state *state,
                            const struct profile_node *node, bool in_program)
{
    const struct profile *profile = walk->build->profile;
    const struct profile_node *parent = &profile->nodes.list[node->parent];
    bool parallel = libgomp_runs_parallel(walk->build->library, parent);
    bool team = state->team && state->first && state->open == CONSTRUCTS_NONE;
    bool fresh, part = parallel && has_begun(walk, state);
    bool own_function = in_program && constructs_is_one(walk->frames.list[0].source);
    uint32_t construct = part && !own_function ? innermost(walk, state)
                         : in_program          ? construct_called(walk, node)
                                               : UNKNOWN;
    part = part && construct == innermost(walk, state);
    open_construct(walk, state, construct,
                   part       ? PART
                   : parallel ? BEGINS
                   : team     ? TEAM
                              : RUNS);
    if (!walk->learning || construct == UNKNOWN)
        return;
    walk->build->list[construct].parallel |= parallel || team;
    if (parallel || team)
        index_put(&walk->runners, parent->module, parent->address, 0, &fresh);
    if (team)
        libgomp_learn(walk->build->library, parent);
    if (parallel && !part && state->first && state->called)
        learn_site(walk, &profile->nodes.list[parent->parent], construct);
}

static void enter_program(struct walk *walk, struct state *state,
                          const struct profile_node *node, bool called)
{
    const struct frames *frames = &walk->frames;
    if (called)
        begin_construct(walk, state, node, true);
    else if (constructs_is_one(frames->list[0].source))
        open_construct(walk, state,
                       constructs_number(walk->build, frames->function->unit,
                                         frames->list[0].source),
                       RUNS);
    state->running = PROGRAM;
}

/* Returns the construct that the program begins at NODE by a call of the library or by
   a jump. Returns CONSTRUCTS_NONE if no construct begins there, or if the construct
   is unknown. */
static uint32_t construct_begun(struct walk *walk, const struct profile_node *node)
{
    const struct constructs_builder *build = walk->build;
    const struct profile_node *call = &build->profile->nodes.list[node->parent];
    uint32_t number = (uint32_t)(node - build->profile->nodes.list),
             module = call->module;
    uint64_t address = call->address;
    const struct unit *unit;
    const struct unit_source *source;
    if (libgomp_does_other(build->library, node))
        return CONSTRUCTS_NONE;
    if (site_of(walk, call) != CONSTRUCTS_NONE)
        return site_of(walk, call);
    const struct tail_calls_jumps *jumps =
        walk->tail_calls ? tail_calls_find(walk->tail_calls, number) : NULL;
    if (jumps) {
        module = jumps->jumps[0].module;
        address = jumps->jumps[0].address;
    }
    if (!constructs_jumps_begun(walk->jumps, module, address, &unit, &source))
        return CONSTRUCTS_NONE;
    uint32_t construct = constructs_number(walk->build, unit, source);
    walk->build->list[construct].parallel = true;
    return construct;
}

static void enter_library(struct walk *walk, struct state *state,
                          const struct profile_node *node)
{
    bool fresh = state->running != LIBRARY;
    uint32_t number;
    if (state->running == NOTHING)
        state->team = true;
    /* The function of a construct has jumped to the library. */
    if (!fresh && state->runs) {
        begin_construct(walk, state, node, false);
        fresh = true;
    }
    if (fresh)
        state->called = state->running == PROGRAM;
    if (state->running == PROGRAM) {
        uint32_t started = construct_begun(walk, node);
        if (started != CONSTRUCTS_NONE)
            open_construct(walk, state, started, BEGINS);
    }
    state->running = LIBRARY;
    state->first = fresh;
    state->ends = (state->ends && !fresh) || libgomp_ends(walk->build->library, node);
    state->runs = index_get(&walk->runners, node->module, node->address, 0, &number);
}

/* Enters code that belongs to neither the program nor libgomp. */
static void enter_other(struct walk *walk, struct state *state,
                        const struct profile_node *node)
{
    if (state->running != LIBRARY || !state->runs)
        return;
    begin_construct(walk, state, node, false);
    state->running = PROGRAM;
}

static void enter(struct walk *walk, struct state *state, const struct profile_node *node)
{
    const struct constructs_builder *build = walk->build;
    /* The thread with the number 0 represents all threads for which the runtime had no
       room. */
    if (node->module == PROFILE_THREAD &&
        !text_begins(intern_text(&build->profile->names.threads, (uint32_t)node->address),
                     "0 "))
        state->thread = (uint32_t)node->address;
    if (profile_is_around(node))
        return;
    bool called = false;
    if (node->parent != PROFILE_NO_NODE && state->running == LIBRARY)
        called = libgomp_has(build->library, &build->profile->nodes.list[node->parent]);
    if (node->module < build->program->count &&
        frames_read(&walk->frames, build->program, node->module, node->address))
        enter_program(walk, state, node, called);
    else if (libgomp_has(build->library, node))
        enter_library(walk, state, node);
    else
        enter_other(walk, state, node);
}

/* Adds COUNT to the durations of the constructs on the stack. */
static void add_durations(const struct walk *walk, const struct state *state,
                          double count)
{
    struct constructs_builder *build = walk->build;
    for (uint32_t i = state->open; i != CONSTRUCTS_NONE; i = walk->opens.list[i].outer) {
        const struct open *open = &walk->opens.list[i];
        struct construct *construct = &build->list[open->construct];
        if (open->role == TEAM)
            constructs_cell(build, open->construct, state->thread)->within += count;
        if (open->role != BEGINS)
            continue;
        construct->duration += open->again ? 0 : count;
        constructs_cell(build, open->construct, state->thread)->begun += count;
        construct->outer += open->outer == CONSTRUCTS_NONE ? count : 0;
    }
}

/* Adds the samples of a task to the construct that it belongs to. If no construct is
   on the stack, the task ran while the thread waited at the end of a construct. */
static void add_task(const struct walk *walk, const struct state *state, double count)
{
    uint32_t i = state->open;
    if (i == CONSTRUCTS_NONE || walk->opens.list[i].role != RUNS)
        return;
    uint32_t outer = parallel_around(walk, i), task = walk->opens.list[i].construct;
    if (outer != CONSTRUCTS_NONE)
        constructs_add(&walk->build->parents, task, outer, count);
    else if (state->team)
        constructs_add(&walk->build->loose, task, state->thread, count);
}

/* Adds the samples of a point. CURRENT is the state of the point, ABOVE is the state of
   its parent. */
static void add_samples(struct walk *walk, const struct state *current,
                        const struct state *above, double count)
{
    struct constructs_builder *build = walk->build;
    uint32_t open = innermost(walk, current);
    /* The address of a sampled point is not a call, so the state of the point above is
       used. */
    bool ends = above->running == LIBRARY && above->ends && current->running == LIBRARY;
    if (!libgomp_has_learnt(build->library))
        ends = has_begun(walk, current) && current->running == LIBRARY;
    add_durations(walk, current, count);
    if (current->running == PROGRAM) {
        uint32_t charged = open != CONSTRUCTS_NONE ? open
                           : current->team         ? UNKNOWN
                                                   : OUTSIDE;
        constructs_cell(build, charged, current->thread)->work += count;
        add_task(walk, current, count);
    } else if (current->running == NOTHING ||
               (open == CONSTRUCTS_NONE && !current->team && !ends)) {
        constructs_cell(build, OUTSIDE, current->thread)->work += count;
    } else if (open == CONSTRUCTS_NONE && current->team) {
        if (ends)
            constructs_add(&build->ends, current->thread, 0, count);
        else
            constructs_cell(build, IDLE, current->thread)->end += count;
    } else {
        uint32_t charged = open == CONSTRUCTS_NONE ? UNKNOWN : open;
        struct constructs_cell *cell =
            constructs_cell(build, ends && !has_begun(walk, current) ? UNKNOWN : charged,
                            current->thread);
        *(ends ? &cell->end : &cell->inside) += count;
    }
}

static void walk_nodes(struct walk *walk)
{
    const struct profile *profile = walk->build->profile;
    const struct state start = {.thread = profile->names.threads.count,
                                .open = CONSTRUCTS_NONE};
    walk->opens.count = 0;
    for (size_t i = 0; i < profile->nodes.count; i++) {
        const struct profile_node *node = &profile->nodes.list[i];
        const struct state above =
            node->parent == PROFILE_NO_NODE ? start : walk->states[node->parent];
        walk->states[i] = above;
        enter(walk, &walk->states[i], node);
        if (!walk->learning && node->count)
            add_samples(walk, &walk->states[i], &above, (double)node->count);
    }
}

void constructs_walk(struct constructs_builder *build)
{
    struct walk walk = {
        .build = build,
        .jumps = constructs_jumps_new(build->profile, build->program),
        .tail_calls =
            build->program->code ? tail_calls_new(build->profile, build->program) : NULL,
        .states = buf_alloc((build->profile->nodes.count + 1) * sizeof *walk.states)};
    walk.learning = true;
    walk_nodes(&walk);
    walk.learning = false;
    walk_nodes(&walk);
    constructs_jumps_free(walk.jumps);
    tail_calls_free(walk.tail_calls);
    frames_free(&walk.frames);
    index_free(&walk.runners);
    index_free(&walk.site_index);
    free(walk.sites);
    free(walk.opens.list);
    free(walk.states);
}
