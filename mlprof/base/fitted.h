/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shortens the cells of a table's last column to the room that they have, and puts below
   them what makes shortened names differ.  For sheet.h.  */

#ifndef MLPROF_FITTED_H
#define MLPROF_FITTED_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
