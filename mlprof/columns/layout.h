/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the texts of a table into the columns of the screen. Used only by sheet.c. */

#ifndef MLPROF_LAYOUT_H
#define MLPROF_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* fitted_: the cells of a table's last column, shortened to the available width. If
   shortened names are equal, their differences are put on a line below. */

/* Separate a name from its position or place in a cell. Names do not contain these
   characters, since text_clean replaces them. */
#define FITTED_POSITION '\t'
#define FITTED_PLACE    '\v'
#define FITTED_MARKS    "\t\v"

/* Separates a place from the text of its source line. */
#define FITTED_TEXT '\f'

/* Number of blanks between a name and the text after it, and at the beginning of a
   continuation line. */
#define FITTED_GAP    2
#define FITTED_INDENT 4

/* The parts of a cell as they are printed. SUFFIX, DISTINCTION, PLACE and TEXT may
   be NULL. */
struct fitted {
    char *name;
    char *suffix; /* position or place on the same line as the name */
    /* A continuation line with the part of the name that distinguishes it from equal
       shortened names. */
    char *distinction;
    /* A place that does not fit after the name: on a continuation line. */
    char *place;
    /* The text of a source line, at the end of the cell. If it does not fit there,
       TEXT_BELOW is true, and the text is on a continuation line. */
    char *text;
    bool text_below;
};

/* Fits the cells of ROWS rows into ROOM columns, on a terminal with LINE columns.
   CELLS points to the first row's cell, and the cells of consecutive rows are STRIDE
   elements apart. If LINE is 0, nothing is shortened. Freed by fitted_free. */
struct fitted *fitted_make(const char *const *cells, size_t stride, size_t rows,
                           size_t room, size_t line);

void fitted_free(struct fitted *fitted, size_t rows);

/* Prints a table in the layout of MLton's mlprof. The first column is left-aligned,
   and the other columns are right-aligned. Headings are centred above a row of dashes.
   Columns are separated by one blank, and trailing blanks are kept. HEADS has the
   headings of COLUMNS columns; CELLS has ROWS times COLUMNS texts, row by row. On a
   terminal, texts of the first column are shortened if a row would not fit into a
   line. In a file, very long texts shift the other columns of their row to the right. */
void layout_print(FILE *out, const char *const *heads, size_t columns, char *const *cells,
                  size_t rows);

#endif
