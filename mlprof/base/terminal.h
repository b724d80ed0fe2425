/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal: its size and colours, for the views, and the progress line on stderr.  */

#ifndef MLPROF_TERMINAL_H
#define MLPROF_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The number of columns that a line on OUT has: the terminal's; in a file or a pipe
   $COLUMNS, or 80; 0 for any number, in memory and after terminal_whole.  */
size_t terminal_columns(FILE *out);

/* Lets lines in files and pipes be as long as they are.  */
void terminal_whole(void);

/* The number of lines of the terminal behind OUT; 0 if OUT is no terminal, or does not
   say.  */
size_t terminal_lines(FILE *out);

/* Prints TEXT, whole lines, in lines for which OUT has room.  */
void terminal_print(FILE *out, const char *text);

/* Whether OUT is a terminal that shows colours, and the user wants them: NO_COLOR is not
   set (https://no-color.org).  */
bool terminal_colours(FILE *out);

/* The progress line.  If mlprof takes longer than a second, a line on stderr says what it
   is doing; the line is erased before anything else is printed.  The process has one such
   line: main begins and ends it, and any module may set its text.  */

/* Does nothing if stderr is no terminal.  */
void progress_begin(void);

/* Sets the text: what mlprof does from now on.  */
void progress_set(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Removes the line, before something else is printed.  */
void progress_clear(void);

void progress_end(void);

/* To be called before standard output is written: ends the line if standard output is a
   terminal, too.  */
void progress_print(void);

#endif
