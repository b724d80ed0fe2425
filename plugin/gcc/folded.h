/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folded: what a statement loads or stores, where expansion and combination make one
   instruction of it and of the statement beside it, which lends the instruction its
   location.  Infer keeps the positions of such accesses, walk finds them.  One function
   at a time.  */

#ifndef CCPROF_FOLDED_H
#define CCPROF_FOLDED_H

/* The positions of the current function's loads and stores, all of whose statements are
   charged.  Those of the function before are forgotten.  */
void folded_keep(void);

/* Where what is loaded from, or stored to, the memory MEM in an insn at LOCATION stands;
   UNKNOWN_LOCATION: not known.  */
location_t folded_load(const_rtx mem, location_t location);
location_t folded_store(const_rtx mem, location_t location);

#endif
