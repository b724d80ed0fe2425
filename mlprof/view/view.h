/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds what the views have in common: the evaluated rows, the style, and the words for
   them.  A view is a file of its own that prints a struct view.  */

#ifndef MLPROF_VIEW_H
#define MLPROF_VIEW_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/base/path.h"
#include "mlprof/base/pattern.h"
#include "mlprof/columns/sheet.h"
#include "mlprof/base/statistics.h"
#include "mlprof/flow/flowcounts.h"
#include "mlprof/names/names.h"
#include "mlprof/parallel/constructs.h"
#include "mlprof/regions/regionrows.h"
#include "mlprof/rows/rows.h"
#include "mlprof/rows/spread.h"
#include "mlprof/rows/trained.h"
#include "mlprof/stacks/stacks-filter.h"
#include "mlprof/columns/table.h"

#include <stdio.h>

/* The columns by which tables can be sorted.  A table without the column keeps the order
   of VIEW_CUR, its own.  */
enum view_order {
    VIEW_CUR,
    VIEW_STACK,
    VIEW_CALLS,
    VIEW_PER_CALL,
    VIEW_BYTES,
    VIEW_BLOCKS,
    VIEW_INSNS,
    VIEW_CODE,
    VIEW_CHANGE, /* of comparisons */
    VIEW_SHARE,  /* of branches */
    VIEW_NAME
};

struct view_style {
    bool raw;                   /* with seconds beside the percentages */
    bool show_line;             /* with file and line behind names */
    bool branches;              /* with the outcomes of branches */
    bool assembly;              /* listings are of machine code */
    bool never;                 /* with what was never executed */
    bool long_name;             /* the whole name, not only its last component */
    enum names_form names;      /* the form of names */
    bool mlton;                 /* MLton's layout */
    double thresh;              /* rows need this percentage */
    enum view_order order;      /* the order of rows */
    size_t top;                 /* the most rows that a table has; 0: all */
    enum regionrows_by regions; /* what the rows of regions stand for */
    unsigned allocs;            /* and those of allocations: of enum allocview_by */
    const struct measure *heap; /* what is asked of the heap; NULL: nothing is */
};

struct views_request;

struct view {
    const struct profile *profile;
    const struct program *program;
    const struct rows *rows;
    /* The rows of the table, if they are no functions; otherwise NULL.  */
    const struct rows *grouped;
    const struct rows *groups; /* by enum rows_key, for the page; NULL: not wanted */
    const struct regionrows
        /* By enum regionrows_by; NULL: no regions were measured.  */
        *regions;
    const struct spread *spread; /* the load of functions; empty: not wanted */
    /* The time in functions with counts for GCC; NULL or empty: not wanted.  */
    const struct trainedrows *trained;
    /* The view with the heap in the place of what else was measured, for files that have
       both; NULL: this is of the heap, or it was not measured.  */
    const struct view *of_heap;
    /* The constructs of OpenMP; NULL or empty: not wanted.  */
    const struct constructs *constructs;
    /* All functions, for the graph if nothing was measured.  */
    const struct rows *catalog;
    const struct flowcounts *flows; /* NULL or empty: no counts of blocks */
    const struct arcs *arcs;        /* NULL or empty: no counts of calls */
    const bool *kept;               /* by row whether -keep means it; NULL: all */
    const bool *kept_catalog;
    const struct stacks_filter *filter;
    const struct stacks_filter_part *part; /* what FILTER has kept */
    unsigned left_out;    /* kinds that were measured but that FILTER has left out */
    const char *wrappers; /* of allocators, that stacks do not show; NULL: none */
    const struct source_paths *sources; /* where source files have moved */
    const struct patterns
        *libraries; /* these source files are libraries', beside system headers */
    struct view_style style;
    /* The request for the view that is checked or printed, and by row whether its pattern
       selects the row (views.h).  */
    const struct views_request *request;
    const bool *selected;
};

/* The heading of the rows' names, for example `function'.  */
const char *view_noun(const struct view *view);
const char *view_key_noun(enum rows_key key);

/* Whether the rows have counts of calls or executions, and with these the time of
   one.  */
bool view_has_counts(const struct view *view);
bool view_has_costs(const struct view *view);

/* The headings of the count, and of the time of one.  */
const char *view_count_head(const struct view *view);
const char *view_cost_head(const struct view *view);

bool view_has_executions(const struct view *view); /* the counts are executions */

/* TEXT or, if the number is UNKNOWN, `-' in its place; to be freed.  */
char *view_known_cell(bool unknown, char *text);

/* The time of one call or execution of a row, its branches included; to be freed.  */
char *view_cost(const struct view *view, const struct rows_row *row);

/* A percentage of all samples, or `-' if there are none; and SAMPLES in seconds.  To be
   freed.  */
char *view_percent(const struct view *view, uint64_t samples);

/* PART of ALL in the same way.  */
char *view_percent_of(uint64_t part, uint64_t all);

/* An interval of shares in percent, `93.2-94.9'; to be freed.  */
char *view_range(const struct statistics_interval *range);
char *view_raw(const struct view *view, uint64_t samples);
double view_seconds(const struct view *view, uint64_t samples);

/* Whether amounts are shown beside percentages: seconds on request, exact counts always
   but in MLton's layout.  */
bool view_has_amounts(const struct view *view);
const char *view_amount_head(const struct view *view);
char *view_amount_cell(const struct view *view, uint64_t samples);

