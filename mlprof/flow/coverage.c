/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the functions, lines and branches of all compilations, sorts them by file
   and line, and adds up equal ones. */

#include "mlprof/flow/coverage.h"
#include "mlprof/base/buf.h"
#include "mlprof/flow/gcov.h"
#include "mlprof/names/identity.h"

#include <stdlib.h>
#include <string.h>

/* The flow graphs of one compilation: one source file compiled in one folder. */
struct compilation {
    const struct flowcounts_flow **flows;
    size_t count, capacity;
};

/* A branch of a line. LINE is the index of the line before sorting. */
struct branch {
    uint32_t line, nth;
    uint64_t count;
};

struct builder {
    struct coverage *coverage;
    struct intern symbols;
    struct index functions, lines; /* keys: file, start, symbol; file, line */
    struct index index;            /* key: line and NTH; value: index in BRANCHES */
    struct branch *branches;
    size_t count, capacity;
};

static void add_function(struct builder *builder, uint32_t file,
                         const struct gcov_function *function)
{
    struct coverage *coverage = builder->coverage;
    const struct flowgraph *graph = &function->flow->flow->graph;
    bool fresh;
    uint32_t number = index_put(&builder->functions, file, graph->start.line,
                                intern_put(&builder->symbols, graph->symbol), &fresh);
    if (fresh) {
        BUF_PUSH(coverage->functions) =
            (struct coverage_function){.file = file,
                                       .start = graph->start.line,
                                       .end = graph->end_line,
                                       .symbol = graph->symbol};
    }
    coverage->functions.list[number].count +=
        flowcounts_shown(function->flow->blocks[FLOWGRAPH_ENTRY]);
}

static void add_branch(struct builder *builder, uint32_t line, uint32_t nth,
                       uint64_t count)
{
    bool fresh;
    uint32_t number = index_put(&builder->index, line, nth, 0, &fresh);
    if (fresh) {
        BUF_NEXT(builder->branches, builder->count, builder->capacity) =
            (struct branch){line, nth, 0};
    }
    builder->branches[number].count += count;
}

static void add_line(struct builder *builder, uint32_t file, const struct gcov *gcov,
                     const struct gcov_line *line)
{
    struct coverage *coverage = builder->coverage;
    bool fresh;
    uint32_t number = index_put(&builder->lines, file, line->line, 0, &fresh);
    if (fresh) {
        BUF_PUSH(coverage->lines) =
            (struct coverage_line){.file = file, .line = line->line};
    }
    coverage->lines.list[number].count += flowcounts_shown(line->count);
    for (uint32_t i = 0; i < line->branch_count; i++)
        add_branch(builder, number, i,
                   flowcounts_shown(gcov->branches.list[line->first_branch + i]));
}

static void add_compilation(struct builder *builder,
                            const struct compilation *compilation)
{
    struct gcov gcov;
    gcov_evaluate(&gcov, compilation->flows, compilation->count, GCOV_OF_FILES);
    BUF_OWN uint32_t *files = buf_alloc((gcov.files.count + 1) * sizeof *files);
    for (uint32_t i = 0; i < gcov.files.count; i++)
        files[i] = intern_put(&builder->coverage->files, intern_text(&gcov.files, i));
    for (size_t i = 0; i < gcov.function_count; i++)
        add_function(builder, files[gcov.functions[i].file], &gcov.functions[i]);
    for (size_t i = 0; i < gcov.lines.count; i++)
        add_line(builder, files[gcov.lines.list[i].file], &gcov, &gcov.lines.list[i]);
    gcov_free(&gcov);
}

/* Adds the compilations in the order of their first flows. */
static void add_compilations(struct builder *builder, const struct flowcounts *counts)
{
    struct intern texts = {0};
    struct index index = {0}; /* key: module, folder and input file */
    BUF_VECTOR(struct compilation) compilations = {0};
    for (size_t i = 0; i < counts->count; i++) {
        const struct flowcounts_flow *flow = &counts->flows[i];
        bool fresh;
        uint32_t number = index_put(&index, flow->module,
                                    intern_put(&texts, flow->flow->unit->directory),
                                    intern_put(&texts, flow->flow->graph.input), &fresh);
        if (fresh)
            BUF_PUSH(compilations) = (struct compilation){0};
        struct compilation *compilation = &compilations.list[number];
        BUF_NEXT(compilation->flows, compilation->count, compilation->capacity) = flow;
    }
    for (size_t i = 0; i < compilations.count; i++) {
        add_compilation(builder, &compilations.list[i]);
        free(compilations.list[i].flows);
    }
    free(compilations.list);
    intern_free(&texts);
    index_free(&index);
}

