/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the time of waiting at the end of constructs among the constructs that may
   have ended then, and makes the rows of -parallel. */

#include "mlprof/parallel/constructs.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/parallel/constructs-inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* If a construct has more than LASTING times as many threads as it had on average at a
   time, its threads have changed. */
#define LASTING 1.5

/* A difference of this many standard deviations is treated as significant. */
#define CERTAIN 3

/* Returns the construct in which the task has most of its samples, or CONSTRUCTS_NONE. */
static uint32_t parent_of(const struct constructs_builder *build, uint32_t task)
{
    const struct constructs_sums *parents = &build->parents;
    uint32_t found = CONSTRUCTS_NONE;
    double most = 0;
    for (uint32_t i = 0; i < parents->index.count; i++) {
        const uint64_t *words = parents->index.keys[i].words;
        if (words[0] != task || parents->sums[i] <= most)
            continue;
        found = (uint32_t)words[1];
        most = parents->sums[i];
    }
    return found;
}

/* Adds the tasks that a thread ran while it waited at the end of a construct to this
   construct. */
static void count_tasks(struct constructs_builder *build)
{
    for (uint32_t i = 0; i < build->loose.index.count; i++) {
        const uint64_t *words = build->loose.index.keys[i].words;
        uint32_t parent = parent_of(build, (uint32_t)words[0]);
        if (parent != CONSTRUCTS_NONE)
            constructs_cell(build, parent, (uint32_t)words[1])->within +=
                build->loose.sums[i];
    }
}

/* Returns the maximum number of samples that a thread may have waited at the end of
   construct NUMBER. With SEEN, returns 0 unless the thread was seen in the construct.
   Without SEEN, returns 0 unless the thread was not seen there; the result is then
   limited to the time in which the construct was in no other construct. */
static double waiting_limit(struct constructs_builder *build, uint32_t number,
                            uint32_t thread, bool seen)
{
    const struct construct *construct = &build->list[number];
    double within = constructs_cell(build, number, thread)->within;
    if (!construct->parallel || (within > 0) != seen)
        return 0;
    return fmax(0, seen ? construct->duration - within : construct->outer);
}

/* Divides COUNT samples of a thread among constructs. With SEEN, these are the
   constructs in which the thread was seen; without SEEN, all other constructs.
   Returns the number of samples that remain. */
static double share_waiting(struct constructs_builder *build, uint32_t thread, bool seen,
                            double count)
{
    double sum = 0;
    for (uint32_t i = CONSTRUCTS_FIRST; i < build->count; i++)
        sum += waiting_limit(build, i, thread, seen);
    double given = count - sum > CERTAIN * sqrt(count + sum) ? sum : count;
    if (sum <= 0)
        return count;
    for (uint32_t i = CONSTRUCTS_FIRST; i < build->count; i++) {
        double room = waiting_limit(build, i, thread, seen);
        if (room <= 0)
            continue;
        struct constructs_cell *cell = constructs_cell(build, i, thread);
        cell->end += given * room / sum;
        cell->waited += given * room / sum;
    }
    return count - given;
}

/* Divides the time of waiting at ends among constructs. The stack of a thread created
   by libgomp does not show at the end of which construct the thread waits. But a
   construct has the same duration for all its threads, and the samples of the thread
   that began it show this duration. If a thread was in the construct for a shorter
   time, it has waited at the end of the construct. The total waiting time of a thread
   is known from its samples. */
static void share_ends(struct constructs_builder *build)
{
    /* CPU time does not show the duration of a construct. */
    bool wall_clock = build->profile->sampling.clock == PROFILE_WALL;
    count_tasks(build);
    for (uint32_t i = 0; i < build->ends.index.count; i++) {
        uint32_t thread = (uint32_t)build->ends.index.keys[i].words[0];
        double left = build->ends.sums[i];
        if (wall_clock)
            left = share_waiting(build, thread, true, left);
        /* The samples of UNKNOWN may belong to any of the constructs. */
        if (wall_clock && left > 0 && constructs_cell(build, UNKNOWN, thread)->work < 0.5)
            left = share_waiting(build, thread, false, left);
        if (left > 0)
            constructs_cell(build, ENDS, thread)->end += left;
    }
}

