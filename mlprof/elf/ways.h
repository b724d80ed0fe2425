/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways through the machine code of a function: which instructions lead to which.  */

#ifndef MLPROF_WAYS_H
#define MLPROF_WAYS_H

#include "mlprof/base/groups.h"
#include "mlprof/elf/insns.h"

struct ways {
    struct insns_code code;
    struct groups jumps; /* by the instruction that they lead to */
};

/* Of the CODE, which WAYS then owns.  */
void ways_find(struct ways *ways, struct insns_code code);

void ways_free(struct ways *ways);

/* The number of the instruction that starts at ADDRESS; the count if none does.  */
size_t ways_at(const struct ways *ways, uint64_t address);

/* Whether a jump leads to the instruction.  */
bool ways_is_target(const struct ways *ways, size_t number);

/* Whether the instruction behind the one with the NUMBER may be executed next.  */
bool ways_falls(const struct ways *ways, size_t number);

/* A walk over the instructions that one is executed behind: the one before it, if that
   leads to it, then the jumps.  Starts with the number and else zero.  */
struct ways_walk {
    size_t number;
    size_t done;
};

/* The next one; false if there is none.  */
bool ways_next(const struct ways *ways, struct ways_walk *walk, size_t *number);

#endif
