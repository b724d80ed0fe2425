/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the cells of a table's last column look like where they have so much room and no
   more: names are shortened, and what makes them look alike then stands below them.  For
   sheet.h.  */

#ifndef MLPROF_FITTED_H
#define MLPROF_FITTED_H

#include <stddef.h>

/* Between a name and its position in one cell, and between a name and its place; no text
   has one, text_clean sees to it.  */
#define FITTED_POSITION '\t'
#define FITTED_PLACE    '\v'
#define FITTED_MARKS    "\t\v"

/* Between a name and what stands behind it, and where a line of its own begins.  */
#define FITTED_GAP    2
#define FITTED_INDENT 4

/* BEHIND, APART and PLACE may be NULL.  */
struct fitted {
    char *name;
    char *behind; /* a position, or a place that fits into the line */
    char *apart;  /* on a line of its own: what other rows do not show either */
    char *place;  /* on a line of its own: one that does not fit */
};

/* CELLS of ROWS rows, each STRIDE behind the one before, in ROOM columns, on a terminal
   of LINE columns; 0: all stand whole.  Freed by fitted_free.  */
struct fitted *fitted_make(const char *const *cells, size_t stride, size_t rows,
                           size_t room, size_t line);

void fitted_free(struct fitted *fitted, size_t rows);

#endif
