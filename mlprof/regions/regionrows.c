/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/regions/regionrows.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/names/names.h"
#include "mlprof/program/program.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The names of a region.  */
struct called {
    char *name, *position, *place; /* as in a row */
    struct identity_source source; /* of a function; its name is NULL: it is none */
    /* Number of the function in the identity; see SOURCE.  */
    uint32_t identity;
    uint32_t function, copy; /* numbers in the module's tables */
    uint32_t row;            /* its row among names or copies */
};

struct build {
    struct regionrows *rows;
    const struct regionrows_asked *asked;
    const struct regions *regions;
    struct called *called; /* by region */
    struct identity identity;
    struct intern keys;    /* of the rows */
    double *totals;        /* by path: nanoseconds, less what was subtracted */
    struct copies *copies; /* NULL: not wanted */
};

/* Sets the function with a stopwatch that a region is, and its copy.  */
static void call_function(struct build *build, struct called *called,
                          const struct regions_region *region)
{
    struct frames frames = {0};
    const struct regionrows_asked *asked = build->asked;
    if (region->module < asked->program->count &&
        frames_read(&frames, asked->program, region->module, region->address)) {
        const struct function_frame *frame = &frames.list[frames.count - 1];
        bool fresh;
        called->source = identity_of(frames.function->unit, frame->source);
        called->identity = identity_put(&build->identity, &called->source, &fresh);
        called->position = names_position(&called->source);
        called->function = frames.number;
        called->copy = frame->copy;
        if (build->copies)
            called->place = copies_made(build->copies,
                                        &(struct stacks_copy){.module = region->module,
                                                              .function = frames.number,
                                                              .copy = frame->copy});
    }
    frames_free(&frames);
}

static void call_region(struct build *build, uint32_t number)
{
    const struct regions_region *region = &build->regions->regions[number];
    struct called *called = &build->called[number];
    called->name = text_clean(intern_text(&build->regions->names, region->name));
    called->row = REGIONROWS_NONE;
    if (region->module != REGIONS_NAMED)
        call_function(build, called, region);
}

/* Names functions.  Several with one name and line are told apart as in the table of
   functions; otherwise a line is enough.  */
static void name_functions(struct build *build)
{
    struct names_unique *names =
        buf_alloc((build->regions->region_count + 1) * sizeof *names);
    struct names_style style = *build->asked->names;
    struct intern texts = {0};
    size_t count = 0;
    style.show_line = true;
    for (size_t i = 0; i < build->regions->region_count; i++)
        if (build->called[i].source.name)
            names[count++].source = &build->called[i].source;
    names_make_unique(names, count, &texts, &style);
    count = 0;
    for (size_t i = 0; i < build->regions->region_count; i++)
        if (build->called[i].source.name) {
            free(build->called[i].name);
            build->called[i].name = text_clean(names[count++].shown);
        }
    intern_free(&texts);
    free(names);
}

static char *copy_or_null(const char *text)
{
    return text ? buf_copy(text) : NULL;
}

static uint32_t add_row(struct regionrows *rows, struct regionrows_row row)
{
    BUF_NEXT(rows->rows, rows->count, rows->capacity) = row;
    return (uint32_t)rows->count - 1;
}

/* The key of a region's row, to be freed.  Regions with equal keys are one row: a copy
   may start its watch in several places, since code is duplicated.  */
static char *key_of(const struct build *build, uint32_t number)
{
    const struct regions_region *region = &build->regions->regions[number];
    const struct called *called = &build->called[number];
    if (region->module == REGIONS_NAMED)
        return buf_format("n %s", called->name);
    if (!called->source.name)
        return buf_format("u %s", called->name);
    if (build->asked->by == REGIONROWS_COPIES)
        return buf_format("c %u %u %u", region->module, called->function, called->copy);
    return buf_format("f %u", called->identity);
}

/* The row of a region.  Regions with one name share a row, unless copies are told
   apart.  */
