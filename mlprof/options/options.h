/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses the command line.  One table (options-table.c) says what the options are; the
   parser and -help go by it, the shells' completion reads -help, and a test compares the
   manual page with -help.  */

#ifndef MLPROF_OPTIONS_H
#define MLPROF_OPTIONS_H

#include "mlprof/base/fault.h"
#include "mlprof/base/path.h"
#include "mlprof/base/pattern.h"
#include "mlprof/compare/formula.h"
#include "mlprof/compare/runset.h"
#include "mlprof/evaluate/keep.h"
#include "mlprof/export/export.h"
#include "mlprof/names/names.h"
#include "mlprof/options/inputs.h"
#include "mlprof/profile/heapranges.h"
#include "mlprof/stacks/stacks-filter.h"
#include "mlprof/view/views.h"

#include <stdbool.h>
#include <stddef.h>

/* The words of an option that may be given several times.  Starts as all zero.  */
struct options_words {
    const char **word;
    size_t *part; /* by word: the number of divisions of the operands before it */
    size_t count, capacity, part_capacity;
};

/* How much is told below tables.  */
enum options_balance { OPTIONS_BALANCE_BRIEF, OPTIONS_BALANCE_WHOLE, OPTIONS_NO_BALANCE };

enum options_layout { OPTIONS_CCPROF, OPTIONS_MLTON };

/* A word among the operands that is about the operands behind it.  */
struct options_division {
    size_t operand; /* index of the first operand behind it */
    bool compare;   /* the operands behind it are compared with those before */
    double size;    /* otherwise: the size of the input */
};

/* Starts as all zero.  */
struct options_divisions {
    struct options_division *division;
    size_t count, capacity;
};

/* The measure that is shown or compared; all zero: the main one.  The view of the heap
   has a choice of its own.  */
struct options_measure {
    const struct measure *measure; /* NULL: the main one */
    enum view_order column; /* VIEW_STACK or VIEW_BLOCKS: that of what has the measure */
};

struct options {
    bool growth, of_share;  /* for comparisons */
    struct formula formula; /* without steps: there is none */
    struct options_measure measure;
    struct options_divisions divisions; /* of the operands */
    /* Baselines to compare with and to write; NULL: none.  */
    const char *gate, *gate_write;
    double gate_threshold; /* in percent */
    struct names_style names;
    bool programs;    /* the programs in the operands, which are folders, are listed */
    bool open;        /* the page is shown in a browser */
    bool files_alone; /* files are written, and nothing that is printed was asked for */
    bool merge_builds;
    bool assembly; /* -list is of machine code */
    bool raw, tolerant, where, show_extern, show_wrappers, gray;
    bool branch, never, skid, artificial, paths, subtract;
    struct views_request views[VIEWS_MOST]; /* by number in views_all */
    struct pattern unprofile;
    struct stacks_filter filter; /* -focus, -ignore, -hide */
    struct keep keep;
    struct patterns split;
    struct patterns named;          /* the patterns of all options that name functions */
    const char *call_graph, *flame; /* files to write; NULL: none */
    const char *graph_title;        /* NULL: the usual one */
    struct patterns libraries;
    enum rows_key by;
    struct export_files exports;
    enum { OPTIONS_GCOV_1, OPTIONS_GCOV_2 } gcov_version;
    enum options_balance balance;
    enum options_layout layout;
    enum view_order sort;
    struct source_paths sources;     /* where source files are that have moved */
    double thresh;                   /* in percent */
    double top;                      /* number of rows; 0: all; -1: as many as fit */
    struct options_words lists;      /* files that list data files */
    struct heapranges_request range; /* of time, of the heap */
    struct weights weights;          /* of data files */
    /* The words that are no options, in ARGV; operands_complete replaces them.  */
    char **operands;
    size_t operand_count;
    struct fault no_data; /* set by operands_complete: why there is no data file */
};

/* Fills OPTIONS, which options_free frees.  Bad usage ends the program with status 1,
   -help and -version with status 0.  The texts stay ARGV's, whose words are
   reordered.  */
void options_parse(struct options *options, int argc, char **argv);

void options_free(struct options *options);

/* What the command line requests of a view.  */
const struct views_request *options_request(const struct options *options,
                                            const struct views_entry *view);

/* The measure of the heap that was asked for; NULL: none was.  */
const struct measure *options_heap(const struct options *options);

/* Whether -measure asks for anything; and for MEASURE, where bytes are the heap's if
   these are shown.  */
bool options_has_measure(const struct options *options);
bool options_requests_measure(const struct options *options,
                              struct runset_measure measure);

/* The facts of all views that were asked for (enum views_facts).  */
unsigned options_facts(const struct options *options);

/* How many rows tables have, for table_cut.  */
size_t options_top(const struct options *options);

/* The workers over which the load of functions is spread.  */
enum spread_over options_load(const struct options *options);

#endif
