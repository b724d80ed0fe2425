/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files page-*.c, each of which writes some fields of the page's data.
   page.c calls them in their order.  */

#ifndef MLPROF_PAGE_INSIDE_H
#define MLPROF_PAGE_INSIDE_H

#include "mlprof/page/datacolumns.h"
#include "mlprof/view/view.h"

/* A name that the tables have for a source file.  */
struct page_file {
    const char *directory, *name;
};

/* Source files, numbered from 0 as they are met.  Starts as all zero.  */
struct page_files {
    struct index names; /* directory and name, by their addresses */
    uint32_t *of_name;  /* by name: the number of the file */
    size_t name_count, name_capacity;
    struct intern paths; /* by number of the file */
    struct page_file *files;
    size_t count, capacity;
};

/* The context of columns.  */
struct page_data {
    struct datacolumns columns;
    const struct view *view;
    struct page_files files;
};

/* The number of the file NAME in DIRECTORY, which may be NULL; DATACOLUMNS_NONE if NAME
   is NULL.  Both texts must live as long as FILES.  */
int64_t page_files_put(struct page_files *files, const char *directory, const char *name);

/* Prints the field `files', with paths and texts.  If a file cannot be read, its text is
   null, a line on stderr says so, and `looked' has the places that were searched.  A file
   whose path OUTER has, which may be NULL, has neither.  */
void page_files_print(struct page_files *files, struct json *json,
                      const struct view *view, struct page_files *outer);

void page_files_free(struct page_files *files);

/* Prints the fields `functions', `groups', `totals' and `by': the rows of the tables by
   each key, the totals for shares, and the key that was asked for.  */
void page_rows_print(struct page_data *data);

/* The row of a source; DATACOLUMNS_NONE: it has none.  */
int64_t page_row_of(const struct page_data *data, const struct unit_source *source);

/* Prints the field `coded': the lines of the page's files for which the program has
   machine code, each with its function.  Empty if some code has no positions, or only
   calls have: without time, and with time-field.  No files may be added to the page
   afterwards.  */
void page_coded_print(struct page_data *data);

/* Prints the field `lines': how often lines were executed, by function.  */
void page_lines_print(struct page_data *data);

/* Prints the field `executed': how often each expression was executed, by function; where
   there are samples, too, by position, with the range of one that begins there.  */
void page_executed_print(struct page_data *data);

/* Prints the field `row_of', which gives the row of `groups' for each node: by `copy', if
   the row depends only on the copy; by `point', if it depends on the copy and position,
   pairs being numbered in the order of their first nodes; or by `node'.  Also prints
   `around', the loop around each loop.  */
void page_groups_print(struct page_data *data);

/* Prints the field `code', the machine code of what was measured: `bodies' are compiled
   functions, `parts' the copies of functions in them, `insns' the instructions body by
   body, `moved' the expressions whose code was moved out of loops.  If there is too
   much code for a page, the bodies with the fewest samples are left out.  */
void page_code_print(struct page_data *data);

/* Prints the fields `call_sites', `arcs' and `targets': the call sites; whom each called
   how often, exactly or within bounds; and the calls among which those of open sites are
   divided.  */
void page_arcs_print(struct page_data *data);

/* Prints the field `calls': how often functions called each other, exactly or within
   bounds.  */
void page_calls_print(struct page_data *data);

/* Prints the field `load', how each function's samples are spread over ranks or threads,
   if the data tell these apart: `over' says which, `workers' are their names, `rows' the
   figures of each function, `loads' its samples in each worker.  */
void page_load_print(struct page_data *data);

/* Prints the field `lists': `branches', the decisions that were reached, and
   `allocations', by site, type and path, each if there are any: the terminal's `columns'
   and `rows' with the place of each.  */
void page_lists_print(struct page_data *data);

/* Prints the field `measures', the one that the other fields have and the page shows
   first, and all others that are known: the words of each and, if stacks have it, in
   `values' what nodes have themselves.  */
void page_measures_print(struct page_data *data);

/* Prints the field `heap', if that is shown: of estimates the `ranges', by the number of
   the measure; `times', the buckets of time, and `cells', what each node has made in one
   and freed in another.  */
void page_heap_print(struct page_data *data);

/* Prints the field `regions', if any were measured: the rows by each key, with their
   histograms.  Times are in nanoseconds.  */
void page_regions_print(struct page_data *data);

/* A number; DATACOLUMNS_NONE instead of STACKS_NONE.  */
static inline int64_t page_number(uint32_t number)
{
    return number == STACKS_NONE ? DATACOLUMNS_NONE : (int64_t)number;
}

/* Defines VALUE_NAME, the value of a column for rows `struct TYPE *at', with `struct
   page_data *data' as the context.  */
#define PAGE_VALUE(value_name, type, value)                                              \
    static int64_t value_name(void *context, const void *of, size_t number)              \
    {                                                                                    \
        struct page_data *data = context;                                                \
        const struct type *at = (const struct type *)of + number;                        \
        (void)data;                                                                      \
        return (int64_t)(value);                                                         \
    }

/* The same for how far a number is behind that of the row before it: where rows stand in
   the order of the numbers, these take less room.  */
#define PAGE_STEP(value_name, type, member)                                              \
    PAGE_VALUE(value_name, type,                                                         \
               (int64_t)at->member - (number ? (int64_t)at[-1].member : 0))

#endif
