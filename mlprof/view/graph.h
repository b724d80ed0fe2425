/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints flame graphs and graphs of calls (flame.c, graph.c), for
   commands/viewfiles.c.  A graph of calls is text for graphviz, or an SVG file that
   graphviz's dot has drawn.  */

#ifndef MLPROF_GRAPH_H
#define MLPROF_GRAPH_H

#include "mlprof/base/fault.h"
#include "mlprof/view/view.h"

/* Prints a flame graph, one SVG file that needs no other: each
   function is a box on its caller, as wide as its samples.  Boxes below the threshold, or
   narrower than a tenth of a point of the picture, are left out.  */
void flame_print(FILE *out, const struct view *view, const char *title);

struct graph_style {
    const char *title;
    bool gray; /* outlines by stack: black is all samples, white none */
};

/* Prints a graph of calls for graphviz, as MLton draws it.  A box for each row whose cur
   reaches the threshold; its name is the larger the more cur there is.  A solid edge is a
   call that was on a stack, a dashed one a path over rows that are not drawn; between two
   boxes only the solid one if there are both.  An edge is the thicker the more samples
   went its way.  */
void graph_print(FILE *out, const struct view *view, const struct graph_style *style);

/* Whether PATH is the name of a picture that can be written: it ends in .svg.  */
bool graph_is_svg(const char *path);

/* If PATH is the name of a picture in another format, such as .png, returns true and a
   FAULT that names PATH and says what to do instead.  DRAWN: dot(1) can draw it.  */
bool graph_refuse_format(const char *path, bool drawn, struct fault *fault);

/* Draws the SIZE bytes of TEXT, a graph in dot's language, and prints the SVG file, which
   a script lets zoom and move.  Waits for dot(1).  False and a FAULT that names PATH if
   it cannot be drawn.  */
bool graph_draw(FILE *out, const char *text, size_t size, const char *path,
                struct fault *fault);

#endif
