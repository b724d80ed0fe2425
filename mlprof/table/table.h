/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table is what stands between evaluation and output: columns, which a view declares
   once, and rows that refer to what was evaluated.  The renderers (the terminal's in
   terminal-table.c, those of CSV and JSON in data-table.c, the page's in page-table.c)
   know tables and no profile.

   A column is a function of a row, which a renderer calls when it prints the cell: no
   cell is made that nobody prints.  A column has up to two faces.  With an ID it stands
   in CSV and JSON, in every table, whatever was measured; the order of declaration is a
   format there, and new columns come at the end.  With a CELL it stands on the terminal,
   below its head, if it is THERE for what was measured, ordered by PLACE.  */

#ifndef MLPROF_TABLE_H
#define MLPROF_TABLE_H

#include "mlprof/base/json.h"
#include "mlprof/base/sheet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum table_kind {
    TABLE_NULL, /* not known, or not measured */
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

/* OF is the table's, ROW one of its rows.  */
struct table_column {
    const char *id;    /* in CSV and JSON; NULL: the column does not stand there */
    const char *means; /* what a value is, for people */
    struct table_value (*value)(const void *of, const void *row);

    /* The face of the terminal.  */
    const char *head;
    int place; /* of the columns that are shown the least comes first */
    bool (*there)(const void *of);                  /* NULL: always */
    char *(*cell)(const void *of, const void *row); /* to be freed; NULL: the terminal
                                                       does not have the column */
    const char *(*head_of)(const void *of);         /* where the head depends on what was
                                                       measured; NULL: HEAD */
    bool gives_way;                                 /* where a terminal has no room */
    enum sheet_side side;                           /* of its cells; zero: numbers */
    int mlton; /* in MLton's layout the least comes first, of equals by PLACE */

    /* The -sort (enum view_order) that goes by the value: numbers from the greatest to
       the least, texts by name; 0: none does.  ORDER is that of two rows where the value
       does not tell; NULL.  */
    unsigned sort;
    int (*order)(const void *one, const void *other);

    /* In CSV and JSON, of views whose rows are of several kinds; NULL: always.  */
    bool (*in_data)(const void *of);
};

/* Define functions of a column: its value, and NAME_cell, how that is shown.  GIVEN
   declares what the expression goes by, from OF, the table's, and AT, the row.  */
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

/* A column of CSV and JSON alone.  */
#define TABLE_DATA(column_id, column_means, column_value)                                \
    {                                                                                    \
        .id = column_id, .means = column_means, .value = column_value                    \
    }

/* A column of the terminal alone; one of the heads is NULL.  */
#define TABLE_SHOWN(column_head, column_head_of, column_means, column_place,             \
                    column_there, column_cell)                                           \
    {                                                                                    \
        .head = column_head, .head_of = column_head_of, .means = column_means,           \
        .place = column_place, .there = column_there, .cell = column_cell                \
    }

/* False behind the last column of a list.  */
static inline bool table_is_column(const struct table_column *column)
{
    return column->id || column->cell || column->sort;
}

/* Columns on the terminal alone of which there are as many as was measured.  They stand
   behind the others.  */
struct table_series {
    size_t (*count)(const void *of);
    const char *(*head)(const void *of, size_t nth);
    char *(*cell)(const void *of, const void *row, size_t nth); /* to be freed */
};

/* The last column on the terminal: what the rows are called.  */
struct table_names {
    const char *(*head)(const void *of);
    void (*put)(const void *of, struct sheet *sheet, const void *row);
};

/* What a view declares.  */
struct table_view {
    const char *name;                   /* of the field in JSON */
    const struct table_column *columns; /* an empty one behind the last */
    struct table_names names; /* all zero: the table has no face of a terminal */
    int names_mlton; /* in MLton's layout names stand before columns with this number */
    enum sheet_tone (*tone)(const void *of, const void *row); /* NULL: plain */
    struct table_series series; /* all zero: there is none */
};

struct table {
    const struct table_view *view;
    const void *of; /* what columns are given beside a row */
    const void **rows;
    size_t count, capacity;
    void *own;                  /* what was made for the table */
    void (*release)(void *own); /* what table_free does with that; NULL: nothing */
};

/* Values of columns.  TEXT is copied as text_clean makes it, in UTF-8; NULL is not
   known.  */
struct table_value table_text(const char *text);
struct table_value table_integer(uint64_t value);
struct table_value table_number(double value);
struct table_value table_bool(bool value);
struct table_value table_null(void);

/* The same of a text that is freed, which may be NULL.  */
struct table_value table_text_freed(char *text);

/* The same if it is KNOWN, and if a number is finite.  */
struct table_value table_integer_if(bool known, uint64_t value);
struct table_value table_number_if(bool known, double value);
void table_release(struct table_value value);

/* The column stands in CSV and JSON.  */
bool table_in_data(const struct table *table, const struct table_column *column);

/* Appends a row, which lives longer than TABLE.  */
void table_add(struct table *table, const void *row);

/* Sorts the rows by the column that SORT means and that is there; rows with equal values
   keep their order.  Returns whether there is such a column.  */
bool table_sort(struct table *table, unsigned sort);

void table_free(struct table *table);

/* Fills SHOWN with the columns that stand on a terminal, in their order; returns how
   many.  */
size_t table_shown(const struct table *table,
                   const struct table_column *shown[SHEET_MOST]);

/* The head of a column there.  */
const char *table_head(const struct table *table, const struct table_column *column);

/* Prints the table on a terminal, in MLton's layout if MLTON.  */
void table_print(FILE *out, const struct table *table, bool mlton);

/* Prints the value of a field: a list of objects, one for each row.  */
void table_print_json(struct json *json, const struct table *table);

/* Prints the value of a field for the page: a list of the columns that a terminal has and
   that have a value, each with its id, or else
   its head as that, its head and meaning, and by row its values, by which
   the page sorts, and its texts.  */
void table_print_page(struct json *json, const struct table *table);

/* Prints a line of headings, then the rows (RFC 4180): what is not known is empty, a text
   with a comma, a quote or a line's end stands in quotes.  */
void table_print_csv(FILE *out, const struct table *table);

#endif
