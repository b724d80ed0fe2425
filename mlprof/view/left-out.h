/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text about what exact counts of instructions do not include
   (flow/instructions.h). Used by commands/show.c and the page. */

#ifndef MLPROF_LEFT_OUT_H
#define MLPROF_LEFT_OUT_H

#include "mlprof/view/view.h"

/* Returns lines that say which instructions are not in the numbers of VIEW, and which are
   counted only once. Returns NULL if instructions are not shown, or if there is nothing
   to say. The caller frees the text. */
char *leftout_text(const struct view *view);

#endif
