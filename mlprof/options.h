/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses the command line.  One table says what the options are; the parser and -help go
   by it, and the tests compare the manual page and the shell's completion with -help.
 */

#ifndef MLPROF_OPTIONS_H
#define MLPROF_OPTIONS_H

#include "mlprof/base/pattern.h"
#include "mlprof/evaluate/names.h"
#include "mlprof/export/export.h"
#include "mlprof/view/allocview.h"

#include <stdbool.h>
#include <stddef.h>

struct options {
    struct names_style names;
    bool raw, tolerant, where, balance, show_extern, gray, by_stack;
    bool branch, prof, skid, artificial;
    struct pattern arcs, callers, callees, list, unprofile;
    const char *call_graph, *flame; /* files to write; NULL: none */
    const char *graph_title;        /* NULL: the usual one */
    enum allocview_by allocs;
    struct export_files exports;
    double thresh;      /* percent */
    const char **lists; /* files that list data files */
    size_t list_count, list_capacity;
    char **operands; /* the words behind the options */
    size_t operand_count;
};

/* Fills OPTIONS, which options_free frees.  Bad usage ends the program with status 1,
   -help and -version with status 0.  The texts stay ARGV's.  */
void options_parse(struct options *options, int argc, char **argv);

void options_free(struct options *options);

#endif
