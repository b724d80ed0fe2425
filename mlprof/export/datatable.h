/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds a table as data, columns with names and rows of cells, and prints it as JSON or
   as CSV.  For compare-data.c; the tables of a profile are those of mlprof/table.  */

#ifndef MLPROF_DATATABLE_H
#define MLPROF_DATATABLE_H

#include "mlprof/base/json.h"

#include <stddef.h>

enum datatable_kind {
    DATATABLE_NULL, /* not known, or not measured */
    DATATABLE_TEXT,
    DATATABLE_INTEGER,
    DATATABLE_NUMBER,
    DATATABLE_BOOL
};

struct datatable_cell {
    enum datatable_kind kind;
    char *text; /* the table's */
    uint64_t integer;
    double number;
};

/* Starts with NAME and HEADS set, and all else zero.  */
struct datatable {
    const char *name;
    const char *const *heads;     /* the columns' names, NULL behind the last one */
    struct datatable_cell *cells; /* row by row */
    size_t count, capacity;
};

/* Put the next cell.  TEXT is copied as text_clean makes it, in UTF-8; NULL is not
   known.  */
void datatable_text(struct datatable *table, const char *text);
void datatable_integer(struct datatable *table, uint64_t value);
void datatable_number(struct datatable *table, double value);
void datatable_bool(struct datatable *table, bool value);
void datatable_null(struct datatable *table);

/* The same if KNOWN, otherwise nothing is known.  */
void datatable_integer_if(struct datatable *table, bool known, uint64_t value);

/* Prints the value of a field: a list of objects, one for each row.  */
void datatable_print_json(struct json *json, const struct datatable *table);

/* Prints a line of headings, then the rows (RFC 4180): what is not known is empty, a text
   with a comma, a quote or a line's end stands in quotes.  */
void datatable_print_csv(FILE *out, const struct datatable *table);

void datatable_free(struct datatable *table);

#endif
