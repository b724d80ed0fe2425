/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk: finds the location of each instruction of the current function, in the order
   in which the instructions are printed, for RTL passes behind the last one that moves
   insns.  An instruction that has no position of its own gets one, too, where a
   neighbour can lend it.  */

#ifndef CCPROF_WALK_H
#define CCPROF_WALK_H

/* What is known on the way.  All zeros before the first insn.  */
struct walk {
    location_t before, after; /* the nearest locations in the basic block, or unknown */
    bool after_known;         /* after holds until the next insn with a position */
};

/* Whether the note starts a basic block or another part of the function.  */
bool walk_starts_block(const rtx_insn *insn);

/* To be called where walk_starts_block is true.  */
void walk_start_block(struct walk *walk);

/* Whether the insn is an instruction.  */
bool walk_makes_code(const rtx_insn *insn);

/* The location of the next instruction.  If that has no position, it is that of a
   neighbour, or one with a scope alone; UNKNOWN_LOCATION: the program is where it was
   before.  */
location_t walk_location(struct walk *walk, const rtx_insn *insn);

/* Whether a location has a position.  */
bool walk_has_position(location_t location);

#endif
