/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mlprof: reads tables and data, and hands them to a view.  */

#include "mlprof/buf.h"
#include "mlprof/mlmon.h"
#include "mlprof/options.h"
#include "mlprof/report.h"
#include "mlprof/where.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the data files are added up to.  */
struct sum {
    const struct options *options;
    const struct tables *executable;
    struct profile profile;
};

static bool add_file(struct sum *sum, const char *path, struct fault *fault)
{
    struct profile profile = {0};
    bool good = mlmon_read(&profile, path, fault) &&
                program_check(sum->executable, &profile, path, fault) &&
                profile_merge(&sum->profile, &profile, path, fault);
    profile_free(&profile);
    return good;
}

static void add_file_or_die(struct sum *sum, const char *path)
{
    struct fault fault = {0};
    if (add_file(sum, path, &fault))
        return;
    if (!sum->options->tolerant)
        fault_die(&fault);
    fault_print(&fault);
    fault_clear(&fault);
}

/* Adds the files that the one at PATH lists, blanks or newlines between them.  */
static void add_list(struct sum *sum, const char *path)
{
    struct fault fault = {0};
    size_t size;
    char *rest, *text = mlmon_content(path, &size, &fault);
    if (!text)
        fault_die(&fault);
    for (char *word = strtok_r(text, " \t\r\n\v\f", &rest); word;
         word = strtok_r(NULL, " \t\r\n\v\f", &rest))
        add_file_or_die(sum, word);
    free(text);
}

static void report(const struct options *options, struct tables *executable)
{
    struct sum sum = {.options = options, .executable = executable};
    for (size_t i = 1; i < options->operand_count; i++)
        add_file_or_die(&sum, options->operands[i]);
    for (size_t i = 0; i < options->list_count; i++)
        add_list(&sum, options->lists[i]);

    struct fault fault = {0};
    struct program program;
    struct rows rows;
    struct report_style style = {.raw = options->raw,
                                 .show_line = options->show_line,
                                 .long_name = options->long_name,
                                 .thresh = options->thresh};
    if (!program_open(&program, &sum.profile, executable, &fault))
        fault_die(&fault);
    rows_evaluate(&rows, &sum.profile, &program);
    report_print(stdout, &sum.profile, &rows, &style);
    rows_free(&rows);
    program_close(&program);
    profile_free(&sum.profile);
}

static void where(const struct options *options, struct tables *executable)
{
    struct fault fault = {0};
    for (size_t i = 1; i < options->operand_count; i++) {
        uint64_t address;
        if (!where_address(options->operands[i], &address)) {
            fault_set(&fault, FAULT_GARBLED, options->operands[i],
                      "not a hexadecimal address");
            fault_die(&fault);
        }
        where_print(stdout, executable, address, options->long_name);
    }
    if (options->operand_count == 1 &&
        !where_stream(stdout, executable, STDIN_FILENO, options->long_name, &fault))
        fault_die(&fault);
}

static void close_output(void)
{
    struct fault fault = {0};
    if (fflush(stdout) == 0 && !ferror(stdout))
        return;
    fault_set(&fault, FAULT_FILE, "standard output", "%s", strerror(errno));
    fault_die(&fault);
}

int main(int argc, char **argv)
{
    struct options options;
    struct fault fault = {0};
    options_parse(&options, argc, argv);
    struct tables *executable = tables_open(options.operands[0], &fault);
    if (!executable)
        fault_die(&fault);
    if (options.where)
        where(&options, executable);
    else
        report(&options, executable);
    tables_close(executable);
    options_free(&options);
    close_output();
    return EXIT_SUCCESS;
}
