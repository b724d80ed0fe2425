/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the texts of a table into the columns of the screen, for sheet.c.  */

#ifndef MLPROF_LAYOUT_H
#define MLPROF_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The cells of a table's last column, shortened to the room that they have, and what is
   put below them to make shortened names differ.  */

/* Separates a name from its position or place in a cell.  Names contain none, since
   text_clean replaces it.  */
#define FITTED_POSITION '\t'
#define FITTED_PLACE    '\v'
#define FITTED_MARKS    "\t\v"

/* Separates a place from the text of its source line.  */
#define FITTED_TEXT '\f'

/* Blanks between a name and what stands behind it, and before a line of its own.  */
#define FITTED_GAP    2
#define FITTED_INDENT 4

/* BEHIND, APART, PLACE and TEXT may be NULL.  */
struct fitted {
    char *name;
    char *behind; /* a position or place on the name's line */
    /* On a line of its own: the part of the name that other rows with this name do not
       have.  */
    char *apart;
    /* A place on a line of its own, since it does not fit behind the name.  */
    char *place;
    /* The text of a source line, behind all else or, if it does not fit there, on a line
       of its own.  */
    char *text;
    bool text_apart;
};

/* Fits the cells of ROWS rows, each STRIDE behind the one before, into ROOM columns, on a
   terminal with lines of LINE columns; LINE 0: nothing is shortened.  Freed by
   fitted_free.  */
struct fitted *fitted_make(const char *const *cells, size_t stride, size_t rows,
                           size_t room, size_t line);

void fitted_free(struct fitted *fitted, size_t rows);

/* Prints a table as MLton's mlprof does: the first column to the left, the others to the
   right, headings centred over a row of dashes, one blank between columns, no blank
   trimmed.  It has COLUMNS columns: HEADS are their headings, CELLS has ROWS times
   COLUMNS texts, row by row.  On a terminal, texts of the first column are shortened if a
   row would not fit into a line; elsewhere very long texts push the rest of their row to
   the right.  */
void layout_print(FILE *out, const char *const *heads, size_t columns, char *const *cells,
                  size_t rows);

#endif
