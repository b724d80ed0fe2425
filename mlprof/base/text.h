/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares names and numbers for the screen: removes control characters, shortens names
   to a width, and formats numbers and times.  */

#ifndef MLPROF_TEXT_H
#define MLPROF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Replaces in TEXT each character that a terminal obeys by a question mark.  */
void text_mask(char *text);

/* NAME with each byte of characters that a terminal obeys written as \xHH, so that no
   name can break a line; freed by free.  */
char *text_clean(const char *name);

/* The last component of a name: b of a::b, a.b and a<x::y>::b.  Points into NAME.  */
const char *text_last_component(const char *name);

/* Whether TEXT begins with WITH; whether it ends so, with something in front.  */
bool text_begins(const char *text, const char *with);
bool text_ends(const char *text, const char *with);

/* The width on a screen in columns: the number of characters of UTF-8.  */
size_t text_width(const char *text);

/* TEXT; if it is wider than MOST columns, its beginning and its end with `...' between.
   MOST is at least 3.  Freed by free.  */
char *text_shorten(const char *text, size_t most);

/* TEXT; if it is wider than MOST columns, `...' and its end, which begins at `::' if this
   takes at most a third more away.  MOST is at least 4.  Freed by free.  */
char *text_end(const char *text, size_t most);

/* TEXT; if it is wider than MOST columns, its beginning and `...'.  MOST is at least 3.
   Freed by free.  */
char *text_cut(const char *text, size_t most);

/* Divides ROOM columns between a name of NAME columns and POSITION, `FILE: LINE'. Returns
   the columns of the position.  The position is shortened first, down to half of ROOM. It
   keeps more if the file's last component needs more: two thirds, or all but 12 columns
   if ROOM is more than 36.  Then the name is shortened.  */
size_t text_position(size_t room, size_t name, const char *position);

/* PATH, which may have a line behind it, in MOST columns, at least 3.  Folders in its
   middle are left out first, then the outermost one, and then the middle of the file's
   own name.  Freed by free.  */
char *text_path(const char *path, size_t most);

/* Marks the beginning and the end of a part of a text, a name or a file, which is
   shortened alone.  */
#define TEXT_PART "\037"

/* TEXT, cleaned, with marks around it.  Freed by free.  */
char *text_part(const char *text);

/* TEXT without the marks.  Freed by free.  */
char *text_plain(const char *text);

/* TEXT without the marks; if it is wider than MOST columns, parts are shortened, the
   longest first.  It stays wider if nothing can be shortened any more.  FIT shortens a
   name to a width at most, and its result is freed; a file loses its folders.  The text
   between parts stays; a TEXT without parts is one part.  Freed by free.  */
char *text_fit(const char *text, size_t most, char *fit(const char *name, size_t most));

/* TEXT, whole lines, in which lines wider than MOST columns are broken at a blank, in
   their second half preferably behind a comma or a semicolon; what follows is indented.
   MOST 0: unchanged.  Freed by free.  */
char *text_wrap(const char *text, size_t most);

/* Writes VALUE to TO, which has room for TEXT_TENTHS characters, as printf's %.1f does,
   and returns the place of the NUL.  For tables of tens of thousands of cells: printf
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

/* The time of one call, SAMPLES divided by CALLS, with its confidence interval of 95 %;
   freed by free.  RATE samples are one second.  Without samples the text is an upper
   bound; without calls it is `-'.  */
char *text_call_time(uint64_t samples, uint64_t rate, uint64_t calls);

/* The same, if LESS of the SAMPLES may belong to another function, and MORE other samples
   may belong to this one.  */
char *text_call_time_uncertain(uint64_t samples, uint64_t less, uint64_t more,
                               uint64_t rate, uint64_t calls);

#endif
