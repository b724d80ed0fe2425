/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the instruction of each node of the stacks, with its number of executions, for
   formats that write several measures of instructions. A view's stacks have only the
   shown measure. Used by callgrind-code.c and pprof.c.  */

#ifndef MLPROF_EXECUTED_H
#define MLPROF_EXECUTED_H

#include "mlprof/base/index.h"
#include "mlprof/elf/events.h"
#include "mlprof/view/view.h"

struct executed_insn {
    struct events_insn insn;
    uint64_t executions;
    uint32_t module;
};

struct executed {
    struct executed_insn *list;
    size_t count, capacity;
    struct index index; /* key: module, address; number: index in LIST */
    /* By node of the stacks: the index of its instruction in LIST, or STACKS_NONE.  */
    uint32_t *of_node;
};

/* Fills EXECUTED, which is all zero at first. The stacks of VIEW must have addresses and
   all instructions (EXPORT_ADDRESSES, EXPORT_EXECUTED). If the shown measure is none of
   instructions, no node has an instruction. The caller frees it with executed_free.  */
void executed_read(struct executed *executed, const struct view *view);

void executed_free(struct executed *executed);

/* Returns the instruction whose innermost frame is NODE, or NULL.  */
static inline const struct executed_insn *executed_at(const struct executed *executed,
                                                      uint32_t node)
{
    uint32_t number = executed->of_node[node];
    return number == STACKS_NONE ? NULL : &executed->list[number];
}

#endif
