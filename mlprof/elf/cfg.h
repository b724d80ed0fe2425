/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the control flow graph of a function's machine code: which instructions lead to
   which.  For the modules of program/ that read machine code.  */

#ifndef MLPROF_CFG_H
#define MLPROF_CFG_H

#include "mlprof/base/groups.h"
#include "mlprof/elf/insns.h"

struct cfg {
    struct insns_code code;
    struct groups jumps; /* grouped by the instruction that they lead to */
};

/* Builds the graph of CODE, which CFG then owns.  */
void cfg_build(struct cfg *cfg, struct insns_code code);

void cfg_free(struct cfg *cfg);

/* The number of the instruction that starts at ADDRESS; the count of instructions if
   there is none.  */
size_t cfg_at(const struct cfg *cfg, uint64_t address);

/* Whether a jump leads to the instruction.  */
bool cfg_is_target(const struct cfg *cfg, size_t number);

/* Whether control may go on from instruction NUMBER to the next one.  */
bool cfg_falls_through(const struct cfg *cfg, size_t number);

/* A walk over the predecessors of an instruction: first the one before it, if control may
   go on from there, then the jumps to it.  Starts with the instruction's number and all
   else zero.  */
struct cfg_walk {
    size_t number;
    size_t done;
};

/* Goes to the next predecessor; false if there is none.  */
bool cfg_predecessor(const struct cfg *cfg, struct cfg_walk *walk, size_t *number);

#endif
