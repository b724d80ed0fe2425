/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by page.c and the files page-*.c. Each file page-*.c writes some fields of
   the page's data. page.c calls its functions. */

#ifndef MLPROF_PAGE_INSIDE_H
#define MLPROF_PAGE_INSIDE_H

#include "mlprof/page/datacolumns.h"
#include "mlprof/view/view.h"

/* The context of the columns. */
struct page_data {
    struct datacolumns columns;
    const struct view *view;
    struct intern files; /* paths of source files */
};

/* Returns the number of the file with the path PATH, or DATACOLUMNS_NONE if PATH is
   NULL. */
static inline int64_t page_file(struct page_data *data, const char *path)
{
    return path ? (int64_t)intern_put(&data->files, path) : DATACOLUMNS_NONE;
}

/* Prints the fields `functions', `groups', `keys', `totals' and `by': the rows of the
   tables by each key, what a key is, the totals for percentages, and the key that the
   user requested. */
void page_rows_print(struct page_data *data);

/* Returns the number of the row of SOURCE, or DATACOLUMNS_NONE if it has none. */
int64_t page_row_of(const struct page_data *data, const struct unit_source *source);

/* Prints the field `coded': the lines of the page's files that have machine code, each
   with its function. The field is empty if it would be incomplete: if some code has
   no positions, or if only calls have positions (without the kind time, or with
   time-field). After this call, no file may be added to the page. */
void page_coded_print(struct page_data *data);

/* Prints the field `lines': how often each line of each function was executed. */
void page_lines_print(struct page_data *data);

/* Prints the field `verdicts': what GCC did with each loop, by copies. */
void page_verdicts_print(struct page_data *data);

/* Prints the field `executed': how often each expression of each function was
   executed. If time was also sampled, the counts are by position, with the range of
   one expression that starts at the position. */
void page_executed_print(struct page_data *data);

/* Prints the field `row_of', which assigns nodes to rows of `groups'. The row is
   given by `copy' if it depends only on the node's copy, by `point' if it depends on
   copy and position, otherwise by `node'. Points are numbered in the order of their
   first nodes. Also prints `around', the loop around each loop. */
void page_groups_print(struct page_data *data);

/* Prints the field `code', the machine code of measured functions. It has `bodies',
   the compiled functions; `parts', the copies of functions inside the bodies; `insns',
   the instructions of all bodies; and `moved', the expressions whose code was moved
   out of loops. If there is too much code for a page, the bodies with the fewest
   samples are omitted. */
void page_code_print(struct page_data *data);

/* Prints the fields `call_sites', `arcs' (how often each call site called each callee,
   exactly or with bounds) and `targets' (the calls that are divided among open call
   sites). */
void page_arcs_print(struct page_data *data);

/* Prints the field `calls': how often functions called each other, exactly or with
   bounds. */
void page_calls_print(struct page_data *data);

/* If the data separate ranks or threads, prints the field `load', how each function's
   samples are distributed over them: `over' (ranks or threads), `workers' (names),
   `rows' (statistics of each function) and `loads' (samples of each function and
   worker). */
void page_load_print(struct page_data *data);

/* Prints the field `lists'. It has `branches', the executed decisions, if there
   are any, with `columns', as on the terminal, and `rows' with positions. */
void page_lists_print(struct page_data *data);

/* Prints the fields `measures' and `shown'. The first measure is the main measure:
   all other fields have its values, and the page shows it first. The other measures
   follow. Each measure has its words. If stacks have a measure, `values' lists the
   amounts of the nodes themselves, without their children. */
void page_measures_print(struct page_data *data);

/* If the heap is shown, prints the field `heap'. It has `ranges', the confidence
   intervals if blocks were sampled, with the index of the measure; `times', the
   buckets of time; and `cells', the memory that each node allocated in one bucket and
   freed in another. */
void page_heap_print(struct page_data *data);

/* If regions were measured, prints the field `regions': the rows by each key, with
   their histograms. Times are in nanoseconds. */
void page_regions_print(struct page_data *data);

/* If waits are shown, prints the field `waits'. It has `tables', those of -waits and
   -locks; `lanes', the threads; `names', what threads did, by time; and `events', the
   longest waits one by one. Times are in nanoseconds. */
void page_waits_print(struct page_data *data);

/* Returns NUMBER, or DATACOLUMNS_NONE if NUMBER is STACKS_NONE. */
static inline int64_t page_number(uint32_t number)
{
    return number == STACKS_NONE ? DATACOLUMNS_NONE : (int64_t)number;
}

/* Defines the function VALUE_NAME, which returns the value of a column for the row
   `struct TYPE *row'. VALUE may use `struct page_data *data', the context. */
#define PAGE_VALUE(value_name, type, value)                                              \
    static int64_t value_name(void *context, const void *rows, size_t number)            \
    {                                                                                    \
        struct page_data *data = context;                                                \
        const struct type *row = (const struct type *)rows + number;                     \
        (void)data;                                                                      \
        return (int64_t)(value);                                                         \
    }

/* Like PAGE_VALUE, but prints the difference between a number and the number in the
   previous row. If rows are sorted by the number, differences have fewer digits. */
#define PAGE_STEP(value_name, type, member)                                              \
    PAGE_VALUE(value_name, type,                                                         \
               (int64_t)row->member - (number ? (int64_t)row[-1].member : 0))

#endif
