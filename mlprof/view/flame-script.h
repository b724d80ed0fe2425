/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the script inside of a flame graph, which zooms and searches.  */

#ifndef MLPROF_FLAME_SCRIPT_H
#define MLPROF_FLAME_SCRIPT_H

/* Goes by the picture's own width, by the attributes data-l, data-w and data-n of the
   boxes (samples on the left, samples, name) and the texts #reset, #search, #told and
   #matched.  Holds no "]]>".  */
extern const char flame_script[];

#endif
