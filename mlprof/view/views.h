/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the views of a profile that can be printed. A view is a file that defines a
   struct views_entry, and a line of views.c. From the entry, options-table.c makes
   the option -NAME, show.c prints the view, and export/data.c writes its tables as CSV
   and JSON. */

#ifndef MLPROF_VIEWS_H
#define MLPROF_VIEWS_H

#include "mlprof/base/fault.h"
#include "mlprof/base/pattern.h"
#include "mlprof/columns/table.h"
#include "mlprof/rows/lines.h"
#include "mlprof/view/outputs.h"
#include "mlprof/view/source-files.h"
#include "mlprof/view/view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The headings of -help and of the manual page, in this order. */
enum topic {
    TOPIC_USED, /* the ten most used options */
    TOPIC_TABLE,
    TOPIC_DATA,
    TOPIC_SOURCE,
    TOPIC_CALLS,
    TOPIC_MEMORY,
    TOPIC_REGIONS,
    TOPIC_PROCESSES,
    TOPIC_COMPARING,
    TOPIC_OTHERS, /* formats of other programs, in the order of export_formats */
    TOPIC_LOOKS,
    TOPIC_ITSELF, /* about mlprof */
    TOPIC_ALL
};

/* The argument of a view's option. */
enum views_takes {
    VIEWS_NOTHING,
    VIEWS_PATTERN, /* selects the functions or regions to show */
    VIEWS_CHOICE,  /* one of several words */
    VIEWS_MEASURE, /* one of the heap's measures */
    VIEWS_NO_OPTION
};

/* The request for a view on the command line. All zero: the view is not requested. */
struct views_request {
    bool given;             /* requested; for views without an argument */
    struct pattern pattern; /* if its text is NULL, no pattern was given */
    unsigned choice;        /* number of the word, from 1, or index in measure_all */
};

/* Facts about a view that the commands and the evaluation need. */
enum views_facts {
    VIEWS_LISTS = 1,   /* the view shows source lines */
    VIEWS_LOAD = 2,    /* the view's choice says over which workers load is compared */
    VIEWS_REGIONS = 4, /* the view shows regions, also of several runs */
    VIEWS_CALLS = 8, /* without stacks, the view shows only calls of inlined functions */
    VIEWS_BLOCKS =
        16, /* with counts of blocks, the view shows more than with counts of calls */
    VIEWS_CALL_SITES = 32,   /* the view is empty without counts of call sites */
    VIEWS_NEEDS_BLOCKS = 64, /* the view is empty without counts of blocks */
    VIEWS_HEAP = 128,        /* the view shows the heap */
    VIEWS_OUTSIDE = 256,     /* the view shows functions outside of profiled code */
    VIEWS_WAITS = 512,       /* the view shows waits, whatever the measure is */
};

typedef bool views_selects(const struct view *view, const struct pattern *pattern,
                           const struct rows_row *row);

/* Adds rows to TABLE, and sets VIEW as the context of its columns. If PATTERN is
   NULL, adds all rows, otherwise the rows that PATTERN selects. The order of the rows
   depends only on the measured data. TABLE frees the memory that the function
   allocates. */
typedef void views_fill(struct table *table, const struct view *view,
                        const struct pattern *pattern);

/* A table, whose columns `-NAME -help' lists. In CSV and JSON the names of the columns
   are a format (mlprof-formats(7); doc/mlprof.schema.json). */
struct views_data {
    const struct table_view *table;
    views_fill *fill; /* NULL: the table is not in CSV and JSON */
};

enum { VIEWS_DATA_MOST = 5 };

struct views_entry {
    /* The option. */
    const char *name;
    enum topic topic;
    unsigned use;        /* rank within the topic; the most used option has the lowest */
    const char *help;    /* one line of at most 49 characters */
    const char *details; /* more lines for `-NAME -help', or NULL */
    enum views_takes takes;
    const char *words; /* the words of a choice: {first|second} */
    unsigned facts;    /* of enum views_facts */
    outputs_set kind;  /* the options with an effect on the view follow from it */
    /* Other outputs that the view's option changes: comparisons whose rows it chooses.
       The file of -csv is not listed: it always has the tables of the requested views. */
    outputs_set affects;

    struct views_data data[VIEWS_DATA_MOST]; /* CSV has only the first */

    /* Returns false and sets FAULT for OPTION if the view is empty for this profile.
       NULL: the view can show every profile. */
    bool (*check)(const struct view *view, const char *option, struct fault *fault);

