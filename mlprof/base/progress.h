/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells the user on a terminal what takes long: after a second a line on stderr, which
   goes away again.  There is one for the whole process; main begins and ends it, anybody
   names what is being done.  */

#ifndef MLPROF_PROGRESS_H
#define MLPROF_PROGRESS_H

/* Does nothing if stderr is no terminal.  */
void progress_begin(void);

/* Names what is being done from now on.  */
void progress_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Takes the line away, before something else is printed.  */
void progress_clear(void);

void progress_end(void);

/* Standard output is written from now on: the end if that is a terminal, too.  */
void progress_print(void);

#endif
