/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes an LCOV tracefile, which lcov, genhtml and many services read (lcov:
   geninfo(1), "FILES", of version 1.16).

   The names of functions are their symbols; genhtml --demangle-cpp makes them
   readable. */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/export/export.h"
#include "mlprof/flow/coverage.h"

#include <inttypes.h>
#include <stdlib.h>

static void print_functions(FILE *out, const struct coverage *coverage,
                            struct coverage_span span)
{
    size_t hit = 0;
    for (size_t i = span.first; i < span.end; i++) {
        const struct coverage_function *function = &coverage->functions.list[i];
        BUF_OWN char *name = text_clean(function->symbol);
        fprintf(out, "FN:%" PRIu32 ",%s\nFNDA:%" PRIu64 ",%s\n", function->start, name,
                function->count, name);
        hit += function->count != 0;
    }
    fprintf(out, "FNF:%zu\nFNH:%zu\n", span.end - span.first, hit);
}

/* Prints the branches of a line. If the line was never executed, prints `-' instead
   of counts. */
static void print_branches(FILE *out, const struct coverage *coverage,
                           const struct coverage_line *line)
{
    for (size_t i = 0; i < line->branch_count; i++) {
        fprintf(out, "BRDA:%" PRIu32 ",0,%zu,", line->line, i);
        if (line->count)
            fprintf(out, "%" PRIu64 "\n", coverage->branches[line->first_branch + i]);
        else
            fputs("-\n", out);
    }
}

static void print_file(FILE *out, const struct coverage *coverage, uint32_t file)
{
    struct coverage_span span = coverage_lines(coverage, file);
    struct coverage_sum sum = coverage_sum(coverage, span);
    char *path = text_clean(intern_text(&coverage->files, file));
    fprintf(out, "TN:\nSF:%s\n", path);
    free(path);
    print_functions(out, coverage, coverage_functions(coverage, file));
    for (size_t i = span.first; i < span.end; i++)
        print_branches(out, coverage, &coverage->lines.list[i]);
    fprintf(out, "BRF:%zu\nBRH:%zu\n", sum.branches, sum.branches_hit);
    for (size_t i = span.first; i < span.end; i++)
        fprintf(out, "DA:%" PRIu32 ",%" PRIu64 "\n", coverage->lines.list[i].line,
                coverage->lines.list[i].count);
    fprintf(out, "LF:%zu\nLH:%zu\nend_of_record\n", sum.lines, sum.lines_hit);
}

static void lcov_write(FILE *out, const struct export_input *input)
{
    struct coverage coverage;
    coverage_find(&coverage, report_flows(input->view->report));
    for (size_t i = 0; i < coverage.files.count; i++)
        print_file(out, &coverage, coverage.order[i]);
    coverage_free(&coverage);
}

const struct export_format lcov_format = {
    .name = "lcov",
    .help = "write coverage as a tracefile for lcov",
    .kind = OUTPUTS_COVERAGE,
    .needs = EXPORT_BLOCKS,
    .write = lcov_write,
};
