/* SPDX-License-Identifier: GPL-3.0-or-later */
/* locations: carries locations from GIMPLE, where infer finds them, to the final insns,
   where label and field read them.  All that is known holds for one function at a time.
   HACKING draws the way of a location.

   - charge: a location_t that carries a scope through expansion and all RTL passes.
   - folded: the positions of loads, stores and comparisons that become a part of another
     instruction.
   - walk: the location of each instruction, in order.  */

#ifndef CCPROF_LOCATIONS_H
#define CCPROF_LOCATIONS_H

/* A location with ORIGINAL's position and range, charged to the block SCOPE.  It
   remembers ORIGINAL: label puts ORIGINAL back into the insns, since debug information
   must not differ.  If two originals would become the same location, the second is
   returned as it is.  */
location_t charge_location(location_t original, tree scope);

/* The same, for a statement that stands at POSITION although ORIGINAL has another
   position or none.  */
location_t charge_at(location_t position, location_t original, tree scope);

/* The position of LOCATION: the one that charge_at was given, or the original's.  */
location_t charge_position(location_t location);

/* What LOCATION was before it was charged; itself if it was not.  */
location_t charge_original(location_t location);

/* Takes the position that charge_at was given from LOCATION, so that GCC's messages do
   not name it, and gives it back.  LOCATION keeps its block; other locations stay as they
   are.  */
location_t charge_hide(location_t location);
location_t charge_show(location_t location);

/* At the end of a function: forgets all originals.  */
void charge_forget(void);

/* Remembers the positions of the current function's loads, stores and comparisons, when
   all its statements are charged.  Expansion and combination make one instruction of such
   a statement and its neighbour, and the instruction has the neighbour's location;
   walk_location then finds the statement's.  */
void folded_keep(void);

/* A walk over the insns of the current function in the order in which they are printed,
   for RTL passes behind the last one that moves insns.  All zeros before the first insn.
 */
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

/* The location of the next instruction.  If the instruction has no position, this is the
   location of a neighbour, or one with a scope alone.  UNKNOWN_LOCATION: the program is
   where it was before.  */
location_t walk_location(struct walk *walk, const rtx_insn *insn);

#endif
