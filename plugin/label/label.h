/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts a label wherever the local stack or the position changes, and keeps what it found
   about the current function until emit takes it.  */

#ifndef CCPROF_LABEL_H
#define CCPROF_LABEL_H

#include "plugin/tables/part.h"

/* A function is in one part or, hot and cold apart, in two.  */
#define LABEL_PARTS 2

/* The current function's parts in the order in which they are laid out.  */
extern struct part label_parts[LABEL_PARTS];
extern int label_parts_count;

/* Gives the insns back the locations that infer has changed, and forgets them.  */
void label_give_back_locations(void);

/* After final: takes the notes out of the current function again, so that GCC's dump
   of its final insns (-fcompare-debug) does not have them.  */
void label_remove_notes(void);

#endif
