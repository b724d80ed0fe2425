/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output tables, between evaluation and output.  A view declares the columns of a table
   once; the rows refer to evaluated data.  table.c prints tables on the terminal, and
   data-table.c as CSV, as JSON and for the page.  Both know tables, but not profiles.

   A column is a function of a row.  The renderer calls it when it prints the cell, so
   cells that are not printed are never made.  A column with an ID is always in CSV and
   JSON, whatever was measured.  The order of declaration is part of these formats: add
   new columns at the end.  A column with a HEAD is on the terminal if its function THERE
   says so, and the columns there are sorted by PLACE.  */

#ifndef MLPROF_TABLE_H
#define MLPROF_TABLE_H

#include "mlprof/base/encoding.h"
#include "mlprof/columns/sheet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum table_kind {
    TABLE_NULL, /* unknown, or not measured */
    TABLE_TEXT,
    TABLE_INTEGER,
    TABLE_NUMBER,
    TABLE_BOOL
};

struct table_value {
    enum table_kind kind;
    char *text; /* to be freed by table_release */
    uint64_t integer;
    double number;
};

/* OF is the table's context, ROW one of its rows.  */
struct table_column {
    const char *id;    /* name in CSV and JSON; NULL: the column is not there */
    const char *means; /* what a value means, for people */
    struct table_value (*value)(const void *of, const void *row);
    /* The following is for the terminal.  */
    const char *head; /* NULL, with HEAD_OF: the column is not on the terminal */
    int place;        /* columns are sorted by increasing place */
    /* Whether the column is shown; NULL: always.  */
    bool (*there)(const void *of);
    /* Text to be freed; NULL, with CELL_OF: the value's, with `-' for null.  */
    char *(*cell)(const void *of, const void *row);
    /* The head, if it depends on what was measured; NULL: HEAD.  */
    const char *(*head_of)(const void *of);
    /* The column is left out if a terminal has no room: the rank in sheet.h.  */
    unsigned drop_rank;
    /* The alignment of the cells; zero: to the right, as numbers.  */
    enum sheet_side side;
    int mlton; /* the place in MLton's layout; of equals the lesser PLACE comes first */

    /* The -sort (enum view_order) by this column's values: numbers from the greatest,
       texts by name; 0: none.  ORDER compares two rows with equal values; may be
       NULL.  */
    unsigned sort;
    int (*order)(const void *one, const void *other);

    /* Whether the column is in CSV and JSON, for views with several kinds of rows; NULL:
       always.  */
    bool (*in_data)(const void *of);

    /* In place of VALUE and CELL: functions of several columns, which get the column's
       WHICH.  */
    struct table_value (*value_of)(const void *of, const void *row, unsigned which);
    char *(*cell_of)(const void *of, const void *row, unsigned which);
    unsigned which;
};

/* Define two functions of a column: NAME, its value, and NAME_cell, the value as it is
   shown.  GIVEN declares the variables of EXPRESSION, from OF, the table's context, and
   AT, the row.  */
#define TABLE_VALUE(name, given, expression)                                             \
    static struct table_value name(const void *of, const void *at)                       \
    {                                                                                    \
        given;                                                                           \
        (void)of, (void)at;                                                              \
        return expression;                                                               \
    }

#define TABLE_CELL(name, given, expression)                                              \
    static char *name##_cell(const void *of, const void *at)                             \
    {                                                                                    \
        given;                                                                           \
        (void)of, (void)at;                                                              \
        return expression;                                                               \
    }

/* Define the other functions of columns and of tables, of OF: whether a column is there,
   and a heading.  */
#define TABLE_THERE(name, expression)                                                    \
    static bool name(const void *of)                                                     \
    {                                                                                    \
        return expression;                                                               \
    }

#define TABLE_HEAD(name, expression)                                                     \
    static const char *name(const void *of)                                              \
    {                                                                                    \
        (void)of;                                                                        \
        return expression;                                                               \
    }

/* A column that is only in CSV and JSON.  */
#define TABLE_DATA(column_id, column_means, column_value)                                \
    {                                                                                    \
        .id = column_id, .means = column_means, .value = column_value                    \
    }

/* A column of the terminal; ID is NULL if it is only there.  Other fields stand behind.
 */
#define TABLE_COLUMN(column_id, column_means, column_value, column_head, column_place,   \
                     ...)                                                                \
    {                                                                                    \
        .id = column_id, .means = column_means, .value = column_value,                   \
        .head = column_head, .place = column_place, __VA_ARGS__                          \
    }

/* A column that is only on the terminal.  One of the heads is NULL.  */
#define TABLE_SHOWN(column_head, column_head_of, column_means, column_place,             \
                    column_there, column_cell)                                           \
    {                                                                                    \
        .head = column_head, .head_of = column_head_of, .means = column_means,           \
        .place = column_place, .there = column_there, .cell = column_cell                \
    }

/* False for the entry that ends a list of columns.  */
static inline bool table_is_column(const struct table_column *column)
{
    return column->id || column->head || column->head_of || column->sort;
}

