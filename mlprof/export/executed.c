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

void executed_read(struct executed *executed, const struct view *view)
{
    const struct stacks *stacks = &view->rows->stacks;
    const struct shares *shares = &stacks->times.shares;
    executed->of_node = buf_alloc((stacks->node_count + 1) * sizeof *executed->of_node);
    memset(executed->of_node, 0xff, stacks->node_count * sizeof *executed->of_node);
    if (!profile_measure(view->profile)->weigh)
        return;
    instructions_visit(view->profile, view->program, add, executed);
    for (size_t i = 0; i < shares->count; i++) {
        uint32_t node = shares->entries[i].owner, number;
        const struct stacks_copy *copy = &stacks->copies[stacks->nodes[node].copy];
        uint32_t module = copy->module == STACKS_NONE ? copy->home : copy->module;
        if (index_get(&executed->index, module, stacks->nodes[node].address, 0, &number))
            executed->of_node[node] = number;
    }
}

void executed_free(struct executed *executed)
{
    free(executed->list);
    free(executed->of_node);
    index_free(&executed->index);
}
