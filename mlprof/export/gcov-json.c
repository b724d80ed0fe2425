/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the intermediate format of gcov, the file that gcov --json-format -b writes,
   in version 1 (GCC 9 to 13) or 2 (GCC 14 and later; GCC: gcov.cc, doc/gcov.texi).
   Each compilation has the files of its functions. The calls and conditions of
   version 2 are omitted. */

#include "mlprof/base/buf.h"
#include "mlprof/names/readable.h"
#include "mlprof/base/encoding.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/export/export.h"
#include "mlprof/flow/coverage.h"
#include "mlprof/flow/gcov.h"

#include <inttypes.h>
#include <stdlib.h>

static void print_field(FILE *out, const char *name, const char *text)
{
    fprintf(out, "\"%s\": ", name);
    json_print(out, text);
}

static const char *word(bool value)
{
    return value ? "true" : "false";
}

static const struct flowgraph *graph_of(const struct gcov_function *function)
{
    return &function->flow->flow->graph;
}

static void print_function(FILE *out, const struct gcov_function *function)
{
    const struct flowgraph *graph = graph_of(function);
    putc('{', out);
    print_field(out, "name", graph->symbol);
    fputs(", ", out);
    char *full = demangle(graph->symbol);
    print_field(out, "demangled_name", full ? full : graph->symbol);
    free(full);
    fprintf(out,
            ", \"start_line\": %" PRIu32 ", \"start_column\": %" PRIu32
            ", \"end_line\": %" PRIu32 ", \"end_column\": %" PRIu32
            ", \"blocks\": %zu, \"blocks_executed\": %" PRIu32
            ", \"execution_count\": %" PRId64 "}",
            graph->start.line, graph->start.column, graph->end_line, graph->end_column,
            graph->blocks.count - 2, function->blocks_executed,
            function->flow->blocks[FLOWGRAPH_ENTRY]);
}

static void print_branches(FILE *out, const struct gcov *gcov,
                           const struct gcov_line *line, unsigned version)
{
    for (size_t i = 0; i < line->branch_count; i++) {
        const struct gcov_branch *branch = &gcov->branches.list[line->first_branch + i];
        fprintf(out, "%s{\"count\": %" PRId64 ", \"throw\": %s, \"fallthrough\": %s",
                i ? ", " : "", branch->count, word(branch->is_throw),
                word(branch->is_fallthrough));
        if (version > 1)
            fprintf(out,
                    ", \"source_block_id\": %" PRIu32
                    ", \"destination_block_id\": %" PRIu32,
                    branch->from, branch->to);
        putc('}', out);
    }
}

/* Prints a line of FUNCTION, or of the file if FUNCTION is NULL. */
static void print_line(FILE *out, const struct gcov *gcov, const struct gcov_line *line,
                       const struct gcov_function *function, unsigned version)
{
    fprintf(out, "{\"line_number\": %" PRIu32 ", ", line->line);
    if (function) {
        print_field(out, "function_name", graph_of(function)->symbol);
        fputs(", ", out);
    }
    fprintf(out, "\"count\": %" PRId64 ", \"unexecuted_block\": %s, \"branches\": [",
            line->count, word(line->unexecuted_block));
    print_branches(out, gcov, line, version);
    if (version > 1)
        fputs("], \"block_ids\": [", out);
    for (size_t i = 0; version > 1 && i < line->block_count; i++)
        fprintf(out, "%s%" PRIu32, i ? ", " : "",
                gcov->blocks.list[line->first_block + i]);
    fputs("]}", out);
}

/* The state while the lines of a file are printed in order. */
struct walk {
    FILE *out;
    const struct gcov *gcov;
    unsigned version;
    uint32_t file;
    size_t function_line, line; /* next line of a function, next line of the file */
    size_t function;            /* next function to start */
    const struct gcov_function **open; /* functions that have started but not ended */
    size_t depth;
    bool any; /* a line was printed */
};

static void put_line(struct walk *walk, const struct gcov_line *line,
                     const struct gcov_function *function)
{
    if (walk->any)
        fputs(", ", walk->out);
    walk->any = true;
    print_line(walk->out, walk->gcov, line, function, walk->version);
}

static bool has_line(const struct walk *walk, size_t number)
{
    return number < walk->gcov->lines.count &&
           walk->gcov->lines.list[number].file == walk->file;
}

static bool has_function(const struct walk *walk)
{
    return walk->function < walk->gcov->function_count &&
           walk->gcov->functions[walk->function].file == walk->file;
}

