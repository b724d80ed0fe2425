/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses the command line.  One table (options-table.c) says what the options are; the
   parser and -help go by it, the shells' completion reads -help, and a test compares the
   manual page with -help.  */

#ifndef MLPROF_OPTIONS_H
#define MLPROF_OPTIONS_H

#include "mlprof/base/fault.h"
#include "mlprof/base/pattern.h"
#include "mlprof/base/source-paths.h"
#include "mlprof/compare/formula.h"
#include "mlprof/evaluate/keep.h"
#include "mlprof/export/export.h"
#include "mlprof/names/names.h"
#include "mlprof/stacks/stacks-filter.h"
#include "mlprof/view/views.h"

#include <stdbool.h>
#include <stddef.h>

/* The words of an option that may be given several times.  Starts as all zero.  */
struct options_words {
    const char **word;
    size_t *part; /* of each: how many divisions of the operands stand before it */
    size_t count, capacity, part_capacity;
};

enum options_layout { OPTIONS_CCPROF, OPTIONS_MLTON };

/* A word among the operands that is about those behind it.  */
struct options_division {
    size_t operand; /* the first one behind it */
    bool compare;   /* from here on they are what the others are compared with */
    double size;    /* of the input, otherwise */
};

/* Starts as all zero.  */
struct options_divisions {
    struct options_division *division;
    size_t count, capacity;
};

/* What is compared; but for the first in the order of enum side_measure.  */
enum options_measure { OPTIONS_MEASURE_MAIN, OPTIONS_MEASURE_FIRST };

struct options {
    bool growth, of_share;  /* these are of comparisons */
    struct formula formula; /* without steps: none */
    enum options_measure measure;
    struct options_divisions divisions; /* of the operands */
    const char *gate, *gate_write;      /* baselines to be read, written; NULL: none */
    double gate_threshold;              /* percent */
    struct names_style names;
    bool programs; /* the operands are folders, and what is in them is to be listed */
    bool open;     /* the page is shown */
    bool merge_builds;
    bool raw, tolerant, where, balance, show_extern, gray;
    bool branch, skid, artificial, paths, subtract;
    struct views_asked views[VIEWS_MOST]; /* by number in views_all */
    struct pattern unprofile;
    struct stacks_filter filter; /* -focus, -ignore, -hide */
    struct keep keep;
    struct patterns split;
    const char *call_graph, *flame; /* files to write; NULL: none */
    const char *graph_title;        /* NULL: the usual one */
    struct patterns libraries;
    enum rows_key by;
    struct export_files exports;
    enum { OPTIONS_GCOV_1, OPTIONS_GCOV_2 } gcov_version;
    enum options_layout layout;
    enum view_order sort;
    struct source_paths sources; /* where source files have moved */
    double thresh;               /* percent */
    double top;                  /* rows; 0: all */
    struct options_words lists;  /* files that list data files */
    char **operands;             /* the words that are no options, in ARGV; what
                                    operands_complete makes of them */
    size_t operand_count;
    struct fault no_data; /* why there is no data file, from operands_complete */
};

/* Fills OPTIONS, which options_free frees.  Bad usage ends the program with status 1,
   -help and -version with status 0.  The texts stay ARGV's, whose words are put into
   another order.  */
void options_parse(struct options *options, int argc, char **argv);

void options_free(struct options *options);

/* What is asked of a view.  */
const struct views_asked *options_asked(const struct options *options,
                                        const struct views_entry *view);

/* What is to be known of all views that are asked for (enum views_facts).  */
unsigned options_facts(const struct options *options);

/* What the load of functions is to be spread over.  */
enum spread_over options_load(const struct options *options);

#endif
