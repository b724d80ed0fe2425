/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lays out a table for the views: numbers first, names last, so that a long name pushes
   nothing aside.  A view adds columns, puts cells row by row, and prints.

   Headings are aligned with their columns; no line ends in a blank.  On a terminal a row
   fits into a line of at least 80 columns, and in a file into a line of 80:
    - Texts lose their beginnings, since names differ at the end.
    - A name and its position are shortened separately.
    - A place that does not fit has a line of its own, since two rows may differ in their
      places alone.
    - If shortened names are equal, their differences are printed below them (layout.h).
    - If other columns leave no room for names, each name has a line of its own.  If there
      are still too many columns, the last numbers are left out.
   After terminal_whole, texts in files are not shortened.  With colours, a scope with
   which most names begin is faint.  */

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

/* The meanings of colours, on a terminal that has colours.  */
enum sheet_tone { SHEET_PLAIN, SHEET_WARM, SHEET_HOT };

struct sheet_column {
    const char *head;
    enum sheet_side side;
    int place; /* the order of columns in MLton's layout */
    unsigned drop_rank;
};

/* Starts as all zero.  */
struct sheet {
    struct sheet_column columns[SHEET_MOST];
    size_t column_count;
    char **cells; /* row by row */
    size_t count, capacity;
    enum sheet_tone *tones; /* by row: the colour of its numbers */
    size_t tone_count, tone_capacity;
    size_t lines; /* rows are printed until so many lines are full; 0: all */
};

/* HEAD is not copied.  The last column is a text: a name.  */
void sheet_column(struct sheet *sheet, const char *head, enum sheet_side side, int place);

/* Lets the column that was added last be left out if a terminal has no room.  Columns
   with the highest RANK, which is greater than 0, are left out first.  */
void sheet_set_drop_rank(struct sheet *sheet, unsigned rank);

/* Puts the next cell, which the sheet frees.  */
void sheet_put(struct sheet *sheet, char *text);

/* Puts the next cell: NAME, and behind it POSITION, which may be NULL.  The sheet frees
   both.  */
void sheet_put_name(struct sheet *sheet, char *name, char *position);

/* Puts the next cell: NAME, and PLACE, which describes what or where NAME is; both have
   parts (text.h).  If they do not fit into one line, PLACE has a line of its own.  The
   sheet frees both.  */
void sheet_put_place(struct sheet *sheet, char *name, char *place);

/* Puts the next cell like sheet_put_place, and behind it TEXT, a line of source, which
   may be NULL and is freed.  Not for MLton's layout.  */
void sheet_put_text(struct sheet *sheet, char *name, char *place, char *text);

/* Sets the colour of the next row.  */
void sheet_tone(struct sheet *sheet, enum sheet_tone tone);

/* Prints the sheet, in MLton's layout (layout.h) if MLTON, and frees what it holds.
   Returns how many rows were printed.  */
size_t sheet_print(FILE *out, struct sheet *sheet, bool mlton);

/* Prints a line: BEFORE, a blank, NAME, and POSITION, which may be NULL, shortened as in
   a table.  Frees both.  */
void sheet_line(FILE *out, const char *before, char *name, char *position);

#endif
