/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output tables. A view declares the columns of a table once; the rows point to
   evaluated data. table.c prints tables on the terminal; data-table.c prints them as
   CSV, as JSON and for the page. Neither file depends on the contents of profiles.

   A column is a function of a row. The function is called when a cell is printed, so
   cells that are not printed are never computed. A column with an ID is in CSV and JSON
   even if its value was not measured, unless IN_DATA says otherwise. A column with a HEAD
   is on the terminal if its function PRESENT returns true. Everywhere, columns have the
   order of the list. */

#ifndef MLPROF_TABLE_H
#define MLPROF_TABLE_H

#include "mlprof/base/encoding.h"
#include "mlprof/columns/sheet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum table_kind {
    TABLE_NULL, /* unknown or not measured */
    TABLE_TEXT,
    TABLE_INTEGER,
    TABLE_NUMBER,
    TABLE_BOOL
};

struct table_value {
    enum table_kind kind;
    char *text; /* freed by table_release */
    uint64_t integer;
    double number;
};

/* A column. Its functions get the table's CONTEXT, a ROW of the table, and the column's
   WHICH, so that several columns can share a function. */
struct table_column {
    const char *id;    /* name in CSV and JSON; NULL: not in these formats */
    const char *means; /* description of the values, for users */
    struct table_value (*value)(const void *context, const void *row, unsigned which);
    /* The following fields are for the terminal. */
    const char *head; /* NULL, with HEAD_OF NULL: not on the terminal */
    /* Returns whether the column is shown; NULL: always shown. */
    bool (*present)(const void *context, unsigned which);
    /* Returns the text of a cell, to be freed. NULL: the value is printed, with `-' for
       null. */
    char *(*cell)(const void *context, const void *row, unsigned which);
    /* Returns the head if it depends on the measurement; NULL: HEAD is used. */
    const char *(*head_of)(const void *context, unsigned which);
    /* The rank for removing the column on a narrow terminal (sheet_set_drop_rank); 0:
       removed only if nothing else helps. */
    unsigned drop_rank;
    /* The alignment of the cells; zero: right-aligned, as for numbers. */
    enum sheet_side side;
    int mlton; /* place in MLton's layout; then the order of the list decides */

    /* The value of -sort (enum view_order) that sorts by this column: numbers in
       decreasing order, texts by name; 0: none. ORDER compares two rows instead of
       their values; may be NULL. */
    unsigned sort;
    int (*order)(const void *one, const void *other);

    /* Returns whether the column is in CSV and JSON, for views with several kinds of
       rows; NULL: always. */
    bool (*in_data)(const void *context, unsigned which);
    unsigned which;
};

/* Define two functions of a column: NAME returns its value, NAME_cell the text of the
   cell. GIVEN declares the variables that EXPRESSION uses, computed from OF, the
   table's context, and AT, the row. */
#define TABLE_VALUE(name, given, expression)                                             \
    static struct table_value name(const void *of, const void *at, unsigned which)       \
    {                                                                                    \
        given;                                                                           \
        (void)of, (void)at, (void)which;                                                 \
        return expression;                                                               \
    }

#define TABLE_CELL(name, given, expression)                                              \
    static char *name##_cell(const void *of, const void *at, unsigned which)             \
    {                                                                                    \
        given;                                                                           \
        (void)of, (void)at, (void)which;                                                 \
        return expression;                                                               \
    }

/* Define other functions of columns and tables: whether a column is shown, and its
   heading. DECLARATION declares the context for EXPRESSION: const struct view *view. */
#define TABLE_PRESENT(name, declaration, expression)                                     \
    static bool name(const void *table_context, unsigned column_which)                   \
    {                                                                                    \
        __attribute__((unused)) declaration = table_context;                             \
        (void)column_which;                                                              \
        return expression;                                                               \
    }

#define TABLE_HEAD(name, declaration, expression)                                        \
    static const char *name(const void *table_context, unsigned column_which)            \
    {                                                                                    \
        __attribute__((unused)) declaration = table_context;                             \
        (void)column_which;                                                              \
        return expression;                                                               \
    }

/* A column that is only in CSV and JSON. */
#define TABLE_DATA(column_id, column_means, column_value)                                \
    {                                                                                    \
        .id = column_id, .means = column_means, .value = column_value                    \
    }

/* A column that is only on the terminal. One of the two heads is NULL. */
#define TABLE_SHOWN(column_head, column_head_of, column_means, column_present,           \
                    column_cell)                                                         \
    {                                                                                    \
        .head = column_head, .head_of = column_head_of, .means = column_means,           \
        .present = column_present, .cell = column_cell                                   \
    }

/* Returns false for the empty entry at the end of a list of columns. */
static inline bool table_is_column(const struct table_column *column)
{
    return column->id || column->head || column->head_of || column->sort;
}

/* A variable number of additional columns, which are only on the terminal, after all
   other columns. COUNT returns their number. */