static uint32_t row_of(struct build *build, uint32_t region)
{
    struct called *called = &build->called[region];
    if (called->row != REGIONROWS_NONE)
        return called->row;
    char *key = key_of(build, region);
    called->row = intern_put(&build->keys, key);
    free(key);
    if (called->row == build->rows->count)
        add_row(build->rows,
                (struct regionrows_row){.name = buf_copy(called->name),
                                        .position = copy_or_null(called->position),
                                        .place = copy_or_null(called->place),
                                        .region = region,
                                        .parent = REGIONROWS_NONE});
    return called->row;
}

/* The row of a path.  Paths whose regions have the same names share a row.  */
static uint32_t path_row(struct build *build, size_t path)
{
    const struct regions_path *of = &build->regions->paths[path];
    struct called *called = &build->called[of->region];
    bool inside = of->parent != REGIONS_NO_PATH;
    uint32_t parent = inside ? build->rows->of_path[of->parent] : REGIONROWS_NONE;
    char *own = key_of(build, of->region),
         *key = buf_format("%" PRIu32 " %s", parent, own);
    uint32_t row = intern_put(&build->keys, key);
    free(own);
    free(key);
    if (row < build->rows->count)
        return row;
    char *name = inside ? buf_format("%s" REGIONROWS_INSIDE "%s",
                                     build->rows->rows[parent].name, called->name)
                        : buf_copy(called->name);
    return add_row(build->rows,
                   (struct regionrows_row){.name = name,
                                           .position = copy_or_null(called->position),
                                           .region = of->region,
                                           .parent = parent});
}

/* Whether a region further out in the path has the same row, so that this path's time is
   in it already.  */
static bool is_counted(const struct build *build, const struct regions_path *path,
                       uint32_t row)
{
    for (uint32_t at = path->parent; at != REGIONS_NO_PATH;
         at = build->regions->paths[at].parent)
        if (build->rows->of_path[at] == row)
            return true;
    return false;
}

/* The time of a path's calls that were in no other call of the path, in nanoseconds.  If
   some were, it is not known which calls inside were in which; then the time is the own
   time of these calls plus the time of the calls inside.  */
static double total_of(const struct build *build, size_t path, double inside)
{
    const struct regiontimes_cost *cost = &build->rows->cost;
    const struct regions_sums *sums = &build->regions->paths[path].sums;
    double whole = (double)(sums->total - sums->nested) * cost->tick;
    if (sums->nested)
        return fmin(whole, regiontimes_self(sums, cost) + inside);
    return fmax(0, whole - (double)sums->count * cost->inner -
                       (double)sums->inside * cost->outer);
}

/* Parents stand before their children.  */
static void find_totals(struct build *build)
{
    BUF_OWN double *inside = buf_alloc((build->regions->path_count + 1) * sizeof *inside);
    for (size_t i = build->regions->path_count; i-- > 0;) {
        const struct regions_path *path = &build->regions->paths[i];
        build->totals[i] = total_of(build, i, inside[i]);
        if (path->parent != REGIONS_NO_PATH)
            inside[path->parent] += build->totals[i];
    }
}

static void add_path(struct build *build, size_t number)
{
    const struct regions_path *path = &build->regions->paths[number];
    bool by_path = build->asked->by == REGIONROWS_PATHS;
    uint32_t at = by_path ? path_row(build, number) : row_of(build, path->region);
    struct regionrows_row *row = &build->rows->rows[at];
    build->rows->of_path[number] = at;
    /* The sums of all paths fit, so these do.  */
    regions_sums_add(&row->sums, &path->sums);
    if (by_path || !is_counted(build, path, at))
        row->total += build->totals[number];
    else
        row->sums.nested += path->sums.total - path->sums.nested;
    build->rows->has_inside |= path->sums.inside > 0;
}