static struct constructs_row start_row(const struct constructs_builder *build,
                                       uint32_t number, const struct names_style *names)
{
    static const enum constructs_what whats[CONSTRUCTS_FIRST] = {
        [OUTSIDE] = CONSTRUCTS_OUTSIDE,
        [UNKNOWN] = CONSTRUCTS_UNKNOWN,
        [ENDS] = CONSTRUCTS_ENDS,
        [IDLE] = CONSTRUCTS_IDLE};
    const struct construct *construct = &build->list[number];
    bool other = number < CONSTRUCTS_FIRST;
    bool both = number == IDLE && !libgomp_has_learnt(build->library);
    return (struct constructs_row){.what = other                 ? whats[number]
                                           : construct->parallel ? CONSTRUCTS_PARALLEL
                                                                 : CONSTRUCTS_TASK,
                                   .name = both    ? buf_copy("<idle, or at an end>")
                                           : other ? buf_copy(construct->source.name)
                                                   : names_of(&construct->source, names),
                                   .position =
                                       other ? NULL : names_position(&construct->source),
                                   .least = INFINITY};
}

bool constructs_is_known(const struct constructs_row *row)
{
    return row->what == CONSTRUCTS_PARALLEL || row->what == CONSTRUCTS_TASK;
}

double constructs_time(const struct constructs_row *row)
{
    return row->work + row->inside + row->end;
}

double constructs_lost(const struct constructs_row *row)
{
    return row->most - row->mean;
}

bool constructs_is_uneven(const struct constructs_row *row)
{
    uint64_t total = (uint64_t)llround(row->mean * (double)row->threads);
    return row->lasted &&
           statistics_is_uneven((uint64_t)row->most, total, row->threads, 1);
}

static void add_cell(struct constructs_row *row, const struct constructs_cell *cell,
                     bool known)
{
    double time = cell->work + cell->inside + cell->end;
    row->work += cell->work;
    row->inside += cell->inside;
    row->end += cell->end;
    /* Less than half a sample is treated as none. */
    if (!known || time + cell->within < 0.5)
        return;
    row->threads++;
    row->mean += cell->work;
    row->least = fmin(row->least, cell->work);
    row->most = fmax(row->most, cell->work);
}

/* Returns the mean number of threads that were in the construct at the same time,
   multiplied by the number of threads that began it. */
static double threads_at_a_time(const struct construct *construct)
{
    if (construct->duration <= 0)
        return 1;
    double times = (construct->duration + construct->made) / construct->duration;
    return construct->beginners > 1 ? times * construct->beginners : times;
}

/* Returns whether most threads were in a parallel construct whenever it ran. With CPU
   time this cannot be measured, so the result is true unless the construct was inside
   another construct. There, libgomp creates new threads each time. */
static bool has_lasted(const struct constructs_row *row,
                       const struct construct *construct, enum profile_clock clock)
{
    if (clock == PROFILE_WALL)
        return (double)row->threads <= LASTING * threads_at_a_time(construct);
    return construct->outer >= construct->duration || row->threads <= 1;
}

/* Completes a row. If threads come and go, the minimum, mean and maximum of their
   work have no meaning. */
static void finish_row(struct constructs_row *row, const struct construct *construct,
                       enum profile_clock clock)
{
    row->lasted = row->threads && constructs_is_known(row) && !construct->unsure;
    row->came = row->what == CONSTRUCTS_PARALLEL && !has_lasted(row, construct, clock);
    row->lasted &= !row->came;
    row->mean = row->threads ? row->mean / (double)row->threads : 0;
    row->least = row->threads ? row->least : 0;
}

