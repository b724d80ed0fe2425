/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data and functions that the views share: the evaluated result (struct view), the
   style, and functions for names, numbers and headings. Each view is a file that
   prints a struct view. commands/show.c and viewfiles.c print the views; export and
   page use this data, too. */

#ifndef MLPROF_VIEW_H
#define MLPROF_VIEW_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/base/path.h"
#include "mlprof/base/pattern.h"
#include "mlprof/columns/sheet.h"
#include "mlprof/base/statistics.h"
#include "mlprof/flow/flowcounts.h"
#include "mlprof/names/names.h"
#include "mlprof/report/report.h"
#include "mlprof/rows/rows.h"
#include "mlprof/columns/table.h"

#include <stdio.h>

/* The columns by which tables can be sorted. If a table does not have the requested
   column, it keeps its default order, VIEW_CUR. */
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
    bool raw;       /* show seconds in addition to percentages */
    bool show_line; /* show file and line after names */
    bool branches;  /* show the outcomes of branches */
    bool assembly;  /* listings show machine code */
    bool never;     /* show functions that were never executed */
    bool long_name; /* show whole names, not only the last component */
    enum names_form names;
    bool mlton;    /* MLton's layout */
    double thresh; /* the minimum percentage of rows */
    enum view_order order;
    size_t top;                 /* the maximum number of rows of a table; 0: all */
    enum regionrows_by regions; /* the key of the rows of regions */
    unsigned beside; /* measures of instructions in addition to the shown one, as bits */
    const struct measure *heap; /* the requested measure of the heap, or NULL */
};

struct views_request;

struct view {
    const struct profile *profile;
    const struct program *program;
    const struct rows *rows;
    /* The rows of the table if they are not functions, otherwise NULL. */
    const struct rows *grouped;
    const bool *kept; /* indexed by row: -keep selects the row; NULL: all */
    /* Answers everything else (report/report.h). */
    struct report *report;
    /* Where view_beside makes its views, REPORT_BESIDES. NULL: they are not shown in
       addition. */
    struct view *beside;
    const struct source_paths *sources; /* locations of moved source files */
    const struct patterns
        *libraries; /* source files of libraries, besides system headers */
    struct view_style style;
    /* The request for the view that is being checked or printed, and for each row
       whether the request's pattern selects it (views.h). */
    const struct views_request *request;
    const bool *selected;
};

/* Returns a view of REPORT with the same style, and with the rows of functions. */
struct view view_of_report(const struct view *view, struct report *report);

/* Returns the same view of the heap or of waits, if the files have WHAT and something
   else. It is valid as long as VIEW. NULL: VIEW is already of the heap or of waits, or
   WHAT was not measured or is not shown in addition. */
const struct view *view_beside(const struct view *view, enum report_beside what);

static inline bool view_has_regions(const struct view *view)
{
    return view->profile->regions.clock != REGIONS_NONE;
}

/* The heading of the rows' names, for example `function'. */
const char *view_noun(const struct view *view);

/* Return whether the rows have counts of calls or executions, and whether they also
   have the time per call or execution. */
bool view_has_counts(const struct view *view);
bool view_has_costs(const struct view *view);

/* Return the headings of the count and of the time per call or execution. */
const char *view_count_head(const struct view *view);
const char *view_cost_head(const struct view *view);

/* Returns whether the counts are of executions instead of calls. */
bool view_has_executions(const struct view *view);

/* Returns TEXT. Unless KNOWN, frees TEXT and returns `-' instead. The caller frees the
   result. */
char *view_known_cell(bool known, char *text);

/* Returns the place of a row with the verdict of a loop, or the called function and the
   type of a site, behind it. The caller frees it. */
char *view_place_whole(const struct rows_row *row);

/* Returns TEXT, or `?' if it is NULL. The caller frees the result. */
char *view_text_cell(const char *text);

/* Returns the time or amount per call or execution of a row, including its branches.
   The caller frees it. */
char *view_cost(const struct view *view, const struct rows_row *row);

/* Returns SAMPLES as a percentage of all samples, or `-' if there are none. The
   caller frees it. */
char *view_percent(const struct view *view, uint64_t samples);

/* The same, with `~' before it if it is ESTIMATED. */
char *view_percent_about(const struct view *view, uint64_t samples, bool estimated);

/* Prints below a view of TREE what its estimates are, if any of its stacks is one, and
   how much is in callees that are not known. */
struct tree;
void view_tree_notes(FILE *out, const struct view *view, const struct tree *tree);

/* Returns PART as a percentage of ALL, or `-' if ALL is 0. The caller frees it. */
char *view_percent_of(uint64_t part, uint64_t all);

/* Returns an interval of shares in percent, such as `93.2-94.9'. The caller frees it. */
char *view_range(struct statistics_interval range);

/* Returns the decimals of seconds: waits are measured, samples are not that precise. */
int view_decimals(const struct view *view);
char *view_raw(const struct view *view, uint64_t samples);
double view_seconds(const struct view *view, uint64_t samples);

/* Returns whether amounts are shown in addition to percentages: seconds on request,
   exact counts always except in MLton's layout. */
bool view_has_amounts(const struct view *view);
const char *view_amount_head(const struct view *view);
char *view_amount_cell(const struct view *view, uint64_t samples);

/* Return the headings of the columns of self shares and of total shares. MLton's
   layout has MLton's words. */
const char *view_self_head(const struct view *view);
const char *view_total_head(const struct view *view);

/* Returns an amount with its unit: seconds, bytes or calls. The caller frees it. */
char *view_amount(const struct view *view, uint64_t samples);

