/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the terminal how wide it is, for the views.  */

#ifndef MLPROF_TERMINAL_H
#define MLPROF_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

/* The number of columns of the terminal behind OUT; 0 if it is none or does not say.  */
size_t terminal_columns(FILE *out);

#endif
