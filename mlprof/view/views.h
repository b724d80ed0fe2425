/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the views of a profile that can be printed.  A view is a file of its own that
   defines a struct views_entry, and a line of views.c.  One entry is all that a view
   needs: options-table.c makes the option -NAME of the entry, show.c prints the view, and
   data.c writes its tables as CSV and JSON.  */

#ifndef MLPROF_VIEWS_H
#define MLPROF_VIEWS_H

#include "mlprof/base/fault.h"
#include "mlprof/base/pattern.h"
#include "mlprof/columns/table.h"
#include "mlprof/rows/lines.h"
#include "mlprof/view/source-files.h"
#include "mlprof/view/view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The headings of -help and of the manual page, in this order.  */
enum topic {
    TOPIC_USED, /* the ten options that are used most */
    TOPIC_TABLE,
    TOPIC_DATA,
    TOPIC_SOURCE,
    TOPIC_CALLS,
    TOPIC_MEMORY,
    TOPIC_REGIONS,
    TOPIC_PROCESSES,
    TOPIC_COMPARING,
    TOPIC_OTHERS, /* the formats of other programs, in the order of export_formats */
    TOPIC_LOOKS,
    TOPIC_ITSELF, /* about mlprof */
    TOPIC_ALL
};

/* What the option of a view takes.  */
enum views_takes {
    VIEWS_NOTHING,
    VIEWS_PATTERN, /* of the functions or regions that the view is about */
    VIEWS_CHOICE,  /* one of several words */
    VIEWS_MEASURE, /* one of the heap's measures */
    VIEWS_NO_OPTION
};

/* What the command line requests of a view.  All zero: nothing.  */
struct views_request {
    bool given;             /* of a view that takes nothing */
    struct pattern pattern; /* without text: none is given */
    unsigned choice;        /* the number of the word, from 1, or in measure_all */
};

/* What the commands and the evaluation need to know of a view that is requested.  */
enum views_facts {
    VIEWS_LISTS = 1,      /* the view shows source lines */
    VIEWS_CONSTRUCTS = 2, /* the view needs the constructs of OpenMP */
    VIEWS_LOAD = 4,       /* the view needs the load over what its choice says */
    VIEWS_REGIONS = 8,    /* the view is of regions, also where runs are compared */
    VIEWS_CALLS = 16,  /* without stacks the view has calls of inlined functions only */
    VIEWS_BLOCKS = 32, /* counts of blocks tell the view more than counts of calls */
    VIEWS_CALL_SITES = 64,    /* the view has nothing without counts of call sites */
    VIEWS_NEEDS_BLOCKS = 128, /* the view has nothing without counts of blocks */
    VIEWS_HEAP = 512,         /* the view is of the heap */
    VIEWS_TRAINED = 256,      /* the view needs the functions with counts for GCC */
};

/* Adds rows to TABLE, whose columns are given VIEW: all rows that the pattern PATTERN
   means, or if PATTERN is NULL, all there are, in an order that depends on nothing but
   what was measured.  The table frees what was made for it.  */
typedef void views_fill(struct table *table, const struct view *view,
                        const struct pattern *pattern);

/* A table of CSV and JSON.  Names and order of its columns are a format (mlprof(1),
   "FORMATS"; doc/mlprof.schema.json): new ones come at the end.  */
struct views_data {
    const struct table_view *table;
    views_fill *fill;
    unsigned place; /* among the tables of JSON, from 1; 0: JSON does not have it */
};

enum { VIEWS_DATA_MOST = 2 };

struct views_entry {
    /* The option.  */
    const char *name;
    enum topic topic;
    unsigned use;        /* the most used option of a topic has the least */
    const char *help;    /* a line of at most 50 characters or so */
    const char *details; /* more lines for `-NAME -help'; NULL: none */
    enum views_takes takes;
    const char *words;   /* of a choice: {first|second} */
    const char *goes_by; /* the options with an effect on the view, blanks between them,
                            but for -sort, which has one if a column is sorted by;
                            OPTION:WORD has one if that is the word of the choice */
    unsigned facts;      /* of enum views_facts */
    /* Of a view that says what is compared: the options that compare, and those with an
       effect on the view beside these.  NULL: comparisons have no such view.  */
    const char *beside, *goes_by_beside;

    /* The tables.  */
    const struct table_view *columns;        /* that `-NAME -help' tells of; NULL: none */
    struct views_data data[VIEWS_DATA_MOST]; /* CSV has the first */

    /* False and FAULT if the view can show nothing of this profile.  NULL: the view can
       show every profile.  */
    bool (*check)(const struct view *view, struct fault *fault);

