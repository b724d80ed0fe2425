/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints flame graphs (flame.c) and call graphs (callgraph.c), for commands/viewfiles.c.
   A call graph is text for graphviz, or an SVG file that graphviz's dot has drawn. */

#ifndef MLPROF_CALLGRAPH_H
#define MLPROF_CALLGRAPH_H

#include "mlprof/base/fault.h"
#include "mlprof/view/view.h"

/* Prints a flame graph as a self-contained SVG file. Each function is a box on top of
   its caller, as wide as its samples. Boxes below the threshold, or narrower than a
   tenth of a point, are omitted. */
void flame_print(FILE *out, const struct view *view, const char *title);

struct callgraph_style {
    const char *title;
    bool gray; /* outlines are shades of gray by total time: black is all samples, white
                  none */
};

/* Prints a call graph for graphviz, as MLton draws it. If the self share of a row
   reaches the threshold, the row is a box. The larger the share, the larger the font
   of the name. A solid edge is a call that was on a stack. A dashed edge is a path
   through rows that are not drawn. If there are both a call and a path between two
   boxes, only the solid edge is drawn. The more samples used an edge, the thicker it
   is. */
void callgraph_print(FILE *out, const struct view *view,
                     const struct callgraph_style *style);

/* Returns whether PATH ends in .svg, the only picture format that can be written. */
bool callgraph_is_svg(const char *path);

/* If the name PATH requests a picture in another format, such as .png, returns true
   and sets FAULT, which names PATH and says what to do instead. DRAWN: dot(1) can
   draw this kind of picture. */
bool callgraph_refuse_format(const char *path, bool drawn, struct fault *fault);

/* Has dot(1) draw TEXT, a graph of SIZE bytes in dot's language, and prints the SVG
   file with a script for zooming and moving. Waits for dot(1). If the graph cannot
   be drawn, returns false and sets FAULT, which names PATH. */
bool callgraph_draw(FILE *out, const char *text, size_t size, const char *path,
                    struct fault *fault);

#endif
