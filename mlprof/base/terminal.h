/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds out what the terminal can do, for the views.  */

#ifndef MLPROF_TERMINAL_H
#define MLPROF_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The number of columns of the terminal behind OUT; 0 if OUT is no terminal, or does not
   say.  */
size_t terminal_columns(FILE *out);

/* Whether OUT is a terminal that shows colours, and the user wants them: NO_COLOR is not
   set (https://no-color.org).  */
bool terminal_colours(FILE *out);

#endif
