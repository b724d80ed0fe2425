/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macro: defines the macro __CCPROF__, by which rt/ccprof.h knows that the plugin is
   there, and, where the plugin makes regions of blocks, __CCPROF_REGIONS__; for the
   schedule.  */

#ifndef CCPROF_MACRO_H
#define CCPROF_MACRO_H

/* Callback before the first file is read, by the front ends that have a preprocessor
   of C; -U takes the macro away again.  */
void macro_define(void *, void *);

#endif