BUF_COMPARE(by_line_and_nth, struct branch,
            BUF_ORDER(a->line, b->line) ?: BUF_ORDER(a->nth, b->nth))

/* Sets the branches of each line. Call this before the lines are sorted. */
static void place_branches(struct builder *builder)
{
    struct coverage *coverage = builder->coverage;
    BUF_SORT(builder->branches, builder->count, by_line_and_nth);
    coverage->branches = buf_alloc((builder->count + 1) * sizeof *coverage->branches);
    coverage->branch_count = builder->count;
    for (size_t i = builder->count; i-- > 0;) {
        struct coverage_line *line = &coverage->lines.list[builder->branches[i].line];
        coverage->branches[i] = builder->branches[i].count;
        line->first_branch = i;
        line->branch_count++;
    }
}

BUF_COMPARE(by_start, struct coverage_function, BUF_ORDER(a->file, b->file) ?:
            BUF_ORDER(a->start, b->start) ?: strcmp(a->symbol, b->symbol))

BUF_COMPARE(by_line, struct coverage_line,
            BUF_ORDER(a->file, b->file) ?: BUF_ORDER(a->line, b->line))

static int by_name(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

static void order_files(struct coverage *coverage)
{
    size_t count = coverage->files.count;
    BUF_OWN const char **names = buf_alloc((count + 1) * sizeof *names);
    for (uint32_t i = 0; i < count; i++)
        names[i] = intern_text(&coverage->files, i);
    BUF_SORT(names, count, by_name);
    coverage->order = buf_alloc((count + 1) * sizeof *coverage->order);
    for (size_t i = 0; i < count; i++)
        coverage->order[i] = intern_put(&coverage->files, names[i]);
}

void coverage_find(struct coverage *coverage, const struct flowcounts *counts)
{
    struct builder builder = {.coverage = coverage};
    memset(coverage, 0, sizeof *coverage);
    add_compilations(&builder, counts);
    place_branches(&builder);
    BUF_SORT(coverage->functions.list, coverage->functions.count, by_start);
    BUF_SORT(coverage->lines.list, coverage->lines.count, by_line);
    order_files(coverage);
    free(builder.branches);
    intern_free(&builder.symbols);
    index_free(&builder.functions);
    index_free(&builder.lines);
    index_free(&builder.index);
}

void coverage_free(struct coverage *coverage)
{
    intern_free(&coverage->files);
    free(coverage->order);
    free(coverage->functions.list);
    free(coverage->lines.list);
    free(coverage->branches);
    memset(coverage, 0, sizeof *coverage);
}

struct coverage_span coverage_functions(const struct coverage *coverage, uint32_t file)
{
    const struct coverage_function *list = coverage->functions.list;
    struct coverage_span span;
    BUF_SEARCH(span.first, coverage->functions.count, i, list[i].file < file);
    BUF_SEARCH(span.end, coverage->functions.count, i, list[i].file <= file);
    return span;
}

struct coverage_span coverage_lines(const struct coverage *coverage, uint32_t file)
{
    const struct coverage_line *list = coverage->lines.list;
    struct coverage_span span;
    BUF_SEARCH(span.first, coverage->lines.count, i, list[i].file < file);
    BUF_SEARCH(span.end, coverage->lines.count, i, list[i].file <= file);
    return span;
}

struct coverage_sum coverage_sum(const struct coverage *coverage,
                                 struct coverage_span span)
{
    struct coverage_sum sum = {0};
    for (size_t i = span.first; i < span.end; i++) {
        const struct coverage_line *line = &coverage->lines.list[i];
        sum.lines++;
        sum.lines_hit += line->count != 0;
        sum.branches += line->branch_count;
        for (size_t k = 0; k < line->branch_count; k++)
            sum.branches_hit += coverage->branches[line->first_branch + k] != 0;
    }
    return sum;
}
