/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of the screen.  */

#ifndef MLPROF_TERMINAL_H
#define MLPROF_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

/* How many columns the terminal behind OUT has; 0 if it is none or does not say.  */
size_t terminal_columns(FILE *out);

#endif
