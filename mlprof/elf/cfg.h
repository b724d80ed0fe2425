/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the control flow graph of a function's machine code: which instructions lead to
   which.  Used by the modules of program/ that read machine code.  */

#ifndef MLPROF_CFG_H
#define MLPROF_CFG_H

#include "mlprof/base/groups.h"
#include "mlprof/elf/insns.h"

struct cfg {
    struct insns_code code;
    struct groups jumps; /* by the instruction that they lead to */
};

/* Builds the graph of CODE, which CFG then owns.  */
void cfg_build(struct cfg *cfg, struct insns_code code);

void cfg_free(struct cfg *cfg);

/* The number of the instruction that starts at ADDRESS; the count if none does.  */
size_t cfg_at(const struct cfg *cfg, uint64_t address);

/* Whether a jump leads to the instruction.  */
bool cfg_is_target(const struct cfg *cfg, size_t number);

/* Whether the instruction behind the one with the NUMBER may be executed next.  */
bool cfg_falls_through(const struct cfg *cfg, size_t number);

/* A walk over the predecessors of an instruction: the one before it, if that leads to it,
   then the jumps.  Starts with the number and else zero.  */
struct cfg_walk {
    size_t number;
    size_t done;
};

/* The next one; false if there is none.  */
bool cfg_predecessor(const struct cfg *cfg, struct cfg_walk *walk, size_t *number);

#endif
