/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a call-stack graph for graphviz, drawn as MLton draws it.  */

#ifndef MLPROF_GRAPH_H
#define MLPROF_GRAPH_H

#include "mlprof/view/view.h"

struct graph_style {
    const char *title;
    bool gray; /* outlines by stack: black is all samples, white none */
};

/* A box for each row whose cur reaches the threshold; its name is the larger the more cur
   there is.  A solid edge is a call that was on a stack, a dashed one a path over rows
   that are not drawn; between two boxes only the solid one if there are both.  An edge is
   the thicker the more samples went its way.  */
void graph_print(FILE *out, const struct view *view, const struct graph_style *style);

#endif
