/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares names and numbers for the screen.  */

#ifndef MLPROF_TEXT_H
#define MLPROF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many bytes the character at TEXT has: 1 if it is none of UTF-8.  OBEYED: a terminal
   does not show it, but does what it says; it is a control character, of C0 or, in UTF-8
   or as a byte, of C1, or it turns the direction of writing.  */
size_t text_character(const char *text, bool *obeyed);

/* Puts in TEXT a question mark in place of each character that a terminal obeys.  */
void text_mask(char *text);

/* NAME with what a terminal obeys written as \xHH, each byte, so that no name can break a
   line; freed by free.  */
char *text_clean(const char *name);

/* The last component of a name: b of a::b, a.b and a<x::y>::b.  Points into NAME.  */
const char *text_last_component(const char *name);

/* TEXT is WITH, or more behind it.  */
bool text_begins(const char *text, const char *with);

/* Columns on a screen: characters of UTF-8.  */
size_t text_width(const char *text);

/* TEXT, or if it is wider than MOST columns its beginning and its end with `...' between;
   MOST is at least 3.  Freed by free.  */
char *text_shorten(const char *text, size_t most);

/* TEXT, or if it is wider than MOST columns `...' and its end, which begins at BETWEEN,
   `::' or `/', if that costs it no more than a third.  MOST is at least 4.  Freed by
   free.  */
char *text_end(const char *text, size_t most, const char *between);

/* How many of ROOM columns POSITION, `FILE: LINE', gets behind a name of NAME: it gives
   way first, down to half of them, or to two thirds if its file's own name needs them;
   then the name does.  */
size_t text_position(size_t room, size_t name, const char *position);

/* POSITION in MOST columns, at least 4: folders go first, and what remains of them before
   the file's own name does.  Freed by free.  */
char *text_place(const char *position, size_t most);

/* A text can have parts, names and files, that are shortened each for itself: a mark
   stands before and behind each.  */
#define TEXT_PART "\037"

/* TEXT as such a part: clean, with its marks.  Freed by free.  */
char *text_part(const char *text);

/* TEXT without the marks.  Freed by free.  */
char *text_plain(const char *text);

/* The same, with shorter parts if it is wider than MOST columns, the longest first; it
   stays wider if nothing is left to be shortened.  FIT makes a name as narrow as it is
   told to, or less, and what it returns is freed; a file loses its beginning.  What is
   around parts stays; without parts TEXT is one.  Freed by free.  */
char *text_fit(const char *text, size_t most, char *fit(const char *name, size_t most));

/* TEXT, of whole lines, with those wider than MOST columns broken at blanks, behind a
   comma where there is one in their second half; what follows is indented.  0: as it is.
   Freed by free.  */
char *text_wrap(const char *text, size_t most);

/* Writes VALUE as printf's %.1f does, with a NUL, to TO, which has room for TEXT_TENTHS
   characters; returns where the NUL is.  For tables of tens of thousands of cells: printf
   takes ten times as long.  */
#define TEXT_TENTHS 320
char *text_tenths(char *to, double value);

/* VALUE with DECIMALS decimals and commas between thousands; freed by free.  */
char *text_commas(double value, int decimals);

/* A time in the unit that suits it, s, ms, us or ns, with three digits; freed by free. */
char *text_time(double seconds);

/* VALUE with commas, a blank and WORD, to which an s is added unless VALUE is 1; freed by
   free.  */
char *text_number(uint64_t value, const char *word);

#endif
