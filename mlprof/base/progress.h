/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells the user on a terminal what takes long: after a second there is a line on stderr,
   which disappears again.  There is one line for the process; main begins and ends it,
   and any module names what is being done.  */

#ifndef MLPROF_PROGRESS_H
#define MLPROF_PROGRESS_H

/* Does nothing if stderr is no terminal.  */
void progress_begin(void);

/* Names what is done from now on.  */
void progress_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Removes the line, before something else is printed.  */
void progress_clear(void);

void progress_end(void);

/* To be called before standard output is written: ends the line if standard output is a
   terminal, too.  */
void progress_print(void);

#endif
