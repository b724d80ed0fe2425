/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the counts of lines and of outcomes of branches from flow graphs
   (runset.h). */

#include <stdlib.h>
#include <string.h>

#include "mlprof/base/buf.h"
#include "mlprof/compare/runset.h"
#include "mlprof/flow/executions.h"

/* A point of one flow graph. Later the points of all flow graphs of a function are
   added. */
struct found {
    uint32_t function;
    char *outcome; /* NULL: a line */
    uint32_t file, line, column;
    uint32_t nth; /* index among outcomes with the same name and position */
    uint64_t count;
};

struct finder {
    struct linecounts *points;
    struct found *found;
    size_t count, capacity;
};

static uint32_t file_number(struct finder *finder, const char *file)
{
    return intern_put(&finder->points->files, file ? file : "");
}

static void find_lines(struct finder *finder, const struct flowcounts *flows,
                       const uint32_t *numbers)
{
    struct executions executions;
    executions_find(&executions, flows, EXECUTIONS_OF_LINES);
    for (size_t i = 0; i < executions.count; i++) {
        const struct executions_point *point = &executions.points[i];
        BUF_NEXT(finder->found, finder->count, finder->capacity) =
            (struct found){.function = numbers[point->flow->row],
                           .file = file_number(finder, point->file),
                           .line = point->line,
                           .count = point->count};
    }
    executions_free(&executions);
}

/* Returns the number of earlier outcomes in the same flow graph that have the name and
   the position of FOUND. The points of the flow graph start at FIRST. */
static uint32_t alike_before(const struct finder *finder, size_t first,
                             const struct found *found)
{
    uint32_t alike = 0;
    for (size_t i = first; i < finder->count; i++) {
        const struct found *other = &finder->found[i];
        alike += other->line == found->line && other->column == found->column &&
                 other->file == found->file &&
                 strcmp(other->outcome, found->outcome) == 0;
    }
    return alike;
}

static void find_outcomes(struct finder *finder, const struct flowcounts_flow *flow,
                          uint32_t function)
{
    const struct flowgraph *graph = &flow->flow->graph;
    size_t first = finder->count;
    for (size_t i = 0; i < graph->edges.count; i++) {
        const struct flowgraph_edge *edge = &graph->edges.list[i];
        const struct flowgraph_position *position =
            &graph->blocks.list[edge->from].branch_position;
        char *outcome = branch_label(graph, edge);
        if (!outcome)
            continue;
        struct found found = {.function = function,
                              .outcome = outcome,
                              .file = file_number(finder, position->file),
                              .line = position->line,
                              .column = position->column,
                              .count = flowcounts_shown(flow->edges[i])};
        found.nth = alike_before(finder, first, &found);
        BUF_NEXT(finder->found, finder->count, finder->capacity) = found;
    }
}

int linecounts_by_outcome(const char *one, const char *other)
{
    return one && other ? strcmp(one, other) : (one != NULL) - (other != NULL);
}

BUF_COMPARE(by_list, struct found,
            BUF_ORDER(a->function, b->function)
                ?: linecounts_by_outcome(a->outcome, b->outcome))

BUF_COMPARE(by_place, struct found,
            by_list(a, b)
                    ?: BUF_ORDER(a->file, b->file)
                    ?: BUF_ORDER(a->line, b->line)
                    ?: BUF_ORDER(a->column, b->column)
                    ?: BUF_ORDER(a->nth, b->nth))

/* Makes lists of the points. If a function was compiled several times, its points are
   added. */
static void put_found(struct finder *finder)
{
    struct linecounts_list *list = NULL;
    BUF_SORT(finder->found, finder->count, by_place);
    for (size_t i = 0; i < finder->count; i++) {
        const struct found *found = &finder->found[i], *before = i ? found - 1 : NULL;
        if (before && by_place(before, found) == 0) {
            list->points[list->count - 1].count += found->count;
            continue;
        }
        if (!before || by_list(before, found) != 0)
            list = linecounts_add_list(finder->points, found->function,
                                       found->outcome ? buf_copy(found->outcome) : NULL);
        linecounts_add_point(
            list, &(struct linecounts_point){found->count, found->file, found->line});
    }
}

void linecounts_find(struct linecounts *points, const struct report *report,
                     const uint32_t *numbers)
{
    const struct flowcounts *flows = report_flows(report);
    struct finder finder = {.points = points};
    points->measured = flows->count > 0;
    find_lines(&finder, flows, numbers);
    for (size_t i = 0; i < flows->count; i++)
        if (flows->flows[i].row != FLOWCOUNTS_NO_ROW)
            find_outcomes(&finder, &flows->flows[i], numbers[flows->flows[i].row]);
    put_found(&finder);
    for (size_t i = 0; i < finder.count; i++)
        free(finder.found[i].outcome);
    free(finder.found);
}

struct linecounts_list *linecounts_add_list(struct linecounts *points, uint32_t function,
                                            char *outcome)
{
    struct linecounts_list *list =
        &BUF_NEXT(points->lists, points->count, points->capacity);
    *list = (struct linecounts_list){.function = function, .outcome = outcome};
    return list;
}

void linecounts_add_point(struct linecounts_list *list,
                          const struct linecounts_point *point)
{
    BUF_NEXT(list->points, list->count, list->capacity) = *point;
}

int linecounts_order(const struct linecounts_list *one,
                     const struct linecounts_list *other)
{
    return BUF_ORDER(one->function, other->function)
               ?: linecounts_by_outcome(one->outcome, other->outcome);
}

struct linecounts_span linecounts_of(const struct linecounts *points, uint32_t function)
{
    size_t first, end;
    BUF_SEARCH(first, points->count, i, points->lists[i].function < function);
    BUF_SEARCH(end, points->count, i, points->lists[i].function <= function);
    return (struct linecounts_span){BUF_FROM(points->lists, first), end - first};
}

uint64_t linecounts_sum(const struct linecounts_list *list)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < list->count; i++)
        if (__builtin_add_overflow(sum, list->points[i].count, &sum))
            return UINT64_MAX;
    return sum;
}

void linecounts_free(struct linecounts *points)
{
    for (size_t i = 0; i < points->count; i++) {
        free(points->lists[i].outcome);
        free(points->lists[i].points);
    }
    free(points->lists);
    intern_free(&points->files);
    memset(points, 0, sizeof *points);
}
