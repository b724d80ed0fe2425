/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a table on the terminal: numbers first and names last, so that long names do
   not shift other columns. Used by table.c and by views; the caller adds columns, puts
   cells row by row, and prints.

   Headings are aligned with their columns, and no line ends in a blank. A row fits
   into one line of a terminal with at least 80 columns, or into 80 columns in a file:
    - A name that is too long is shortened in several steps (cxxname_fit).
    - A name and its position are shortened separately.
    - A place that does not fit is printed on a line of its own, since two rows may
      differ only in their places.
    - If shortened names are equal, their differences are printed below them (layout.h).
    - If other columns leave no room for names, each name has a line of its own. If
      there are still too many columns, the last numbers are removed.
   After terminal_whole, texts in files are not shortened. On a terminal with colours,
   a scope is printed faint if most names begin with it. */

#ifndef MLPROF_SHEET_H
#define MLPROF_SHEET_H

#include "mlprof/base/buf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum sheet_side {
    SHEET_NUMBER, /* right-aligned */
    SHEET_TEXT    /* left-aligned */
};

/* The importance of a row, shown by colour on terminals that have colours. */
enum sheet_tone { SHEET_PLAIN, SHEET_WARM, SHEET_HOT };

struct sheet_column {
    const char *head;
    enum sheet_side side;
    int place; /* sort key of columns in MLton's layout */
    unsigned drop_rank;
};

/* Starts as all zero. */
struct sheet {
    BUF_VECTOR(struct sheet_column) columns;
    char **cells; /* row by row */
    size_t count, capacity;
    BUF_VECTOR(enum sheet_tone) tones; /* colour of the numbers of each row */
    size_t lines;    /* maximum number of lines to print; 0: unlimited */
    size_t *heights; /* NULL, or set to the number of lines of each printed row */
};

/* Adds a column. HEAD is not copied. The last column must be of type SHEET_TEXT: it
   has the names. */
void sheet_column(struct sheet *sheet, const char *head, enum sheet_side side, int place);

/* Allows the last added column to be removed if the terminal is too narrow. RANK is
   greater than 0; columns with the highest RANK are removed first. */
void sheet_set_drop_rank(struct sheet *sheet, unsigned rank);

/* Adds the next cell. The sheet takes ownership of TEXT. */
void sheet_put(struct sheet *sheet, char *text);

/* Adds the next cell: NAME, followed by POSITION, which may be NULL. The sheet takes
   ownership of both. */
void sheet_put_name(struct sheet *sheet, char *name, char *position);

/* Adds the next cell: NAME, followed by PLACE, a text that describes or locates NAME.
   Both may contain marked parts (text_part in text.h). If they do not fit into one
   line, PLACE is printed on a line of its own. The sheet takes ownership of both
   texts. */
void sheet_put_place(struct sheet *sheet, char *name, char *place);

/* Adds the next cell like sheet_put_place, followed by TEXT, the text of a source
   line, which may be NULL. The sheet takes ownership of TEXT. Not for MLton's layout. */
void sheet_put_text(struct sheet *sheet, char *name, char *place, char *text);

/* Sets the colour of the next row. */
void sheet_tone(struct sheet *sheet, enum sheet_tone tone);

/* Prints the sheet, in MLton's layout (layout.h) if MLTON, and frees its content.
   Returns the number of printed rows. */
size_t sheet_print(FILE *out, struct sheet *sheet, bool mlton);

/* Returns the text of the only cell, and frees the content of SHEET. The caller frees the
   text. */
char *sheet_text(struct sheet *sheet);

/* Prints a line: BEFORE, a blank, NAME, and POSITION, which may be NULL, shortened as
   in a table. Frees NAME and POSITION. */
void sheet_line(FILE *out, const char *before, char *name, char *position);

#endif
