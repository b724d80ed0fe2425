/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first part subtracts the cost of measuring and computes percentiles. The second
   part adds up rows by name, copy or path. */

#include "mlprof/regions/regionrows.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/names/names.h"
#include "mlprof/program/program.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NANOSECONDS 1e9
#define NANOSECOND  1e-9
#define THOUSANDTHS 1e-3

/* KNOWN_TO: the relative uncertainty of the cost of measuring. SURE: if a time is at
   least SURE times its cost of measuring, the time is shown exactly. Otherwise an
   upper bound is shown. */
#define KNOWN_TO (1. / 3)
#define SURE     3

/* Returns the cost given in REGIONS, or 0 if SUBTRACT is false. */
static struct regiontimes_cost cost_of(const struct regions *regions, bool subtract)
{
    double tick = regions->hz ? NANOSECONDS / (double)regions->hz : 0;
    double part = subtract ? tick * THOUSANDTHS : 0;
    return (struct regiontimes_cost){.tick = tick,
                                     .inner = part * (double)regions->inner,
                                     .outer = part * (double)regions->outer};
}

/* Returns the fraction, 0 to 1, of the calls' time that is not the cost of calls
   inside. */
static double own_part(const struct regions_sums *sums,
                       const struct regiontimes_cost *cost)
{
    double time = (double)sums->total * cost->tick - (double)sums->count * cost->inner;
    double inside = (double)sums->inside * cost->outer;
    return inside <= 0 ? 1 : inside < time ? 1 - inside / time : 0;
}

double regiontimes_without(const struct regions_sums *sums,
                           const struct regiontimes_cost *cost, double ticks)
{
    return fmax(0, ticks * cost->tick - cost->inner) * own_part(sums, cost);
}

/* Returns the sum of the squared distances from the mean. TOTAL * TOTAL fits into 128
   bits, so only fractions of a tick are rounded. */
static double squares_around_mean(const struct regions_sums *sums)
{
    regions_wide all = (regions_wide)sums->total * sums->total / sums->count;
    return sums->squares > all ? (double)(sums->squares - all) : 0;
}

/* Returns the duration of a call in a bucket, given the number of calls BEFORE it in
   the bucket. The COUNT calls are assumed to be distributed evenly over the bucket. */
static double within_bucket(size_t bucket, uint64_t before, uint64_t count)
{
    double least = (double)regions_bucket_least(bucket);
    uint64_t end = regions_bucket_end(bucket);
    if (bucket < CCPROF_BUCKET_EXACT || end == 0)
        return least;
    return least + ((double)end - least) * ((double)before + 0.5) / (double)count;
}

/* Returns the time that a fraction SHARE (0 to 1) of all calls do not exceed. */
static struct regiontimes_percentile percentile_of(const struct regions_sums *sums,
                                                   const struct regiontimes_cost *cost,
                                                   double share)
{
    uint64_t rank = (uint64_t)ceil(share * (double)sums->count), before = 0;
    size_t bucket = 0;
    if (sums->count == 0)
        return (struct regiontimes_percentile){0};
    rank = rank < 1 ? 1 : rank > sums->count ? sums->count : rank;
    while (bucket + 1 < CCPROF_BUCKETS && before + sums->buckets[bucket] < rank)
        before += sums->buckets[bucket++];
    double min = (double)sums->min, max = (double)sums->max;
    double least = (double)regions_bucket_least(bucket);
    uint64_t end = regions_bucket_end(bucket);
    double most = end ? (double)(end - 1) : max;
    double value = within_bucket(bucket, rank - before - 1, sums->buckets[bucket]);
    /* After merging files with different ticks, the bounds may be wrong by one bucket. */
    least = fmin(fmax(least, min), max);
    most = fmax(fmin(most, max), min);
    value = fmin(fmax(value, min), max);
    return (struct regiontimes_percentile){
        .value = regiontimes_without(sums, cost, value),
        .least = regiontimes_without(sums, cost, least),
        .most = regiontimes_without(sums, cost, most)};
}

/* Returns the self time without the cost of measuring. The measured self time
   includes the cost of measuring the calls directly inside, except the part of this
   cost that is in the measured times of these calls. */
