/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds what the views have in common: the measured rows, how they are shown, and the
   words for them.  A view is a file of its own that prints a struct view.  */

#ifndef MLPROF_VIEW_H
#define MLPROF_VIEW_H

#include "mlprof/base/pattern.h"
#include "mlprof/base/sheet.h"
#include "mlprof/base/source-paths.h"
#include "mlprof/flow/flowcounts.h"
#include "mlprof/names/names.h"
#include "mlprof/parallel/constructs.h"
#include "mlprof/regions/regionrows.h"
#include "mlprof/rows/rows.h"
#include "mlprof/rows/spread.h"
#include "mlprof/stacks/stacks-filter.h"

#include <stdio.h>

/* The columns by which tables can be sorted.  One that has no such column has the order
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
    VIEW_NAME
};

struct view_style {
    bool raw;                   /* seconds beside the percentages */
    bool show_line;             /* file and line behind the name */
    bool long_name;             /* the whole name, not only its last component */
    enum names_form names;      /* how they are written */
    bool mlton;                 /* MLton's layout */
    double thresh;              /* least percentage of what is shown */
    enum view_order order;      /* of the tables' rows */
    size_t top;                 /* the most rows that a table has; 0: all */
    enum regionrows_by regions; /* what rows of regions are of */
};

struct view {
    const struct profile *profile;
    const struct program *program;
    const struct rows *rows;
    const struct rows *grouped; /* the table's, if not by function; else NULL */
    const struct rows *groups;  /* by enum rows_key, for the page; NULL: not wanted */
    const struct regionrows
        *regions;                /* by enum regionrows_by; NULL: none were measured */
    const struct spread *spread; /* of the functions' load; empty: not wanted */
    const struct constructs *constructs; /* of OpenMP; NULL or empty: not wanted */
    const struct rows *catalog;          /* for the graph if nothing was measured */
    const struct flowcounts *flows; /* NULL or empty: nothing was counted by blocks */
    const struct arcs *arcs;        /* likewise */
    const bool *kept;               /* by row whether -keep means it; NULL: all */
    const bool *kept_catalog;
    const struct stacks_filter *filter;
    const struct stacks_filter_part *part; /* what FILTER has kept */
    unsigned left_out; /* kinds that were measured; FILTER has left them out */
    const struct source_paths *sources; /* where source files have moved */
    const struct patterns
        *libraries; /* source files of libraries, beside system headers */
    struct view_style style;
};

/* What the rows are of, as the heading of their names.  */
const char *view_noun(const struct view *view);

/* Whether the rows have calls or executions, and beside these the time of one.  */
bool view_has_counts(const struct view *view);
bool view_has_costs(const struct view *view);

/* The headings of the two.  */
const char *view_count_head(const struct view *view);
const char *view_cost_head(const struct view *view);

bool view_has_executions(const struct view *view); /* in place of calls */

/* A number, or `-' if it is 0 since it is not known; to be freed.  */
char *view_known(uint64_t number);

/* TEXT, to be freed, or `-' in its place if the number is UNKNOWN.  */
char *view_known_cell(bool unknown, char *text);

/* The time of one call or execution of a row, of a function with its branches; to be
   freed.  */
char *view_cost(const struct view *view, const struct rows_row *row);

/* A percentage of all samples, `-' if there are none, and samples in seconds; to be
 * freed.
 */
char *view_percent(const struct view *view, uint64_t samples);
char *view_raw(const struct view *view, uint64_t samples);
double view_seconds(const struct view *view, uint64_t samples);

/* A column of what was measured beside percentages: seconds are told on request; what was
   counted is exact and told always, but in MLton's layout.  */
bool view_has_amounts(const struct view *view);
const char *view_amount_head(const struct view *view);
char *view_amount_cell(const struct view *view, uint64_t samples);

/* What was measured of something, in words: its seconds, bytes or calls; to be freed.  */
char *view_amount(const struct view *view, uint64_t samples);

/* SAMPLES are at least as many as the style's threshold asks for.  */
bool view_reaches(const struct view *view, uint64_t samples);

/* How many of COUNT rows a table has.  */
size_t view_top(const struct view *view, size_t count);

/* The row with that number; NULL: there is none.  */
const struct rows_row *view_row(const struct view *view, uint32_t number);

/* The row is one of those that -keep means.  */
bool view_keeps(const struct view *view, const struct rows_row *row);

/* The name of a row, settled or else as the style wants it, without a control character;
 * to be freed.  */
char *view_name(const struct view *view, const struct rows_row *row);

/* The name, as the style wants it, of a function outside of the profile that calls name
   by SYMBOL, between angle brackets; to be freed.  */
char *view_outside_name(const struct view *view, const char *symbol);

/* `FILE: LINE' of a row; NULL if its file is not known.  To be freed.  */
char *view_position(const struct rows_row *row);

/* The same if the style wants positions; otherwise NULL.  */
char *view_position_wanted(const struct view *view, const struct rows_row *row);

/* Puts the name, with the position if the style wants that, into a sheet's last cell.  */
void view_put_name(const struct view *view, struct sheet *sheet,
                   const struct rows_row *row);

/* The name, with its position behind it if the style wants that; to be freed.  */
char *view_label(const struct view *view, const struct rows_row *row);

/* Prints a line about a row: WHAT, a blank, and its name, with its position if the style
   wants that or PLACED.  */
void view_title(FILE *out, const struct view *view, const char *what,
                const struct rows_row *row, bool placed);

/* Less than 0 if the name of A comes first.  */
int view_by_name(const struct rows_row *a, const struct rows_row *b);

/* PATTERN means the row's function (names.h).  */
bool view_matches(const struct view *view, const struct pattern *pattern,
                  const struct rows_row *row);

/* ASKED, which may be NULL for all, means ROW, which may be NULL for none.  */
bool view_is_asked(const struct view *view, const struct pattern *asked,
                   const struct rows_row *row);

/* WANTED, by row, if a row was FOUND; otherwise NULL, and WANTED is freed.  */
bool *view_found(bool found, bool *wanted);

/* Which part of what was measured is shown, and why not all; NULL if it is all.  To be
   freed.  */
char *view_part(const struct view *view);

/* The first line; none if nothing was measured.  */
void view_header(FILE *out, const struct view *view);

#endif
