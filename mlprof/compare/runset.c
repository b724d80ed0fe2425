/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the values by run and function, a column for each measure, and computes the
   mean, the share and the interval of a function over all runs. */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mlprof/compare/runset.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/base/text.h"
#include "mlprof/view/view.h"

static char *copy_or_null(const char *text)
{
    return text ? buf_copy(text) : NULL;
}

uint32_t runset_put(struct runset *side, const struct identity_source *source,
                    const char *shown)
{
    bool fresh, has_symbol = source->symbol && *source->symbol;
    uint32_t number = identity_put(&side->identity, source, &fresh);
    if (!fresh)
        return number;
    BUF_PUSH(side->functions) = (struct runset_function){
        .key = buf_copy(has_symbol ? source->symbol : source->name),
        .file = copy_or_null(sourcefile_name(source->file)),
        .path = source->file ? intern_keep(&side->identity.texts, buf_copy(source->file))
                             : NULL,
        .shown = buf_copy(shown ? shown : source->name),
        .line = source->line,
        .column = source->column,
    };
    return number;
}

/* Returns the number of a site or path. Adds it if it is missing. */
static uint32_t put_site(struct runset *side, const struct rows_row *row)
{
    const char *symbol = row->source.symbol ? row->source.symbol : "";
    const char *type = row->type ? row->type : "",
               *called = row->called ? row->called : "";
    BUF_OWN char *key =
        buf_format("%s\n%s\n%s", *symbol ? symbol : row->shown, type, called);
    BUF_OWN char *where =
        buf_format("%s:%" PRIu32, row->source.file ? row->source.file : "",
                   row->source.line - row->start);
    BUF_OWN char *name = buf_format("%s\n%s", key, where);
    const struct identity_source source = {.name = name, .file = row->source.file};
    size_t count = side->functions.count;
    uint32_t number = runset_put(side, &source, row->shown);
    struct runset_function *function = &side->functions.list[number];
    if (side->functions.count == count)
        return number;
    free(function->key);
    function->key = buf_copy(key);
    function->path = intern_keep(&side->identity.texts, buf_copy(where));
    function->line = row->source.line;
    function->column = row->source.column;
    function->place = view_place_whole(row);
    return number;
}

char *runset_lock_name(const char *name)
{
    const char *rest = strncmp(name, "lock 0x", 7) == 0 ? strchr(name + 7, ' ') : NULL;
    return rest ? buf_format("lock%s", rest) : buf_copy(name);
}

uint32_t runset_put_place(struct runset *side, const struct rows_row *row)
{
    if (row->place && rows_keys[side->key].memory)
        return put_site(side, row);
    BUF_OWN char *place = row->place ? text_plain(row->place) : NULL;
    BUF_OWN char *lock = side->key == ROWS_LOCKS ? runset_lock_name(row->shown) : NULL;
    const struct identity_source source = {.name = place        ? place
                                                   : lock       ? lock
                                                   : row->shown ? row->shown
                                                                : row->source.name,
                                           .file = row->source.file};
    uint32_t number = runset_put(side, &source, lock ? lock : row->shown);
    struct runset_function *function = &side->functions.list[number];
    if (side->key == ROWS_FILES && !function->path && *function->key != '<') {
        function->path = intern_keep(&side->identity.texts, function->key);
        function->key = buf_copy(path_last(function->path));
    }
    if (place && !function->place) {
        function->place = buf_copy(row->place);
        function->within = copy_or_null(row->source.name);
        function->start = row->start;
        function->range = row->range;
        function->line = row->source.line;
        function->column = row->source.column;
    }
    return number;
}

/* A function and its number. */
struct ordered {
    const struct runset_function *function;
    uint32_t number;
};

BUF_COMPARE(by_line, struct ordered,
            BUF_ORDER(a->function->line, b->function->line)
                    ?: BUF_ORDER(a->function->column, b->function->column)
                    ?: strcmp(a->function->path ? a->function->path : "",
                              b->function->path ? b->function->path : "")
                    ?: BUF_ORDER(a->number, b->number))

uint32_t *runset_by_line(const struct runset *side)
{
    size_t count = side->functions.count;
    BUF_OWN struct ordered *list = buf_alloc((count + 1) * sizeof *list);
    uint32_t *order = buf_alloc((count + 1) * sizeof *order);
    for (size_t i = 0; i < count; i++)
        list[i] = (struct ordered){&side->functions.list[i], (uint32_t)i};
    BUF_SORT(list, count, by_line);
    for (size_t i = 0; i < count; i++)
        order[i] = list[i].number;
    return order;
}

double runset_sampled_seconds(const struct runset_run *run)
{
    return run->rate ? (double)run->samples / (double)run->rate : 0;
}

const struct runset_column *runset_column(const struct runset_run *run,
                                          struct runset_measure measure)
{
    for (size_t i = 0; i < run->column_count; i++)
        if (runset_is_same(run->columns[i].measure, measure))
            return &run->columns[i];
    return NULL;
}

