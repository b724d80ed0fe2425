/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folded: remembers the positions of loads and stores that become a part of another
   instruction: infer keeps them, walk asks for them.  Expansion and combination make
   one instruction of such a statement and its neighbour, and the instruction has the
   neighbour's location.  What is known holds for one function at a time.  */

#ifndef CCPROF_FOLDED_H
#define CCPROF_FOLDED_H

/* The positions of the current function's loads and stores, all of whose statements are
   charged.  Those of the function before are forgotten.  */
void folded_keep(void);

/* Where what is loaded from, or stored to, the memory MEM in an insn at LOCATION stands;
   UNKNOWN_LOCATION: not known.  */
location_t folded_load(const_rtx mem, location_t location);
location_t folded_store(const_rtx mem, location_t location);

/* Where the comparison stands that an insn at LOCATION, that of a conditional move,
   makes; UNKNOWN_LOCATION: not known.  */
location_t folded_comparison(location_t location);

#endif