static double regiontimes_self(const struct regions_sums *sums,
                               const struct regiontimes_cost *cost)
{
    double unmeasured = fmax(0, cost->outer - cost->inner);
    return fmax(0, (double)sums->self * cost->tick - (double)sums->count * cost->inner -
                       (double)sums->direct * unmeasured);
}

static double mean_of(const struct regions_sums *sums,
                      const struct regiontimes_cost *cost, uint64_t total, uint64_t count)
{
    if (count == 0)
        return 0;
    return regiontimes_without(sums, cost, (double)total / (double)count);
}

static struct regiontimes regiontimes_of(const struct regions_sums *sums,
                                         const struct regiontimes_cost *cost)
{
    struct regiontimes times = {.spent = (double)sums->spent * cost->tick};
    if (sums->count == 0)
        return times;
    double count = (double)sums->count;
    if (sums->count > 1)
        times.deviation = cost->tick * own_part(sums, cost) *
                          sqrt(squares_around_mean(sums) / (count - 1));
    times.error = times.deviation / sqrt(count);
    times.self = regiontimes_self(sums, cost);
    times.mean = mean_of(sums, cost, sums->total, sums->count);
    times.first = regiontimes_without(sums, cost, (double)sums->first);
    times.min = regiontimes_without(sums, cost, (double)sums->min);
    times.max = regiontimes_without(sums, cost, (double)sums->max);
    times.p50 = percentile_of(sums, cost, 0.5);
    times.p99 = percentile_of(sums, cost, 0.99);
    times.cold = mean_of(sums, cost, sums->cold_total, sums->cold);
    times.warm =
        mean_of(sums, cost, sums->total - sums->cold_total, sums->count - sums->cold);
    if (sums->cold) {
        times.cold_min = regiontimes_without(sums, cost, (double)sums->cold_min);
        times.cold_max = regiontimes_without(sums, cost, (double)sums->cold_max);
    }
    times.cpu = (double)sums->cpu / count;
    times.cost = (double)sums->total / count * cost->tick - times.mean;
    times.measuring = cost->outer * (1 + (double)sums->inside / count);
    times.self_measuring = cost->outer * (count + (double)sums->direct);
    return times;
}

bool regiontimes_is_bound(double nanoseconds, double measuring)
{
    return nanoseconds < SURE * measuring;
}

char *regiontimes_text(double nanoseconds, double tick)
{
    if (nanoseconds >= tick)
        return text_time(nanoseconds * NANOSECOND);
    BUF_OWN char *least = text_time(tick * NANOSECOND);
    return buf_format("<%s", least);
}

char *regiontimes_sure_text(double nanoseconds, double measuring, double tick)
{
    double bound = nanoseconds + KNOWN_TO * measuring;
    if (!regiontimes_is_bound(nanoseconds, measuring) || bound < tick)
        return regiontimes_text(nanoseconds, tick);
    BUF_OWN char *most = text_time(bound * NANOSECOND);
    return buf_format("<%s", most);
}

/* The names of a region. */
struct called {
    char *name, *position, *place; /* as in struct regionrows_row */
    /* Source of a function; its name is NULL if the region is not a function. */
    struct identity_source source;
    /* Number of the function in the identity, if SOURCE has a name. */
    uint32_t identity;
    uint32_t function, copy; /* numbers in the module's tables */
    uint32_t row;            /* its row among names or copies */
};

struct build {
    struct regionrows *rows;
    const struct regionrows_request *request;
    const struct regions *regions;
    struct called *called; /* by region */
    struct identity identity;
    struct intern keys;    /* keys of the rows */
    double *totals;        /* by path: nanoseconds, after the subtraction */
    struct copies *copies; /* NULL: copies were not requested */
};

/* If a region is a function with a stopwatch, sets its function and copy. */
static void call_function(struct build *build, struct called *called,
                          const struct regions_region *region)
{
    struct frames frames = {0};
    const struct regionrows_request *request = build->request;
    if (region->module < request->program->count &&
        frames_read(&frames, request->program, region->module, region->address)) {
        const struct function_frame *frame = &frames.list[frames.count - 1];
        bool fresh;
        called->source = identity_of(frames.function->unit, frame->source);
        called->identity = identity_put(&build->identity, &called->source, &fresh);
        called->position = names_position(&called->source);
        called->function = frames.number;
        called->copy = frame->copy;
        if (build->copies)
            called->place = copies_describe(
                build->copies, &(struct stacks_copy){.module = region->module,
                                                     .function = frames.number,
                                                     .copy = frame->copy});
    }
    frames_free(&frames);
}

