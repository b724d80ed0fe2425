/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the scripts inside of pictures for browsers, flame.js and graph.js, which hold no
   "]]>".  */

#ifndef MLPROF_PICTURE_SCRIPTS_H
#define MLPROF_PICTURE_SCRIPTS_H

/* In a flame graph, which it zooms and searches.  The script goes by the picture's own
   width, by the attributes data-l, data-w and data-n of the boxes (samples on the left,
   samples, name) and the texts #reset, #search, #told and #matched.  */
extern const char picture_scripts_flame[];

/* In a graph of calls: the wheel zooms, dragging moves; keys do both.  */
extern const char picture_scripts_graph[];

#endif