struct table_series {
    size_t (*count)(const void *of);
    const char *(*head)(const void *of, size_t nth);
    char *(*cell)(const void *of, const void *row, size_t nth); /* text to be freed */
};

/* The last column on the terminal, which names the rows. */
struct table_names {
    const char *head; /* NULL: HEAD_OF returns it */
    void (*put)(const void *of, struct sheet *sheet, const void *row);
    const char *(*head_of)(const void *of, unsigned which);
};

/* The declaration of a table by a view. */
struct table_view {
    const char *name;                   /* name of the table's field in JSON */
    const struct table_column *columns; /* ends with an empty column */
    struct table_names names;           /* all zero: not for the terminal */
    /* In MLton's layout, the names come before the columns whose field MLTON is at
       least NAMES_MLTON. */
    int names_mlton;
    /* Returns the colour of a row; NULL: plain. */
    enum sheet_tone (*tone)(const void *of, const void *row);
    struct table_series series; /* all zero: no such columns */
    /* Returns the row's percentage in the column cur; NULL: no such column. */
    double (*share)(const void *of, const void *row);
};

struct table {
    const struct table_view *view;
    const void *of; /* context passed to the columns' functions */
    const void **rows;
    size_t count, capacity;
    size_t cut;                 /* number of rows after COUNT, removed by table_cut */
    bool fits;                  /* print only as many rows as fit on the terminal */
    bool counts;                /* print the number of removed rows even if not FITS */
    size_t *heights;            /* like those of struct sheet */
    void *own;                  /* data created for this table */
    void (*release)(void *own); /* frees OWN; NULL: nothing to free */
};

/* Return values for columns. TEXT is copied as valid UTF-8, with control characters
   escaped (text_clean); NULL means unknown. */
struct table_value table_text(const char *text);
struct table_value table_integer(uint64_t value);
struct table_value table_number(double value);
struct table_value table_bool(bool value);
struct table_value table_null(void);

/* Like table_text, for a text that may be NULL and is freed. */
struct table_value table_text_freed(char *text);

/* Return a number or null: null if not KNOWN; table_number_if returns null also if
   VALUE is not finite. */
struct table_value table_integer_if(bool known, uint64_t value);
struct table_value table_number_if(bool known, double value);
void table_release(struct table_value value);

/* Return the value of COLUMN in ROW, released by table_release, and the text of its
   cell, freed by free. */
struct table_value table_value_at(const struct table *table,
                                  const struct table_column *column, const void *row);
char *table_cell_at(const struct table *table, const struct table_column *column,
                    const void *row);

/* Returns the name of ROW without columns around it. The caller frees it. */
char *table_name_at(const struct table *table, const void *row);

/* Appends a row, which must live as long as TABLE. */
void table_add(struct table *table, const void *row);

/* Sorts the rows by the shown column whose field SORT equals the argument SORT. Rows
   with equal values keep their order. Returns false if there is no such column. */
bool table_sort(struct table *table, unsigned sort);

/* Returns whether VIEW has a column with this SORT. If SORT is 0, returns whether it
   has a column with any SORT. */
bool table_sorts(const struct table_view *view, unsigned sort);

/* For table_cut: as many rows as fit on the terminal, or 20 in a file. */
#define TABLE_FITS SIZE_MAX

/* Removes all rows except the first TOP; 0: none are removed. With TABLE_FITS,
   table_print prints the number of removed rows. */
void table_cut(struct table *table, size_t top);

void table_free(struct table *table);

/* Returns the *COUNT columns that are shown on the terminal, in their order; freed by
   free. */
const struct table_column **table_shown(const struct table *table, size_t *count);

/* Returns the head of a column on the terminal. */
const char *table_head(const struct table *table, const struct table_column *column);

/* Prints the table for a terminal, in MLton's layout if MLTON. */
void table_print(FILE *out, const struct table *table, bool mlton);

/* Prints the rows as the value of a field: a list with an object for each row. */
void table_print_json(struct json *json, const struct table *table);

/* Prints the value of a field for the page: a list of the terminal's columns that have
   values. Each column has an id (or its head if it has no id), a head and a meaning.
   It also says whether its values are texts. It has the values by which the page
   sorts, and the texts of the cells, one per row. */
void table_print_page(struct json *json, const struct table *table);

/* A column that a view of the page draws itself. ID is its id in the view's
   declaration; NAME is its name in the page's data. A list of these columns ends with
   an empty element. */
struct table_page_column {
    const char *id, *name;
};

/* Prints a field for each of COLUMNS: the list of its values, one per row. */
void table_print_columns(struct json *json, const struct table *table,
                         const struct table_page_column *columns);

/* Prints the field NAME: an object with the meanings of VIEW's columns. Their keys are
   the ids, or the heads of columns without an id. If several columns have the same
   key, only the last one is printed. */
void table_print_meanings(struct json *json, const char *name,
                          const struct table_view *view);

/* Prints a line of column names, then the rows (RFC 4180). An unknown value is empty.
   A text with a comma, a quote or a line end is quoted. */
void table_print_csv(FILE *out, const struct table *table);

#endif
