/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal: its size and colours, for the views, and the progress line on stderr. */

#ifndef MLPROF_TERMINAL_H
#define MLPROF_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Returns the width of OUT in columns. For a terminal, this is its width; for a file
   or a pipe, $COLUMNS or 80. 0 means unlimited: for a stream in memory without
   terminal_page, and after terminal_whole. */
size_t terminal_columns(FILE *out);

/* Gives OUT, a stream in memory, a width until the next call; NULL: no stream has one. */
void terminal_page(const FILE *out, size_t columns);

/* Makes the width of files and pipes unlimited from now on. */
void terminal_whole(void);

/* Returns the number of lines of the terminal OUT; 0 if OUT is not a terminal, or if
   its size is unknown. */
size_t terminal_lines(FILE *out);

/* Prints TEXT, which consists of whole lines, wrapped to the width of OUT. Other control
   characters than ends of lines are escaped. */
void terminal_print(FILE *out, const char *text);

/* Returns whether OUT is a terminal that shows colours, and the user has not set
   NO_COLOR (https://no-color.org). */
bool terminal_colours(FILE *out);

/* The progress line. If mlprof runs for more than a second, a line on stderr shows
   what it is doing. The line is erased before anything else is printed. There is one
   such line per process. main begins and ends it; any module may set its text. */

/* Does nothing if stderr is not a terminal. */
void progress_begin(void);

/* Sets the text of the line, which says what mlprof does from now on. */
void progress_set(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Removes the line. Call this before printing anything else. */
void progress_clear(void);

void progress_end(void);

/* Call this before writing to standard output: ends the progress line if standard
   output is a terminal as well. */
void progress_print(void);

#endif
