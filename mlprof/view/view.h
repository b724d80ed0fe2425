/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds what the views have in common: the measured rows, how they are shown, and the
   words for them.  A view is a file of its own that prints a struct view.  */

#ifndef MLPROF_VIEW_H
#define MLPROF_VIEW_H

#include "mlprof/base/pattern.h"
#include "mlprof/evaluate/flowcounts.h"
#include "mlprof/evaluate/rows.h"
#include "mlprof/evaluate/stacks-filter.h"

#include <stdio.h>

struct view_style {
    bool raw;       /* seconds beside the percentages */
    bool show_line; /* file and line behind the name */
    bool long_name; /* the whole name, not only its last component */
    bool full_name; /* with parameters */
    bool by_stack;  /* the table in the order of stack, not of cur */
    double thresh;  /* least percentage of what is shown */
};

struct view {
    const struct profile *profile;
    const struct program *program;
    const struct rows *rows;
    const struct rows *catalog;     /* for the graph if nothing was measured */
    const struct flowcounts *flows; /* NULL or empty: nothing was counted by blocks */
    const struct arcs *arcs;        /* likewise */
    const struct stacks_filter *filter;
    const struct stacks_filter_part *part; /* what FILTER has kept */
    unsigned left_out; /* kinds that were measured; FILTER has left them out */
    struct view_style style;
};

/* The columns of numbers that a row can have.  */
#define VIEW_COLUMNS 10

/* How many columns of numbers the rows have, and their headings.  */
size_t view_heads(const struct view *view, const char *heads[VIEW_COLUMNS]);

/* The numbers of a row below these headings, each to be freed.  */
void view_cells(const struct view *view, const struct rows_row *row,
                char *cells[VIEW_COLUMNS]);

/* A percentage of all samples, `-' if there are none, and samples in seconds; to be
 * freed.
 */
char *view_percent(const struct view *view, uint64_t samples);
char *view_raw(const struct view *view, uint64_t samples);
double view_seconds(const struct view *view, uint64_t samples);

/* What was measured of something, in words: its seconds, bytes or calls; to be freed.  */
char *view_amount(const struct view *view, uint64_t samples);

/* SAMPLES are at least as many as the style's threshold asks for.  */
bool view_reaches(const struct view *view, uint64_t samples);

/* The name of a row, settled or else as the style wants it, without a control character;
 * to be freed.  */
char *view_name(const struct view *view, const struct rows_row *row);

/* `FILE: LINE' of a row; NULL if its file is not known.  To be freed.  */
char *view_position(const struct rows_row *row);

/* The name, with its position behind it if the style wants that; to be freed.  */
char *view_label(const struct view *view, const struct rows_row *row);

/* PATTERN means the row's function (names.h).  */
bool view_matches(const struct view *view, const struct pattern *pattern,
                  const struct rows_row *row);

/* Which part of what was measured is shown, and why not all; NULL if it is all.  To be
   freed.  */
char *view_part(const struct view *view);

/* MLton's first line; none if nothing was measured.  */
void view_header(FILE *out, const struct view *view);

#endif
