/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main program of mlprof: reads the options, the tables and the data files,
   evaluates them, and shows the views. */

#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/terminal.h"
#include "mlprof/commands/commands.h"
#include "mlprof/report/report.h"
#include "mlprof/names/names.h"
#include "mlprof/options/options.h"
#include "mlprof/view/where.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The exit status if counts exceed the limits of a budget. */
#define EXIT_BEYOND 3

static bool where(const struct options *options, struct tables *executable,
                  struct fault *fault)
{
    progress_end();
    if (tables_function_count(executable) == 0)
        return fault_set(fault, FAULT_UNPROFILED, tables_path(executable),
                         "nothing is known of its addresses: it was compiled neither for "
                         "time nor for call");
    if (!options->artificial)
        unprofile_artificial(&executable, 1);
    if (!unprofile(&executable, 1, &options->unprofile, &options->names, fault))
        return false;
    if (options->operand_count == 1)
        return where_stream(stdout, executable, stdin, options->names.long_name, fault);
    for (size_t i = 1; i < options->operand_count; i++) {
        uint64_t address;
        if (!where_address(options->operands[i], &address))
            return fault_set(fault, FAULT_GARBLED, options->operands[i],
                             "not a hexadecimal address");
        where_print(stdout, executable, address, options->names.long_name);
    }
    return true;
}

static bool close_output(struct fault *fault)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    return fault_set(fault, FAULT_FILE, "standard output", "%s", strerror(errno));
}

int main(int argc, char **argv)
{
    struct options options;
    struct operands operands = {0};
    struct asked asked = {0};
    struct opener opener = {0};
    struct fault fault = {0};
    /* A write beyond the limit of a file's size (ulimit -f) fails with a message. */
    signal(SIGXFSZ, SIG_IGN);
    options_parse(&options, argc, argv);
    if (options.names.form != NAMES_READABLE)
        terminal_whole();
    buf_use_large_pages();
    progress_begin();
    struct tables *executable = NULL;
    if (!options.programs && !options.live && asked_begin(&asked, &options, &fault) &&
        operands_complete(&operands, &options, &fault) &&
        opener_begin(&opener, &options, &fault))
        executable = report_executable(&options, &fault);
    bool (*show)(const struct options *, struct tables *, struct fault *) =
        options.where                         ? where
        : comparison_is_requested(&options)   ? comparison_show
        : options.gate || options.gate_update ? gates_show
                                              : report_show;
    bool good = options.live       ? live_show(&options, &fault)
                : options.programs ? programs_show(&options, &fault)
                                   : executable && show(&options, executable, &fault);
    progress_end();
    if ((good || fault.kind == FAULT_BEYOND) && !save_flush(&fault))
        good = false;
    save_forget();
    if (!good)
        fflush(stdout);
    else
        good = close_output(&fault);
    bool written = good;
    good = good && opener_show(&opener, &fault);
    opener_end(&opener, written);
    asked_end(&asked, &fault);
    int status = good                         ? EXIT_SUCCESS
                 : fault.kind == FAULT_BEYOND ? EXIT_BEYOND
                                              : EXIT_FAILURE;
    if (!good)
        fault_print(&fault);
    fault_clear(&fault);
    tables_close(executable);
    options_free(&options);
    operands_free(&operands);
    return status;
}
