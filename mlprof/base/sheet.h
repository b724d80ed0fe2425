/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lays out a table for the views: numbers first, names last, so that a long name spoils
   nothing.  A view adds its columns, puts its cells row by row, and prints.

   Headings stand where their columns do; no line ends in a blank.  On a terminal a row
   fits into its line, from 80 columns on: texts are shortened in front, since names
   differ at the end, and a name and its position each for itself.  Elsewhere they stand
   whole.  A place is the exception: rows that differ in nothing else must be told apart.
   What makes names of two rows look alike stands below them (fitted.h).
 */

#ifndef MLPROF_SHEET_H
#define MLPROF_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define SHEET_MOST 16

enum sheet_side {
    SHEET_NUMBER, /* to the right */
    SHEET_TEXT    /* to the left */
};

/* What colours are for, on a terminal that has them.  */
enum sheet_tone { SHEET_PLAIN, SHEET_WARM, SHEET_HOT };

struct sheet_column {
    const char *head;
    enum sheet_side side;
    int place; /* in MLton's layout, in which columns are ordered by it */
    bool gives_way;
};

/* Starts as all zero.  */
struct sheet {
    struct sheet_column columns[SHEET_MOST];
    size_t column_count;
    char **cells; /* row by row */
    size_t count, capacity;
    enum sheet_tone *tones; /* of each row's numbers */
    size_t tone_count, tone_capacity;
};

/* HEAD is not copied.  The last column is a text: a name.  */
void sheet_column(struct sheet *sheet, const char *head, enum sheet_side side, int place);

/* On a terminal without room for it the column that was added last is left out; of
   several such columns the first ones are.  */
void sheet_gives_way(struct sheet *sheet);

/* The next cell, which the sheet frees.  */
void sheet_put(struct sheet *sheet, char *text);

/* The next cell: NAME with POSITION, which may be NULL, behind it.  The sheet frees both.
 */
void sheet_put_name(struct sheet *sheet, char *name, char *position);

/* The same with what NAME is, or where, in PLACE; both have parts (text.h).  Where they
   do not fit into the line, PLACE has one of its own.  */
void sheet_put_place(struct sheet *sheet, char *name, char *place);

/* How the row that comes next is to be shown.  */
void sheet_tone(struct sheet *sheet, enum sheet_tone tone);

/* Leaves the first ROWS only; 0: all.  */
void sheet_cut(struct sheet *sheet, size_t rows);

/* Prints the sheet, in MLton's layout (layout.h) if MLTON, and frees what it holds.  */
void sheet_print(FILE *out, struct sheet *sheet, bool mlton);

/* Prints a line: BEFORE, a blank, NAME, and POSITION, which may be NULL, shortened as in
   a table.  Frees both.  */
void sheet_line(FILE *out, const char *before, char *name, char *position);

#endif