static int by_time(const void *one, const void *other)
{
    const struct constructs_row *a = one, *b = other;
    double x = constructs_time(a), y = constructs_time(b);
    int order = strcmp(a->name, b->name);
    if (x != y)
        return (x < y) - (x > y);
    return order ? order
                 : strcmp(a->position ? a->position : "", b->position ? b->position : "");
}

static void make_rows(struct constructs *constructs,
                      const struct constructs_builder *build,
                      const struct names_style *names)
{
    size_t known = build->profile->names.threads.count;
    bool *seen = buf_alloc((known + 1) * sizeof *seen);
    constructs->rows = buf_alloc((build->count + 1) * sizeof *constructs->rows);
    for (uint32_t i = 0; i < build->count; i++)
        constructs->rows[i] = start_row(build, i, names);
    for (size_t i = 0; i < build->cell_index.count; i++) {
        const uint64_t *words = build->cell_index.keys[i].words;
        add_cell(&constructs->rows[words[0]], &build->cells[i], words[1] < known);
        seen[words[1]] |= words[1] < known;
    }
    for (uint32_t i = 0; i < build->count; i++) {
        struct constructs_row row = constructs->rows[i];
        finish_row(&row, &build->list[i], build->profile->sampling.clock);
        if (constructs_time(&row) > 0) {
            constructs->rows[constructs->count++] = row;
            continue;
        }
        free(row.name);
        free(row.position);
    }
    for (size_t i = 0; i < known; i++)
        constructs->threads += seen[i];
    free(seen);
    constructs->told = libgomp_has_learnt(build->library);
    BUF_SORT(constructs->rows, constructs->count, by_time);
}

static bool refuse(struct fault *fault, const char *why)
{
    return fault_set(fault, FAULT_MISMATCH, "-parallel", "%s", why);
}

static bool check(const struct profile *profile, struct fault *fault)
{
    if (!(profile->kind & CCPROF_KIND_TIME))
        return refuse(fault, "no time was measured: compile with "
                             "-fplugin-arg-ccprof-profile=time");
    if (!profile->sampling.stack)
        return refuse(fault, "the data have no stacks: run the program without "
                             "CCPROF=stack=no, and do not link it statically");
    if (profile->sampling.samples > profile->sampling.lost &&
        profile->names.threads.count == 0)
        return refuse(fault, "samples are not recorded per thread: run the program with "
                             "CCPROF=clock=wall,threads=yes");
    return true;
}

bool constructs_fill(struct constructs *constructs, const struct profile *profile,
                     const struct program *program, const struct names_style *names,
                     struct fault *fault)
{
    if (!check(profile, fault))
        return false;
    struct constructs_builder build = {
        .profile = profile, .program = program, .library = libgomp_new(profile, program)};
    constructs_start(&build);
    constructs_walk(&build);
    share_ends(&build);
    /* Add up the samples of the threads created by libgomp, and count the threads that
       began constructs. */
    for (size_t i = 0; i < build.cell_index.count; i++) {
        struct construct *construct = &build.list[build.cell_index.keys[i].words[0]];
        const struct constructs_cell *cell = &build.cells[i];
        construct->made += cell->within + cell->waited;
        construct->beginners += cell->begun >= 0.5;
    }
    make_rows(constructs, &build, names);
    bool any = false;
    for (size_t i = 0; i < constructs->count; i++)
        any |= constructs_is_known(&constructs->rows[i]);
    if (!any)
        constructs_free(constructs);
    if (!any)
        refuse(fault, "no sample was in a construct of OpenMP");
    constructs_end(&build);
    libgomp_free(build.library);
    return any;
}

void constructs_free(struct constructs *constructs)
{
    for (size_t i = 0; i < constructs->count; i++) {
        free(constructs->rows[i].name);
        free(constructs->rows[i].position);
    }
    free(constructs->rows);
    *constructs = (struct constructs){0};
}