/* Returns whether SAMPLES reach the style's threshold. */
bool view_reaches(const struct view *view, uint64_t samples);

/* Returns how many of COUNT rows a table shows. */
size_t view_top(const struct view *view, size_t count);

/* Returns row NUMBER, or NULL if there is none. */
const struct rows_row *view_row(const struct view *view, uint32_t number);

/* Returns whether -keep selects the row. */
bool view_keeps(const struct view *view, const struct rows_row *row);

/* Returns the name of a row without control characters. If the row has a unique name,
   this is the result, otherwise the row's name in the requested form. The caller
   frees the name. */
char *view_name(const struct view *view, const struct rows_row *row);

/* Returns the name, in angle brackets, of a function outside of the profile that is
   called by SYMBOL. The caller frees it. */
char *view_outside_name(const struct view *view, const char *symbol);

/* Does the same for PLACE, a symbol with an end as in code_names_place. */
char *view_place_name(const struct view *view, const char *place);

/* Returns the place of a row. If the row has no place, returns its `FILE: LINE', or
   NULL if its file is not known. The caller frees the result. */
char *view_position(const struct rows_row *row);

/* Returns the result of view_position if the style shows positions or the row has a
   place, otherwise NULL. The caller frees it. */
char *view_position_shown(const struct view *view, const struct rows_row *row);

/* Puts the name of ROW (struct rows_row) into the last cell, with the position if the
   style of CONTEXT (struct view) shows positions. A callback of struct table_names. */
void view_put_name(const void *context, struct sheet *sheet, const void *row);

/* Returns the name, followed by the position if the style shows positions. The caller
   frees it. */
char *view_label(const struct view *view, const struct rows_row *row);

/* Prints a line about a row: WHAT, a blank, and the row's name. The position follows
   if the style shows positions, or if PLACED. */
void view_title(FILE *out, const struct view *view, const char *what,
                const struct rows_row *row, bool placed);

/* Compares the names of two rows (struct rows_row). A callback for sorting tables. */
int view_by_name(const void *one, const void *other);

/* Returns whether PATTERN selects the row's function (names.h). */
bool view_matches(const struct view *view, const struct pattern *pattern,
                  const struct rows_row *row);

/* Returns whether PATTERN selects ROW. If PATTERN is NULL, it selects every row. ROW
   may be NULL for a function outside of the profile. */
bool view_matches_any(const struct view *view, const struct pattern *pattern,
                      const struct rows_row *row);

/* Returns for each row whether PATTERN selects it. If PATTERN is NULL, it selects
   every row. The caller frees the array. */
bool *view_select_rows(const struct view *view, const struct pattern *pattern);

/* Returns the *COUNT SELECTED rows, sorted by decreasing total share. The caller
   frees the array. */
const struct rows_row **view_by_stack(const struct view *view, const bool *selected,
                                      size_t *count);

/* If a row was FOUND, returns SELECTED. Otherwise frees SELECTED and returns NULL. */
bool *view_found(bool found, bool *selected);

/* Returns whether the shown measure has stacks. If not, sets FAULT for OPTION. */
bool view_check_stacks(const struct view *view, const char *option, struct fault *fault);

/* Returns a text that says which data of the profile is shown, and why. The caller
   frees it. Returns NULL if all data is shown. */
char *view_part(const struct view *view);

/* Prints the first line of a view, or nothing if nothing was measured. view_no_header
   prints nothing, for views without a first line. */
void view_header(FILE *out, const struct view *view);
void view_no_header(FILE *out, const struct view *view);

/* Values of columns that several tables share. Values of samples, time and bytes are
   null if the profile has another measure. */

/* Returns whether the view shows samples. A profile without measurements has none. */
bool view_is_sampled(const struct view *view);

/* Return the value for SAMPLES, or null unless KNOWN. Time is in nanoseconds. */
struct table_value view_value_samples(const struct view *view, bool known,
                                      uint64_t samples);
struct table_value view_value_time(const struct view *view, bool known, uint64_t samples);
struct table_value view_value_events(const struct view *view, bool known,
                                     uint64_t amount);
struct table_value view_value_bytes(const struct view *view, bool known, uint64_t bytes);

/* Return the name, source file and line of a row. The value is null if ROW is NULL, a
   function outside of the profile. */
struct table_value view_value_name(const struct view *view, const struct rows_row *row);
struct table_value view_value_file(const struct rows_row *row);
struct table_value view_value_line(const struct rows_row *row);

/* Return the symbol of a row's function, and the position of a row that is not a
   function. */
struct table_value view_value_symbol(const struct rows_row *row);
struct table_value view_value_place(const struct rows_row *row);

/* Define the functions for the value and the cell of a column (TABLE_VALUE,
   TABLE_CELL). Each table must define the macro OF_ROW, which declares the variables
   used in EXPRESSION. */
#define VIEW_VALUE(name, expression) TABLE_VALUE(name, OF_ROW, expression)
#define VIEW_CELL(name, expression)  TABLE_CELL(name, OF_ROW, expression)

/* Return a number of calls for the terminal, with ~ in front if it is an estimate, and
   the percentage of the maximum that is certain. The caller frees them. */
char *view_calls_cell(struct arcs_calls calls);
char *view_certainty_cell(struct arcs_calls calls);

/* If a row of the view's tables is ESTIMATED, prints the meaning of ~ below the tables.
   Prints nothing in MLton's layout. */
void view_print_estimated(FILE *out, const struct view *view, bool estimated);

#endif