static const struct flowgraph *next_function(const struct walk *walk)
{
    return graph_of(&walk->gcov->functions[walk->function]);
}

/* Returns the next line after LINE with an event: the line has counts, a function
   starts on it, or the innermost open function ends on it. */
static uint32_t next_line(const struct walk *walk, uint32_t line)
{
    uint32_t next = UINT32_MAX;
    if (has_line(walk, walk->line))
        next = walk->gcov->lines.list[walk->line].line;
    if (has_function(walk) && next_function(walk)->start.line < next)
        next = next_function(walk)->start.line;
    if (walk->depth) {
        uint32_t end = graph_of(walk->open[walk->depth - 1])->end_line;
        if (end > line && end < next)
            next = end;
    }
    return next;
}

static void begin_function(struct walk *walk)
{
    const struct gcov *gcov = walk->gcov;
    uint32_t number = (uint32_t)walk->function++;
    const struct gcov_function *function = &gcov->functions[number];
    if (!function->alone)
        walk->open[walk->depth++] = function;
    while (has_line(walk, walk->function_line) &&
           gcov->lines.list[walk->function_line].function == number)
        put_line(walk, &gcov->lines.list[walk->function_line++], function);
}

/* Prints all lines. A line of the file is assigned to the innermost function around
   it. */
static void print_lines(struct walk *walk)
{
    const struct gcov *gcov = walk->gcov;
    uint32_t line = 0;
    while (has_line(walk, walk->line) || has_function(walk)) {
        line = next_line(walk, line);
        while (has_function(walk) && next_function(walk)->start.line <= line)
            begin_function(walk);
        const struct gcov_function *top =
            walk->depth ? walk->open[walk->depth - 1] : NULL;
        if (has_line(walk, walk->line) && gcov->lines.list[walk->line].line == line)
            put_line(walk, &gcov->lines.list[walk->line++], top);
        if (top && graph_of(top)->end_line == line)
            walk->depth--;
    }
}

/* Prints the current file of WALK, and moves WALK to the next file. */
static void print_file(struct walk *walk, const char *name)
{
    const struct gcov *gcov = walk->gcov;
    FILE *out = walk->out;
    putc('{', out);
    print_field(out, "file", name);
    fputs(", \"functions\": [", out);
    size_t first = walk->function;
    for (; has_function(walk); walk->function++) {
        fputs(walk->function > first ? ",\n" : "\n", out);
        print_function(out, &gcov->functions[walk->function]);
    }
    walk->function = first;
    fputs("],\n\"lines\": [", out);
    walk->depth = 0;
    walk->any = false;
    walk->function_line = walk->line;
    while (has_line(walk, walk->line) &&
           gcov->lines.list[walk->line].function != GCOV_NONE)
        walk->line++;
    print_lines(walk);
    fputs("]}", out);
}

static void print_compilation(FILE *out, const struct compilations_one *one,
                              const char *here, unsigned version, bool *any)
{
    struct gcov gcov;
    gcov_evaluate(&gcov, one->flows, one->count, GCOV_OF_FILES);
    struct walk walk = {.out = out, .gcov = &gcov, .version = version};
    walk.open = buf_alloc((gcov.function_count + 1) * sizeof *walk.open);
    for (; walk.file < gcov.files.count; walk.file++) {
        const char *name = sourcefile_name_in(here, intern_text(&gcov.files, walk.file));
        fputs(*any ? ",\n" : "\n", out);
        *any = true;
        print_file(&walk, name);
    }
    free(walk.open);
    gcov_free(&gcov);
}

static void gcov_json_write(FILE *out, const struct export_input *input)
{
    struct compilations compilations;
    bool any = false;
    compilations_find(&compilations, report_flows(input->view->report));
    const char *here = compilations.count ? compilations.list[0].directory : "";
    fprintf(out, "{\"format_version\": \"%u\", ", input->gcov_version);
    print_field(out, "gcc_version", input->maker);
    fputs(",\n", out);
    print_field(out, "current_working_directory", here);
    fputs(", ", out);
    print_field(out, "data_file", input->program);
    fputs(",\n\"files\": [", out);
    for (size_t i = 0; i < compilations.count; i++)
        print_compilation(out, &compilations.list[i], here, input->gcov_version, &any);
    fputs("]}\n", out);
    compilations_free(&compilations);
}

const struct export_format gcov_json_format = {
    .name = "gcov",
    .help = "write line executions as gcov's JSON",
    .kind = OUTPUTS_GCOV,
    .needs = EXPORT_BLOCKS,
    .write = gcov_json_write,
};
