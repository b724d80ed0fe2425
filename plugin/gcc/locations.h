/* SPDX-License-Identifier: GPL-3.0-or-later */
/* locations: carries locations from GIMPLE, where infer finds them, to the final
   insns, where label and field read them. All data is for one function at a time.
   HACKING draws the way of a location.

     - charge_: a location_t that carries a scope through expansion and all RTL passes.
     - folded_: the positions of loads, stores and comparisons that become a part of
   another instruction.
     - walk_: the location of each instruction, in order. */

#ifndef CCPROF_LOCATIONS_H
#define CCPROF_LOCATIONS_H

/* Returns a location with the position and range of ORIGINAL, charged to the block
   SCOPE. ORIGINAL is remembered: label puts it back into the insns later, because
   debug information must not change. If two originals would become the same location,
   the second one is returned unchanged. */
location_t charge_location(location_t original, tree scope);

/* Like charge_location, but the result has the position POSITION, even if ORIGINAL has
   a different position or none. */
location_t charge_at(location_t position, location_t original, tree scope);

/* Returns the position of LOCATION: the POSITION given to charge_at, or the position
   of the original. */
location_t charge_position(location_t location);

/* Returns LOCATION as it was before it was charged, or LOCATION itself if it was not
   charged. */
location_t charge_original(location_t location);

/* charge_hide removes the POSITION given to charge_at from LOCATION, so that GCC's
   messages do not show it. charge_show restores it. LOCATION keeps its block. Other
   locations are returned unchanged. */
location_t charge_hide(location_t location);
location_t charge_show(location_t location);

/* Forgets all originals. Called at the end of a function. */
void charge_forget(void);

/* Remembers the positions of the loads, stores and comparisons of the current
   function. Call it when all statements are charged. Expansion and combination may
   join such a statement and a neighbour into one instruction, with the location of the
   neighbour. walk_location then finds the location of the load, store or comparison. */
void folded_keep(void);

/* A walk over the insns of the current function in the order in which they are
   printed. For RTL passes after the last pass that moves insns. Fill it with zeros
   before the first insn. */
struct walk {
    location_t before, after; /* nearest locations in the basic block, or unknown */
    bool after_known;         /* after is valid until the next insn with a position */
};

/* Returns true if INSN is a note that starts a basic block or the other part of the
   function. */
bool walk_starts_block(const rtx_insn *insn);

/* Call it for each insn for which walk_starts_block returns true. */
void walk_start_block(struct walk *walk);

/* Returns true if INSN is an instruction of the processor. */
bool walk_makes_code(const rtx_insn *insn);

/* Returns the location of the next instruction. If the instruction has no position,
   returns the location of a neighbour, or a location that has only a scope.
   UNKNOWN_LOCATION means that the location of the previous instruction is still valid. */
location_t walk_location(struct walk *walk, const rtx_insn *insn);

#endif
