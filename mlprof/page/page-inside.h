/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that write the data of the page have in common.  */

#ifndef MLPROF_PAGE_INSIDE_H
#define MLPROF_PAGE_INSIDE_H

#include "mlprof/page/datacolumns.h"
#include "mlprof/view/view.h"

/* A source file, by one of the names that the tables have for it.  */
struct page_file {
    const char *directory, *name;
};

/* Source files, numbered from 0 as they are met.  Starts as all zero.  */
struct page_files {
    struct index names; /* directory and name, by their addresses */
    uint32_t *of_name;  /* the number of the file that they mean */
    size_t name_count, name_capacity;
    struct intern paths; /* of files, by number */
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
   is. Both live as long as FILES.  */
int64_t page_files_put(struct page_files *files, const char *directory, const char *name);

/* Prints the field `files', the paths and the texts; null is the text of one that cannot
   be read, which is told on stderr, and `looked' then tells where it was looked for.  */
void page_files_print(struct page_files *files, struct json *json,
                      const struct view *view);

void page_files_free(struct page_files *files);

/* Prints the fields `functions', `groups', `totals' and `by', the rows of the tables,
   what their shares are of, and which are asked for.  */
void page_rows_print(struct page_data *data);

/* The row of a source; DATACOLUMNS_NONE: it has none.  */
int64_t page_row_of(const struct page_data *data, const struct unit_source *source);

/* Prints the field `coded': the lines of the files of the page that have machine code, of
   all of the program, each with the function; none if positions are not known everywhere.
   The page gets no more files after it.  */
void page_coded_print(struct page_data *data);

/* What the rows of KEY are called there.  */
const char *page_rows_name(enum rows_key key);

/* Prints the field `row_of', the row of `groups' that each node is in: by `copy' where
   its copy tells, by `point' where its copy and position do, these pairs numbered in the
   order in which nodes have them first, and by `node'; and the loop `around' each loop.
 */
void page_groups_print(struct page_data *data);

/* Prints the field `code', the machine code of what was measured: `bodies' are functions
   as they were compiled, `parts' the copies of functions in them, `insns' the
   instructions of one body after the other, `moved' what was moved out of
   loops (page-moved.h).  Bodies beyond the most that a page has,
   those with the least samples, are left out.  */
void page_code_print(struct page_data *data);

/* Prints the fields `call_sites', `arcs' and `targets': call sites, whom they called how
   often or between which bounds, and the calls that the open ones among them are divided
   by. */
void page_arcs_print(struct page_data *data);

/* Prints the field `load', how each function's samples are spread over ranks or threads,
   if they are told apart: `over' says which, `workers' are their names, `rows' the
   figures of each function, `loads' its samples in each.  */
void page_load_print(struct page_data *data);

/* Prints the field `regions', if any were measured: the rows of each way to tell them
   apart, with their histograms; times are nanoseconds.  */
void page_regions_print(struct page_data *data);

/* A column VALUE_NAME of rows that are `struct TYPE *at', with `struct page_data *data'.
 */
#define PAGE_VALUE(value_name, type, value)                                              \
    static int64_t value_name(void *context, const void *of, size_t number)              \
    {                                                                                    \
        struct page_data *data = context;                                                \
        const struct type *at = (const struct type *)of + number;                        \
        (void)data;                                                                      \
        return (int64_t)(value);                                                         \
    }

#endif