static void call_region(struct build *build, uint32_t number)
{
    const struct regions_region *region = &build->regions->regions.list[number];
    struct called *called = &build->called[number];
    called->name = text_clean(intern_text(&build->regions->names, region->name));
    called->row = REGIONROWS_NONE;
    if (region->module != REGIONS_NAMED)
        call_function(build, called, region);
}

/* Names the functions. If several functions have the same name and line, they are
   made unique as in the table of functions. */
static void name_functions(struct build *build)
{
    BUF_OWN struct names_unique *names =
        buf_alloc((build->regions->regions.count + 1) * sizeof *names);
    struct names_style style = *build->request->names;
    struct intern texts = {0};
    size_t count = 0;
    style.show_line = true;
    for (size_t i = 0; i < build->regions->regions.count; i++)
        if (build->called[i].source.name)
            names[count++].source = &build->called[i].source;
    names_make_unique(names, count, &texts, &style);
    count = 0;
    for (size_t i = 0; i < build->regions->regions.count; i++)
        if (build->called[i].source.name) {
            free(build->called[i].name);
            build->called[i].name = text_clean(names[count++].shown);
        }
    intern_free(&texts);
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

/* Returns the key of a region's row. Regions with equal keys form one row: a copy may
   start its stopwatch at several places, because the compiler duplicates code. The
   caller frees the key. */
static char *key_of(const struct build *build, uint32_t number)
{
    const struct regions_region *region = &build->regions->regions.list[number];
    const struct called *called = &build->called[number];
    if (region->module == REGIONS_NAMED)
        return buf_format("n %s", called->name);
    if (!called->source.name)
        return buf_format("u %s", called->name);
    if (build->request->key == REGIONROWS_COPIES)
        return buf_format("c %u %u %u", region->module, called->function, called->copy);
    return buf_format("f %u", called->identity);
}

/* Returns the row of a region. Regions with the same name share a row, unless rows
   are by copy. */
static uint32_t row_of(struct build *build, uint32_t region)
{
    struct called *called = &build->called[region];
    if (called->row != REGIONROWS_NONE)
        return called->row;
    BUF_OWN char *key = key_of(build, region);
    called->row = intern_put(&build->keys, key);
    if (called->row == build->rows->count)
        add_row(build->rows,
                (struct regionrows_row){.name = buf_copy(called->name),
                                        .position = copy_or_null(called->position),
                                        .place = copy_or_null(called->place),
                                        .region = region,
                                        .parent = REGIONROWS_NONE});
    return called->row;
}

/* Returns the row of a path. Paths whose regions have the same names share a row. */
static uint32_t path_row(struct build *build, size_t path)
{
    const struct regions_path *region_path = &build->regions->paths.list[path];
    struct called *called = &build->called[region_path->region];
    bool inside = region_path->parent != REGIONS_NO_PATH;
    uint32_t parent =
        inside ? build->rows->of_path[region_path->parent] : REGIONROWS_NONE;
    char *region_key = key_of(build, region_path->region),
         *key = buf_format("%" PRIu32 " %s", parent, region_key);
    uint32_t row = intern_put(&build->keys, key);
    free(region_key);
    free(key);
    if (row < build->rows->count)
        return row;
    char *name = inside ? buf_format("%s" REGIONROWS_INSIDE "%s",
                                     build->rows->rows[parent].name, called->name)
                        : buf_copy(called->name);
    return add_row(build->rows,
                   (struct regionrows_row){.name = name,
                                           .position = copy_or_null(called->position),
                                           .region = region_path->region,
                                           .parent = parent});
}

/* Returns whether a region further out in the path has the same row. If so, the time
   of the outer region already includes the time of this path. */
static bool is_counted(const struct build *build, const struct regions_path *path,
                       uint32_t row)
{
    for (uint32_t ancestor = path->parent; ancestor != REGIONS_NO_PATH;
         ancestor = build->regions->paths.list[ancestor].parent)
        if (build->rows->of_path[ancestor] == row)
            return true;
    return false;
}

/* Returns the time, in nanoseconds, of the calls of a path that were not inside
   another call of the path. If some calls were nested, the data does not show which
   inner calls belong to which call. In this case, the result is the self time of
   these calls plus INSIDE, the time of the inner calls. */
static double total_of(const struct build *build, size_t path, double inside)
{
    const struct regiontimes_cost *cost = &build->rows->cost;
    const struct regions_sums *sums = &build->regions->paths.list[path].sums;
    double whole = (double)(sums->total - sums->nested) * cost->tick;
    if (sums->nested)
        return fmin(whole, regiontimes_self(sums, cost) + inside);
    return fmax(0, whole - (double)sums->count * cost->inner -
                       (double)sums->inside * cost->outer);
}

/* Sets the totals of all paths. Parents come before their children. */
static void find_totals(struct build *build)
{
    BUF_OWN double *inside =
        buf_alloc((build->regions->paths.count + 1) * sizeof *inside);
    for (size_t i = build->regions->paths.count; i-- > 0;) {
        const struct regions_path *path = &build->regions->paths.list[i];
        build->totals[i] = total_of(build, i, inside[i]);
        if (path->parent != REGIONS_NO_PATH)
            inside[path->parent] += build->totals[i];
    }
}

static void add_path(struct build *build, size_t number)
{
    const struct regions_path *path = &build->regions->paths.list[number];
    bool by_path = build->request->key == REGIONROWS_PATHS;
    uint32_t row_number = by_path ? path_row(build, number) : row_of(build, path->region);
    struct regionrows_row *row = &build->rows->rows[row_number];
    build->rows->of_path[number] = row_number;
    /* Cannot overflow, because the sum of all paths fits. */
    regions_sums_add(&row->sums, &path->sums);
    if (by_path || !is_counted(build, path, row_number))
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

/* Sorts the rows and renumbers them. */
static void sort(struct build *build)
{
    struct regionrows *rows = build->rows;
    BUF_OWN struct regionrows_row **order = buf_alloc((rows->count + 1) * sizeof *order);
    struct regionrows_row *sorted = buf_alloc((rows->count + 1) * sizeof *sorted);
    BUF_OWN uint32_t *number = buf_alloc((rows->count + 1) * sizeof *number);
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
    for (size_t i = 0; i < build->regions->paths.count; i++)
        rows->of_path[i] = number[rows->of_path[i]];
    free(rows->rows);
    rows->rows = sorted;
    rows->capacity = rows->count + 1;
}

/* Computes the values of each row. */
static void finish(struct build *build)
{
    struct regionrows *rows = build->rows;
    rows->has_cpu = rows->count > 0;
    for (size_t i = 0; i < rows->count; i++) {
        struct regionrows_row *row = &rows->rows[i];
        row->times = regiontimes_of(&row->sums, &rows->cost);
        /* The amount subtracted from calls inside may exceed their time. */
        row->times.self = fmin(row->times.self, row->total);
        rows->all += row->times.self;
        rows->has_cpu &= row->sums.has_cpu;
        rows->measuring += (double)row->sums.count * rows->measured.outer;
    }
    sort(build);
}

void regionrows_fill(struct regionrows *rows, const struct regionrows_request *request)
{
    const struct regions *regions = &request->profile->regions;
    *rows = (struct regionrows){.cost = cost_of(regions, request->subtract),
                                .measured = cost_of(regions, true),
                                .subtracted = request->subtract};
    rows->of_path = buf_alloc((regions->paths.count + 1) * sizeof *rows->of_path);
    struct build build = {
        .rows = rows,
        .request = request,
        .regions = regions,
        .called = buf_alloc((regions->regions.count + 1) * sizeof *build.called),
        .totals = buf_alloc((regions->paths.count + 1) * sizeof *build.totals),
        .copies = request->key == REGIONROWS_COPIES
                      ? copies_new(request->program, request->rows, request->names)
                      : NULL};
    for (uint32_t i = 0; i < regions->regions.count; i++)
        call_region(&build, i);
    name_functions(&build);
    find_totals(&build);
    for (size_t i = 0; i < regions->paths.count; i++)
        add_path(&build, i);
    finish(&build);
    for (size_t i = 0; i < regions->regions.count; i++) {
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