uint64_t runset_total(const struct runset_run *run, struct runset_measure measure)
{
    const struct runset_column *column = runset_column(run, measure);
    return column ? column->total : 0;
}

uint64_t runset_value(const struct runset_run *run, uint32_t function,
                      struct runset_measure measure)
{
    const struct runset_column *column =
        function < run->count ? runset_column(run, measure) : NULL;
    return column ? column->values[function] : 0;
}

bool runset_has(const struct runset *side, struct runset_measure measure)
{
    for (size_t i = 0; i < side->runs.count; i++)
        if (!runset_column(&side->runs.list[i], measure))
            return false;
    return side->runs.count > 0;
}

double runset_share(const struct runset *side, uint32_t function,
                    struct runset_measure measure)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < side->runs.count; i++) {
        sum += (double)runset_value(&side->runs.list[i], function, measure);
        total += (double)runset_total(&side->runs.list[i], measure);
    }
    return total > 0 ? sum / total : 0;
}

bool runset_is_estimated(const struct runset *side)
{
    const struct measure *main = side->runs.count > 1 ? side->runs.list[0].main : NULL;
    if (main && main->kinds == MEASURE_KIND_WAIT)
        return false;
    for (size_t i = 0; i < side->runs.count; i++)
        for (size_t c = 0; c < side->runs.list[i].column_count; c++)
            if (side->runs.list[i].columns[c].intervals)
                return true;
    return false;
}

/* Returns the mean over all runs of a function or, if ALL, of the total, with its
   interval. Runs are independent, so the squares of their distances to the interval's
   ends are added. */
static struct statistics_estimated estimate(const struct runset *side, uint32_t function,
                                            struct runset_measure measure, bool all)
{
    double value = 0, below = 0, above = 0, count = (double)side->runs.count;
    for (size_t i = 0; i < side->runs.count; i++) {
        const struct runset_run *run = &side->runs.list[i];
        const struct runset_column *column = runset_column(run, measure);
        double run_value =
            (double)(all ? column->total : runset_value(run, function, measure));
        value += run_value;
        if (!column || !column->intervals)
            continue;
        const struct statistics_interval *interval = all ? &column->all
                                                     : function < run->count
                                                         ? &column->intervals[function]
                                                         : &column->none;
        below += (run_value - interval->least) * (run_value - interval->least);
        above += (interval->most - run_value) * (interval->most - run_value);
    }
    value /= count;
    return (struct statistics_estimated){
        value, {value - sqrt(below) / count, value + sqrt(above) / count}};
}

struct statistics_estimated runset_estimate(const struct runset *side, uint32_t function,
                                            struct runset_measure measure)
{
    return estimate(side, function, measure, false);
}

struct statistics_estimated runset_estimate_all(const struct runset *side,
                                                struct runset_measure measure)
{
    return estimate(side, 0, measure, true);
}

bool runset_is_of_functions(const struct runset *side)
{
    return side->key == ROWS_FUNCTIONS;
}

bool runset_has_all(const struct runset *side)
{
    return runset_is_of_functions(side) ||
           (rows_keys[side->key].memory && !measure_is_of_heap(side->runs.list[0].main));
}

const char *runset_measure_name(struct runset_measure measure)
{
    return measure.base->kinds == MEASURE_KIND_WAIT ? measure.base->word
           : measure.part == RUNSET_STACK           ? "stack"
           : measure.part == RUNSET_BLOCKS          ? "blocks"
           : measure.base->memory                   ? measure.base->heading
                                                    : measure.base->word;
}

const char *runset_noun(const struct runset *side)
{
    return rows_keys[side->key].noun;
}

char *runset_unit(const struct runset *side, struct runset_measure measure)
{
    bool places = side->key == ROWS_LINES || side->key == ROWS_EXPRESSIONS;
    if (measure.base->kinds == MEASURE_KIND_WAIT)
        return buf_copy("seconds of waiting");
    if (measure.part == RUNSET_STACK)
        return buf_format("%s on the stack", measure.base->heading);
    return buf_copy(measure.part == RUNSET_BLOCKS ? "blocks"
                    : measure.base->kinds & CCPROF_KIND_COUNT && places
                        ? "executions"
                        : measure.base->heading);
}

void runset_free(struct runset *side)
{
    for (size_t i = 0; i < side->functions.count; i++) {
        free(side->functions.list[i].key);
        free(side->functions.list[i].file);
        free(side->functions.list[i].place);
        free(side->functions.list[i].module);
        free(side->functions.list[i].within);
        free(side->functions.list[i].shown);
    }
    for (size_t i = 0; i < side->runs.count; i++) {
        for (size_t c = 0; c < side->runs.list[i].column_count; c++) {
            free(side->runs.list[i].columns[c].values);
            free(side->runs.list[i].columns[c].intervals);
        }
        free(side->runs.list[i].columns);
    }
    free(side->functions.list);
    free(side->runs.list);
    identity_free(&side->identity);
    linecounts_free(&side->points);
    memset(side, 0, sizeof *side);
}
