/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares names and numbers for output: removes control characters, shortens names to
   a width, wraps lines, and formats numbers and times. Used by all modules that print. */

#ifndef MLPROF_TEXT_H
#define MLPROF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Replaces each control character in TEXT by a question mark. All characters on which
   a terminal acts count as control characters, including characters that change the
   direction of writing. */
void text_mask(char *text);

/* Returns NAME with each byte of a control character (see text_mask) as \xHH, so that
   a name cannot break a line; freed by free. */
char *text_clean(const char *name);

/* Like text_clean, but leaves the characters in KEPT. */
char *text_clean_but(const char *name, const char *kept);

/* Returns the last component of a name: b of a::b, a.b and a<x::y>::b. The result
   points into NAME. */
const char *text_last_component(const char *name);

/* Return whether TEXT begins with WITH, or ends with WITH after at least one other
   character. */
bool text_begins(const char *text, const char *with);
bool text_ends(const char *text, const char *with);

/* Returns whether the first LENGTH bytes of TEXT are one of the words in LIST, which are
   separated by blanks. */
bool text_is_listed(const char *list, const char *text, size_t length);

/* Returns the width of TEXT in columns: its number of UTF-8 characters. */
size_t text_width(const char *text);

/* Returns TEXT; freed by free. If it is wider than MOST columns, at least 3, `...'
   replaces its middle. */
char *text_shorten(const char *text, size_t most);

/* Returns TEXT; freed by free. If it is wider than MOST columns, at least 4, `...'
   replaces its beginning. The remaining text begins at `::' if this makes it at most
   MOST / 3 columns shorter. */
char *text_end(const char *text, size_t most);

/* Returns TEXT; freed by free. If it is wider than MOST columns, at least 3, `...'
   replaces its end. */
char *text_cut(const char *text, size_t most);

/* Returns the number of columns of POSITION, `FILE: LINE', if a name of NAME columns
   and POSITION share ROOM columns. The position is shortened first, down to half of
   ROOM. If its last component is wider than half of ROOM, it gets up to two thirds of
   ROOM, or up to ROOM - 12 columns if ROOM is more than 36. If there is still not
   enough room, the caller must shorten the name. */
size_t text_position(size_t room, size_t name, const char *position);

/* Returns PATH in at most MOST columns, at least 3; freed by free. PATH may end with a
   line number. Folders in the middle are removed first, then the outermost folder,
   then the middle of the last component. */
char *text_path(const char *path, size_t most);

/* Marks the beginning and the end of a part of a text, a name or a file, that can be
   shortened separately. */
#define TEXT_PART "\037"

/* Returns TEXT, cleaned by text_clean, between two marks; freed by free. */
char *text_part(const char *text);

/* Returns TEXT without the marks; freed by free. */
char *text_plain(const char *text);

/* Returns TEXT without the marks; freed by free. If it is wider than MOST columns, its
   parts are shortened, the longest part first. If no part can be shortened further,
   the result is wider than MOST. FIT returns a name shortened to a width, which is
   then freed; file names lose folders. The text between parts is kept. A TEXT without
   marks is one part. */
char *text_fit(const char *text, size_t most, char *fit(const char *name, size_t most));

/* Returns TEXT, which consists of whole lines, with lines wider than MOST columns
   broken at blanks; freed by free. In the second half of a line, a blank after a comma
   or a semicolon is preferred. Continuation lines are indented. If MOST is 0, TEXT is
   unchanged. */
char *text_wrap(const char *text, size_t most);

/* Returns VALUE with DECIMALS decimals and commas between thousands; freed by free. */
char *text_commas(double value, int decimals);

/* Returns VALUE with commas between thousands, and every digit; freed by free. */
char *text_count(uint64_t value);

/* Returns a time with three digits in a suitable unit: s, ms, us or ns; freed by free. */
char *text_time(double seconds);

/* Returns VALUE with commas, a blank and WORD, in the plural unless VALUE is 1; freed
   by free. */
char *text_number(uint64_t value, const char *word);

/* The same with WORD, or PLURAL unless VALUE is 1. */
char *text_number_of(uint64_t value, const char *word, const char *plural);

/* Returns the time of one call, SAMPLES divided by CALLS, with its 95 % confidence
   interval; freed by free. Up to LESS of the SAMPLES may belong to another function, and
   up to MORE samples of other functions may belong to this function. RATE is the number
   of samples per second. If SAMPLES is 0, the text is an upper bound; if CALLS is 0, it
   is `-'. */
char *text_call_time(uint64_t samples, uint64_t less, uint64_t more, uint64_t rate,
                     uint64_t calls);

#endif