    /* Returns whether the pattern selects the function; NULL: view_matches. */
    views_selects *selects;
    /* If the pattern selects something other than functions: the noun of its rows, and a
       function that does the same as views_find. */
    const char *finds;
    bool *(*find)(const struct view *view, const struct pattern *pattern);

    /* Prints the first line of the output if this is the first view; NULL:
       view_header. */
    void (*head)(FILE *out, const struct view *view);
    bool timed; /* the view shows samples, if there are any */

    void (*print)(FILE *out, const struct view *view);
    void (*foot)(FILE *out, const struct view *view); /* may be NULL */
};

/* Lines of -help about patterns that select functions. */
#define VIEWS_PATTERN_DETAILS                                                            \
    "<re>, an extended regular expression, may match anywhere in the function's\n"       \
    "name; ^ and $ are the ends. list\\.c selects the functions of this file."

/* All views, in the order in which they are printed. The first two views are the
   tables of functions and of -by. They have no option that requests them. */
extern const struct views_entry *const views_all[];
extern const size_t views_count;

/* The maximum number of views. */
#define VIEWS_MOST 24

/* Returns whether the command line requests the view. */
bool views_is_requested(const struct views_request *request);

/* Returns false and sets FAULT if the view of ENTRY is empty for VIEW's profile. */
bool views_check(const struct views_entry *entry, const struct view *view,
                 struct fault *fault);

/* Returns for each row of ENTRY's view whether PATTERN selects it, or NULL if PATTERN
   selects no row. The caller frees the array. */
bool *views_find(const struct views_entry *entry, const struct view *view,
                 const struct pattern *pattern);

/* The views. Each view is defined in its own file. */
extern const struct views_entry functions_entry, groups_entry, prof_entry,
    imbalance_entry, heapview_entry, heaptimes_entry, callers_entry, callees_entry,
    peek_entry, hotpath_entry, arcs_list_entry, branches_entry, listing_entry,
    parallelview_entry, waits_entry, locks_entry, regionsview_entry, histogram_entry,
    pgo_entry, treeview_entry;

/* Functions of single views that other modules use.

   branches.c: the table of decisions, with the number of times each outcome of a
   condition or switch occurred. Fills TABLE with the decisions of the SELECTED
   functions (indexed by row). If REACHED, omits decisions that were never executed,
   and returns how many were omitted. */
size_t branches_make(struct table *table, const struct view *view, const bool *selected,
                     bool reached);

/* Sorts by the column ORDER. By default, the branches that are hardest to predict
   come first. If several are equally hard, the branches that were executed most often
   come first. */
void branches_sort(struct table *table, enum view_order order);

/* Returns how often all of the table's decisions were executed together. */
uint64_t branches_total(const struct table *table);

/* histogram.c: prints the durations of the calls of regions as text.

   One side of a comparison: ROW is an element of ROWS, or NULL if the side does not
   have the region. */
struct histogram_side {
    const char *head;
    const struct regionrows *rows;
    const struct regionrows_row *row;
};

/* Prints the histograms of the region NAME on both sides of a comparison, with the
   same buckets. */
void histogram_print_sides(FILE *out, const char *name,
                           const struct histogram_side sides[2]);

/* regionsview.c: lines above and below views of regions. If no regions were measured,
   returns false and sets FAULT for OPTION. */
bool regionsview_check(const struct view *view, const char *option, struct fault *fault);

/* Prints the first line of views of regions: how much was measured. */
void regionsview_print_header(FILE *out, const struct view *view);

/* If there are calls that have not ended, prints how many. Prints the overhead of
   measuring regions. */
void regionsview_print_foot(FILE *out, const struct view *view);

/* regions-table.c: the tables of regions and of their calls. Rows are struct
   regionrows_row, from the view's regions. */
extern const struct table_view regions_table, regions_cold_table;

/* Fills the table for data formats. The pattern selects regions by name. */
views_fill regions_table_fill;

/* Returns the view's regions, grouped by the key of the style. */
const struct regionrows *regions_table_rows(const struct view *view);

extern const struct table_view buckets_table, events_table;

views_fill regions_table_fill_buckets, regions_table_fill_events;

/* assembly.c, for listing.c: prints the machine code of the SELECTED functions
   (indexed by row) with the samples of each instruction. A compiled function is
   printed if it is a selected row, or if a selected row is inlined into it. FILES
   provides the source files. VIEW must have stacks by address. */
void assembly_print(FILE *out, const struct view *view, const bool *selected,
                    struct source_files *files);

#endif
