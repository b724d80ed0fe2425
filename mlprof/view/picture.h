/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has graphviz draw a graph as a picture for a browser.  */

#ifndef MLPROF_PICTURE_H
#define MLPROF_PICTURE_H

#include "mlprof/base/fault.h"

#include <stddef.h>
#include <stdio.h>

/* PATH is the name of a picture: it ends in .svg.  */
bool picture_is_wanted(const char *path);

/* PATH is the name of a picture in a format that is not written here; a FAULT that names
   PATH and says what to do.  DRAWN tells that dot(1) can draw it.  */
bool picture_is_foreign(const char *path, bool drawn, struct fault *fault);

/* Draws the SIZE bytes of TEXT, a graph in dot's language, and prints the SVG file, which
   a script lets zoom and move.  Waits for dot(1).  False and a FAULT that names PATH if
   it cannot be drawn.  */
bool picture_print(FILE *out, const char *text, size_t size, const char *path,
                   struct fault *fault);

#endif