static int by_total(const void *one, const void *other)
{
    const struct regionrows_row *const *a = one, *const *b = other;
    return BUF_ORDER((*b)->total, (*a)->total) ?: strcmp((*a)->name, (*b)->name) ?:
           BUF_ORDER(*a, *b);
}

/* Sorts the rows, and renumbers them.  */
static void sort(struct build *build)
{
    struct regionrows *rows = build->rows;
    struct regionrows_row **order = buf_alloc((rows->count + 1) * sizeof *order);
    struct regionrows_row *sorted = buf_alloc((rows->count + 1) * sizeof *sorted);
    uint32_t *number = buf_alloc((rows->count + 1) * sizeof *number);
    for (size_t i = 0; i < rows->count; i++)
        order[i] = &rows->rows[i];
    BUF_SORT(order, rows->count, by_total);
    for (size_t i = 0; i < rows->count; i++) {
        sorted[i] = *order[i];
        number[order[i] - rows->rows] = (uint32_t)i;
    }
    for (size_t i = 0; i < rows->count; i++)
        if (sorted[i].parent != REGIONROWS_NONE)
            sorted[i].parent = number[sorted[i].parent];
    for (size_t i = 0; i < build->regions->path_count; i++)
        rows->of_path[i] = number[rows->of_path[i]];
    free(rows->rows);
    free(order);
    free(number);
    rows->rows = sorted;
    rows->capacity = rows->count + 1;
}

/* Computes the figures of each row.  */
static void finish(struct build *build)
{
    struct regionrows *rows = build->rows;
    rows->has_cpu = rows->count > 0;
    for (size_t i = 0; i < rows->count; i++) {
        struct regionrows_row *row = &rows->rows[i];
        row->times = regiontimes_of(&row->sums, &rows->cost);
        /* What is subtracted from calls inside may be more than they took.  */
        row->times.self = fmin(row->times.self, row->total);
        rows->all += row->times.self;
        rows->has_cpu &= row->sums.has_cpu;
        rows->measuring += (double)row->sums.count * rows->measured.outer;
    }
    sort(build);
}

void regionrows_fill(struct regionrows *rows, const struct regionrows_asked *asked)
{
    const struct regions *regions = &asked->profile->regions;
    *rows = (struct regionrows){.cost = regiontimes_cost(regions, asked->subtract),
                                .measured = regiontimes_cost(regions, true),
                                .subtracted = asked->subtract};
    rows->of_path = buf_alloc((regions->path_count + 1) * sizeof *rows->of_path);
    struct build build = {
        .rows = rows,
        .asked = asked,
        .regions = regions,
        .called = buf_alloc((regions->region_count + 1) * sizeof *build.called),
        .totals = buf_alloc((regions->path_count + 1) * sizeof *build.totals),
        .copies = asked->by == REGIONROWS_COPIES
                      ? copies_new(asked->program, asked->rows, asked->names)
                      : NULL};
    for (uint32_t i = 0; i < regions->region_count; i++)
        call_region(&build, i);
    name_functions(&build);
    find_totals(&build);
    for (size_t i = 0; i < regions->path_count; i++)
        add_path(&build, i);
    finish(&build);
    for (size_t i = 0; i < regions->region_count; i++) {
        free(build.called[i].name);
        free(build.called[i].position);
        free(build.called[i].place);
    }
    copies_free(build.copies);
    intern_free(&build.keys);
    identity_free(&build.identity);
    free(build.called);
    free(build.totals);
}

double regionrows_length(const struct regionrows *rows, uint32_t path, uint64_t ticks)
{
    const struct regionrows_row *row = &rows->rows[rows->of_path[path]];
    return regiontimes_without(&row->sums, &rows->cost, (double)ticks);
}

void regionrows_free(struct regionrows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        free(rows->rows[i].name);
        free(rows->rows[i].position);
        free(rows->rows[i].place);
    }
    free(rows->rows);
    free(rows->of_path);
    memset(rows, 0, sizeof *rows);
}
