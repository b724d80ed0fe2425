/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/elf/ways.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

static int by_address(const void *key, const void *element)
{
    uint64_t address = *(const uint64_t *)key;
    const struct insn *insn = element;
    return address < insn->address ? -1 : address > insn->address;
}

size_t ways_at(const struct ways *ways, uint64_t address)
{
    const struct insns_code *code = &ways->code;
    const struct insn *found = code->count ? bsearch(&address, code->list, code->count,
                                                     sizeof *code->list, by_address)
                                           : NULL;
    return found ? (size_t)(found - code->list) : code->count;
}

/* Where the instruction jumps to in this code; the count if it does not.  */
static size_t target_of(const struct ways *ways, const struct insn *insn)
{
    return insn->target && insn->flow != INSNS_CALL ? ways_at(ways, insn->target)
                                                    : ways->code.count;
}

void ways_find(struct ways *ways, struct insns_code code)
{
    *ways = (struct ways){.code = code};
    uint32_t *targets = buf_alloc((code.count + 1) * sizeof *targets);
    for (size_t i = 0; i < code.count; i++)
        targets[i] = (uint32_t)target_of(ways, &code.list[i]);
    groups_make(&ways->jumps, code.count, targets, code.count);
    free(targets);
}

void ways_free(struct ways *ways)
{
    free(ways->code.list);
    groups_free(&ways->jumps);
    memset(ways, 0, sizeof *ways);
}

bool ways_is_target(const struct ways *ways, size_t number)
{
    return ways->jumps.first[number + 1] > ways->jumps.first[number];
}

bool ways_falls(const struct ways *ways, size_t number)
{
    enum insns_flow flow = ways->code.list[number].flow;
    return flow == INSNS_NEXT || flow == INSNS_BRANCH || flow == INSNS_CALL;
}

bool ways_next(const struct ways *ways, struct ways_walk *walk, size_t *number)
{
    if (walk->done == 0) {
        walk->done++;
        if (walk->number > 0 && ways_falls(ways, walk->number - 1)) {
            *number = walk->number - 1;
            return true;
        }
    }
    size_t next = ways->jumps.first[walk->number] + walk->done - 1;
    if (next >= ways->jumps.first[walk->number + 1])
        return false;
    walk->done++;
    *number = ways->jumps.members[next];
    return true;
}