/* Columns behind the others, only on the terminal, as many as was measured.  */
struct table_series {
    size_t (*count)(const void *of);
    const char *(*head)(const void *of, size_t nth);
    char *(*cell)(const void *of, const void *row, size_t nth); /* text to be freed */
};

/* The last column on the terminal, which names the rows.  */
struct table_names {
    const char *(*head)(const void *of);
    void (*put)(const void *of, struct sheet *sheet, const void *row);
};

/* The head of names that are functions'.  */
const char *table_head_function(const void *of);

/* The declaration of a table by a view.  */
struct table_view {
    const char *name;                   /* the name of the field in JSON */
    const struct table_column *columns; /* ends with an empty column */
    struct table_names names;           /* all zero: the table is not for the terminal */
    /* In MLton's layout the names are in front of the columns with this PLACE and more.
     */
    int names_mlton;
    /* The colour of a row; NULL: plain.  */
    enum sheet_tone (*tone)(const void *of, const void *row);
    struct table_series series; /* all zero: there is none */
    /* A row's percentage in the column cur; NULL: there is none.  */
    double (*share)(const void *of, const void *row);
};

struct table {
    const struct table_view *view;
    const void *of; /* the context of columns */
    const void **rows;
    size_t count, capacity;
    size_t cut;                 /* rows behind these that table_cut has taken */
    bool fits;                  /* the terminal's lines limit what is printed */
    bool counts;                /* a line says how many rows were cut, not only if FITS */
    void *own;                  /* data that were made for this table */
    void (*release)(void *own); /* frees OWN; NULL: nothing to free */
};

/* The values of columns.  TEXT is copied, with control characters written out
   (text_clean) and in UTF-8; NULL: unknown.  */
struct table_value table_text(const char *text);
struct table_value table_integer(uint64_t value);
struct table_value table_number(double value);
struct table_value table_bool(bool value);
struct table_value table_null(void);

/* Like table_text, for a text that is freed and may be NULL.  */
struct table_value table_text_freed(char *text);

/* A number, or null: table_integer_if unless KNOWN, the other unless finite.  */
struct table_value table_integer_if(bool known, uint64_t value);
struct table_value table_number_if(bool known, double value);
void table_release(struct table_value value);

/* The value of COLUMN in ROW, for table_release, and its cell, to be freed.  */
struct table_value table_value_at(const struct table *table,
                                  const struct table_column *column, const void *row);
char *table_cell_at(const struct table *table, const struct table_column *column,
                    const void *row);

/* Whether the column is in CSV and JSON.  */
bool table_in_data(const struct table *table, const struct table_column *column);

/* Appends a row, which must live as long as TABLE.  */
void table_add(struct table *table, const void *row);

/* Sorts the rows by the column that is shown and has this SORT; rows with equal values
   keep their order.  Returns false if there is no such column.  */
bool table_sort(struct table *table, unsigned sort);

/* A column of VIEW is sorted by with SORT; with any if SORT is 0.  */
bool table_sorts(const struct table_view *view, unsigned sort);

/* For table_cut: as many rows as have room on the terminal, or 20 in a file.  */
#define TABLE_FITS SIZE_MAX

/* Leaves the first TOP rows; 0: all.  With TABLE_FITS a line of table_print says how many
   more there are.  */
void table_cut(struct table *table, size_t top);

void table_free(struct table *table);

/* Sets SHOWN to the columns that the terminal has, in their order; returns their
   number.  */
size_t table_shown(const struct table *table,
                   const struct table_column *shown[SHEET_MOST]);

/* The head of a column on the terminal.  */
const char *table_head(const struct table *table, const struct table_column *column);

/* Prints the table on a terminal, in MLton's layout if MLTON.  */
void table_print(FILE *out, const struct table *table, bool mlton);

/* Prints the value of a field: a list with an object for each row.  */
void table_print_json(struct json *json, const struct table *table);

/* Prints the value of a field for the page: a list of the terminal's columns that have a
   value.  Each column has its id (or else its head as the id), its head and meaning,
   whether its values are texts, its values by row, by which the page sorts, and its texts
   by row.  */
void table_print_page(struct json *json, const struct table *table);

/* A column that a view of the page draws itself: ID as declared, NAME as the page has the
   list of its values.  A list of these ends with an empty one.  */
struct table_page_column {
    const char *id, *name;
};

/* Prints a field for each of COLUMNS: the list of its values, by row.  */
void table_print_columns(struct json *json, const struct table *table,
                         const struct table_page_column *columns);

/* Prints the field NAME: an object with the meanings of VIEW's columns, by id, or by head
   if a column has no id.  If several columns have one name, the last one is printed.  */
void table_print_meanings(struct json *json, const char *name,
                          const struct table_view *view);

/* Prints a line of headings, then the rows (RFC 4180).  An unknown value is empty; a text
   with a comma, a quote or an end of line is in quotes.  */
void table_print_csv(FILE *out, const struct table *table);

#endif
