/* SPDX-License-Identifier: GPL-3.0-or-later */
/* label: puts a label into the current function wherever the local stack or the
   position changes, for emit, which gets a struct label_parts of what holds from which
   label on and writes the tables behind the function.  */

#ifndef CCPROF_LABEL_H
#define CCPROF_LABEL_H

#include "plugin/tables/unit.h"

/* A function is in one part or, hot and cold apart, in two.  */
#define LABEL_PARTS 2

/* The function's parts, in the order in which they are laid out.  */
struct label_parts {
    struct part parts[LABEL_PARTS];
    int count;
};

/* The parts of the current function, from the pass label on until the next function's
   begins.  Several passes of GCC's lie between label and emit, so label.cc keeps the
   parts, and nobody else writes them.  */
const struct label_parts *label_current(void);

/* Gives the insns back the locations that infer has changed, and forgets them.  */
void label_give_back_locations(void);

/* After final: takes the notes out of the current function again, so that GCC's dump
   of its final insns (-fcompare-debug) does not have them.  */
void label_remove_notes(void);

#endif