/* The headings of the shares of a thing itself, and of it and all that it called: MLton's
   words in its layout.  */
const char *view_self_head(const struct view *view);
const char *view_total_head(const struct view *view);

/* An amount with its unit, seconds, bytes or calls; to be freed.  */
char *view_amount(const struct view *view, uint64_t samples);

/* Whether SAMPLES reach the style's threshold.  */
bool view_reaches(const struct view *view, uint64_t samples);

/* How many of COUNT rows a table shows.  */
size_t view_top(const struct view *view, size_t count);

/* The row with that number; NULL: there is none.  */
const struct rows_row *view_row(const struct view *view, uint32_t number);

/* Whether -keep means the row.  */
bool view_keeps(const struct view *view, const struct rows_row *row);

/* The name of a row without control characters: the one that the row has got, or else one
   in the style; to be freed.  */
char *view_name(const struct view *view, const struct rows_row *row);

/* The name in the style of a function outside that is called by SYMBOL, in angle
   brackets; to be freed.  */
char *view_outside_name(const struct view *view, const char *symbol);

/* `FILE: LINE' of a row; NULL if its file is not known.  To be freed.  */
char *view_position(const struct rows_row *row);

/* `FILE: LINE' of a row if the style has positions; otherwise NULL.  To be freed.  */
char *view_position_shown(const struct view *view, const struct rows_row *row);

/* Puts the name of ROW (struct rows_row) into the last cell, with the position if the
   style of OF (struct view) has positions; as tables want it (struct table_names).  */
void view_put_name(const void *of, struct sheet *sheet, const void *row);

/* The name, with the position behind it if the style has positions; to be freed.  */
char *view_label(const struct view *view, const struct rows_row *row);

/* Prints a line about a row: WHAT, a blank, and its name, with its position if the style
   wants that or PLACED.  */
void view_title(FILE *out, const struct view *view, const char *what,
                const struct rows_row *row, bool placed);

/* Compares the names of two rows (struct rows_row), as columns of tables want it.  */
int view_by_name(const void *one, const void *other);

/* Whether PATTERN means the row's function (names.h).  */
bool view_matches(const struct view *view, const struct pattern *pattern,
                  const struct rows_row *row);

/* Whether PATTERN, or NULL for all, means ROW.  ROW may be NULL for no row.  */
bool view_matches_any(const struct view *view, const struct pattern *pattern,
                      const struct rows_row *row);

/* By row whether PATTERN, or NULL for all, means it; to be freed.  */
bool *view_select_rows(const struct view *view, const struct pattern *pattern);

/* By row whether MEANS says that PATTERN means it, to be freed; NULL: none is meant.  */
bool *view_find(const struct view *view, const struct pattern *pattern,
                bool (*means)(const struct view *view, const struct pattern *pattern,
                              const struct rows_row *row));

/* view_find by view_matches.  */
bool *view_find_functions(const struct view *view, const struct pattern *pattern);

/* The SELECTED rows, those with the most on the stack first; *COUNT of them, to be
   freed.  */
const struct rows_row **view_by_stack(const struct view *view, const bool *selected,
                                      size_t *count);

/* Returns SELECTED if a row was FOUND; otherwise frees it and returns NULL.  */
bool *view_found(bool found, bool *selected);

/* The words that say which part of the profile is shown, and why not all; to be freed.
   NULL if all is shown.  */
char *view_part(const struct view *view);

/* Prints the first line; nothing if nothing was measured.  The other is for views that
   have none.  */
void view_header(FILE *out, const struct view *view);
void view_no_header(FILE *out, const struct view *view);

/* The values of columns that several tables have.  Samples, time and bytes are null if
   the profile has another measure.  */

/* Whether samples are shown.  A profile of nothing has none.  */
bool view_is_sampled(const struct view *view);

/* The value for SAMPLES, or null unless KNOWN.  Time is in nanoseconds.  */
struct table_value view_value_samples(const struct view *view, bool known,
                                      uint64_t samples);
struct table_value view_value_time(const struct view *view, bool known, uint64_t samples);
struct table_value view_value_bytes(const struct view *view, bool known, uint64_t bytes);

/* Name, source file and line of a row; null if ROW is NULL, outside of the profile.  */
struct table_value view_value_name(const struct view *view, const struct rows_row *row);
struct table_value view_value_file(const struct rows_row *row);
struct table_value view_value_line(const struct rows_row *row);

/* The symbol of a row's function, and where the row is if it is no function.  */
struct table_value view_value_symbol(const struct rows_row *row);
struct table_value view_value_place(const struct rows_row *row);

/* Define the value and the cell of a column (TABLE_VALUE, TABLE_CELL).  OF_ROW, which
   each table defines, declares the variables of the expressions.  */
#define VIEW_VALUE(name, expression) TABLE_VALUE(name, OF_ROW, expression)
#define VIEW_CELL(name, expression)  TABLE_CELL(name, OF_ROW, expression)

/* Calls on the terminal, behind ~ where they are estimated; and which share of the most
   that they can be is certain.  To be freed.  */
char *view_calls_cell(struct arcs_calls calls);
char *view_certainty_cell(struct arcs_calls calls);

/* Prints below the tables of a view, if a row of them is GUESSED, what ~ means; nothing
   in MLton's layout.  */
void view_print_estimated(FILE *out, const struct view *view, bool guessed);

#endif
