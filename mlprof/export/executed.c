/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/executed.h"
#include "mlprof/base/buf.h"
#include "mlprof/flow/instructions.h"

#include <stdlib.h>
#include <string.h>

static void add(void *data, uint32_t module, const struct events_insn *insn,
                uint64_t executions)
{
    struct executed *executed = data;
    bool fresh;
    uint32_t number = index_put(&executed->index, module, insn->address, 0, &fresh);
    if (fresh)
        BUF_NEXT(executed->list, executed->count, executed->capacity) =
            (struct executed_insn){.insn = *insn, .module = module};
    executed->list[number].executions += executions;
}

/* Assigns the instruction at the address of NODE to NODE, unless another node has it.  */
static void assign(struct executed *executed, bool *taken, const struct stacks *stacks,
                   uint32_t node)
{
    const struct stacks_copy *copy = &stacks->copies[stacks->nodes[node].copy];
    uint32_t module = copy->module == STACKS_NONE ? copy->home : copy->module, number;
    if (!index_get(&executed->index, module, stacks->nodes[node].address, 0, &number) ||
        taken[number])
        return;
    taken[number] = true;
    executed->of_node[node] = number;
}

void executed_read(struct executed *executed, const struct view *view)
{
    const struct stacks *stacks = &view->rows->stacks;
    executed->of_node = buf_alloc((stacks->node_count + 1) * sizeof *executed->of_node);
    memset(executed->of_node, 0xff, stacks->node_count * sizeof *executed->of_node);
    if (!profile_measure(view->profile)->weigh)
        return;
    instructions_visit(view->profile, view->program, add, executed);
    BUF_OWN bool *taken = buf_alloc(executed->count + 1);
    for (uint32_t i = 0; i < stacks->node_count; i++)
        if (stacks->nodes[i].count)
            assign(executed, taken, stacks, i);
    /* Without an amount of the shown measure, the innermost frame is the last one of
       those without a child: a frame that continues an activation replaces the frame
       before it.  */
    for (uint32_t i = (uint32_t)stacks->node_count; i-- > 0;)
        if (!stacks->nodes[i].count && stacks->nodes[i].child == STACKS_NONE)
            assign(executed, taken, stacks, i);
}

void executed_free(struct executed *executed)
{
    free(executed->list);
    free(executed->of_node);
    index_free(&executed->index);
}
