/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses the command line. The table in options-table.c describes all options. The
   parser and -help use this table, the shell completions read -help, and a test
   compares the manual page with -help. main.c calls options_parse; the other rooms
   only read struct options. */

#ifndef MLPROF_OPTIONS_H
#define MLPROF_OPTIONS_H

#include "mlprof/base/fault.h"
#include "mlprof/base/path.h"
#include "mlprof/base/pattern.h"
#include "mlprof/compare/formula.h"
#include "mlprof/compare/runset.h"
#include "mlprof/report/keep.h"
#include "mlprof/export/export.h"
#include "mlprof/names/names.h"
#include "mlprof/options/inputs.h"
#include "mlprof/profile/heapranges.h"
#include "mlprof/stacks/stacks-filter.h"
#include "mlprof/view/views.h"

#include <stdbool.h>
#include <stddef.h>

/* The arguments of an option that can be given several times. All zero at first. */
struct options_words {
    const char **word;
    size_t *part; /* for each word: number of divisions before it */
    size_t count, capacity, part_capacity;
};

/* How much information is printed below tables. */
enum options_balance { OPTIONS_BALANCE_BRIEF, OPTIONS_BALANCE_WHOLE, OPTIONS_NO_BALANCE };

enum options_layout { OPTIONS_CCPROF, OPTIONS_MLTON };

/* Whether functions outside of profiled code are shown. Usually all measures show
   them except the heap's: memory belongs to the profiled function that requested it. */
enum options_extern { OPTIONS_EXTERN_USUAL, OPTIONS_NO_EXTERN, OPTIONS_EXTERN };

/* An option between the operands that applies to the operands after it. */
struct options_division {
    size_t operand; /* index of the first operand after it */
    bool compare;   /* -compare: compare the operands after it with those before */
    double size;    /* -size: input size */
};

/* All zero at first. */
struct options_divisions {
    struct options_division *division;
    size_t count, capacity;
};

/* The measure that is shown or compared (-measure). All zero: the main measure. -heap
   has its own argument. */
struct options_measure {
    const struct measure *measure; /* NULL: the main measure */
    unsigned beside;        /* other measures of instructions, as bits (report.h) */
    enum view_order column; /* VIEW_STACK: its total; VIEW_BLOCKS: its blocks */
};

struct options {
    bool growth, of_share;  /* for comparisons */
    struct formula formula; /* no steps: not given */
    struct options_measure measure;
    struct options_divisions divisions; /* divide the operands */
    /* The budget to check (-gate) or to update (-gate-update), or NULL. */
    const char *gate, *gate_update;
    bool gate_exact;
    double gate_threshold;  /* in percent */
    const char *gate_junit; /* output file, or NULL */
    bool gate_github;
    struct names_style names;
    bool programs;    /* list the programs of the operands, which are folders */
    bool open;        /* open the page in a browser */
    bool files_alone; /* only files are requested, no printed output */
    bool merge_builds;
    bool assembly; /* -list shows machine code */
    bool raw, tolerant, where, show_wrappers, gray;
    bool branch, never, idle, skid, artificial, paths, subtract;
    struct views_request views[VIEWS_MOST]; /* indexed as views_all */
    struct pattern unprofile;
    struct stacks_filter filter; /* -focus, -ignore, -hide */
    struct keep keep;
    struct patterns split;
    struct patterns named;          /* patterns of all options that select functions */
    const char *call_graph, *flame; /* output files, or NULL */
    const char *callgraph_title;    /* NULL: the default title */
    struct patterns libraries;
    enum rows_key rows_key;
    struct export_files exports;
    enum options_balance balance;
    enum options_layout layout;
    enum options_extern show_extern;
    enum view_order sort;
    struct source_paths sources; /* locations of moved source files */
    double thresh;               /* in percent */
    double top; /* number of rows; 0: all; -1: as many as fit on the terminal */
    struct options_words lists;      /* files that list data files */
    struct heapranges_request range; /* range of time of the heap */
    struct weights weights;          /* how often data files count */
    double pid;                      /* the process to ask; 0: none */
    double seconds;                  /* how long to measure it; 0: its run so far */
    double rate;                     /* samples per second; 0: as the process has it */
    bool times;                      /* record when samples are taken */
    const char *live;                /* the process or folder to show live, or NULL */
    const char *record;              /* file for what the process answers, or NULL */
    const char *root; /* set by asked_begin: the root folder of the process, or NULL */
    uint64_t start;   /* of the data, if they do not say it; 0: unknown */
    const struct export_labels *labels; /* set by ccprof-live; NULL: none */
    /* The words of ARGV that are not options. operands_complete replaces this list. */
    char **operands;
    size_t operand_count;
    struct fault no_data; /* why there is no data file; set by operands_complete */
};

/* Fills OPTIONS, which options_free frees. Exits with status 1 after a usage error,
   and with status 0 after -help and -version. Texts in OPTIONS point into ARGV, whose
   words are reordered. */
void options_parse(struct options *options, int argc, char **argv);

void options_free(struct options *options);

/* Returns the requests of the command line for a view. */
const struct views_request *options_request(const struct options *options,
                                            const struct views_entry *view);

/* Returns the measure of the heap that is requested, or NULL. */
const struct measure *options_heap(const struct options *options);

/* Return whether -measure is given, and whether it selects MEASURE. If the heap is
   shown, bytes mean bytes of the heap. All parts of waits are selected. */
bool options_has_measure(const struct options *options);
bool options_requests_measure(const struct options *options,
                              struct runset_measure measure);

/* Returns the facts of all requested views (enum views_facts). */
unsigned options_facts(const struct options *options);

/* Returns the maximum number of rows of tables, for table_cut. */
size_t options_top(const struct options *options);

/* Returns whether -imbalance requests the load over ranks, over threads, or not at
   all. */
enum spread_over options_load(const struct options *options);

#endif