    /* By row, whether the pattern means it, to be freed; NULL: none is meant.  */
    bool *(*find)(const struct view *view, const struct pattern *pattern);
    const char *finds; /* what the rows are, for messages */

    /* The first line above all views.  */
    void (*head)(FILE *out, const struct view *view);
    bool timed; /* the view tells of what was sampled, if anything was */

    void (*print)(FILE *out, const struct view *view);
    void (*foot)(FILE *out, const struct view *view); /* NULL: the view has none */
};

/* Options that have an effect on groups of views, each with those of the group before:
   views of data files, with names of functions, of functions, of stacks, of samples, and
   of copies of functions.  The last are of views that print rows.  */
#define VIEWS_BY_DATA      "layout mlmon tolerant "
#define VIEWS_BY_NAMES     VIEWS_BY_DATA "long-name names "
#define VIEWS_BY_FUNCTIONS VIEWS_BY_NAMES "artificial unprofile "
#define VIEWS_BY_STACKS    VIEWS_BY_FUNCTIONS "focus hide ignore "
#define VIEWS_BY_SAMPLES   VIEWS_BY_STACKS "show-extern skid "
#define VIEWS_BY_COPIES    VIEWS_BY_SAMPLES "split "
#define VIEWS_BY_ROWS      "balance thresh top "

/* The options that choose the measure, of views that show each measure in the same
   way.  */
#define VIEWS_BY_MEASURE "heap measure range show-wrappers "

/* The lines of -help about a pattern of functions.  */
#define VIEWS_PATTERN_DETAILS                                                            \
    "<re>, an extended regular expression, is found anywhere in the function's\n"        \
    "name; ^ and $ are the ends. list\\.c means the functions of this file."

/* In the order in which they are printed.  The first are the tables of functions and of
   -by, which have no option of their own.  */
extern const struct views_entry *const views_all[];
extern const size_t views_count;

/* There are no more views than this.  */
#define VIEWS_MOST 24

/* Whether the command line requests the view.  */
bool views_is_requested(const struct views_request *request);

/* Each in a file of its own.  */
extern const struct views_entry functions_entry, groups_entry, prof_entry,
    imbalance_entry, allocview_entry, heapview_entry, heaptimes_entry, callers_entry,
    callees_entry, peek_entry, hotpath_entry, arcs_list_entry, branches_entry,
    listing_entry, parallelview_entry, regionsview_entry, histogram_entry, pgo_entry,
    treeview_entry;

/* What other modules use of single views.

   branches.c: the table of decisions, how often each outcome of conditions and switches
   occurred.  Fills TABLE with the decisions of the functions that are SELECTED by row.
   Those that were never executed are left out if REACHED.  Returns how many these
   are.  */
size_t branches_make(struct table *table, const struct view *view, const bool *selected,
                     bool reached);

/* Sorts by the column ORDER; if there is none, the branch that is harder to predict comes
   first, of equals the one that was decided more often.  */
void branches_sort(struct table *table, enum view_order order);

/* How often all of the table's rows were decided.  */
uint64_t branches_total(const struct table *table);

/* histogram.c: how long the calls of regions took, as text.  A region on one side of a
   comparison: an element of ROWS, or NULL if the side has no such region.  */
struct histogram_side {
    const char *head;
    const struct regionrows *rows;
    const struct regionrows_row *row;
};

/* Prints the histograms of the region NAME on both sides, with the same buckets.  */
void histogram_print_sides(FILE *out, const char *name,
                           const struct histogram_side sides[2]);

/* regionsview.c: the lines around views of regions.  False, and FAULT of the OPTION, if
 * no regions were measured.  */
bool regionsview_check(const struct view *view, const char *option, struct fault *fault);

/* The first line above such views: how much was measured.  */
void regionsview_print_header(FILE *out, const struct view *view);

/* Prints how many calls have not ended, if there are any, and the cost of measuring.  */
void regionsview_print_foot(FILE *out, const struct view *view);

/* regions-table.c: the tables of regions and of their calls.  Rows are struct
   regionrows_row of the view's regions.  */
extern const struct table_view regions_table, regions_cold_table;

/* The rows for data formats; the pattern selects regions by name.  */
views_fill regions_table_fill;

/* The view's regions, by the key that its style has.  */
const struct regionrows *regions_table_rows(const struct view *view);

extern const struct table_view buckets_table, events_table;

views_fill regions_table_fill_buckets, regions_table_fill_events;

/* assembly.c, for listing.c: prints the machine code of functions with the samples of
   each instruction.  The functions are the rows that are SELECTED: each compiled function
   that a row is, or is inlined in.  FILES has their source files.  VIEW has stacks by
   address.  */
void assembly_print(FILE *out, const struct view *view, const bool *selected,
                    struct source_files *files);

#endif
