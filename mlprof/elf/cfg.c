/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/elf/cfg.h"
#include "mlprof/base/buf.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int by_address(const void *key, const void *element)
{
    uint64_t address = *(const uint64_t *)key;
    const struct insn *insn = element;
    return address < insn->address ? -1 : address > insn->address;
}

size_t cfg_at(const struct cfg *cfg, uint64_t address)
{
    const struct insns_code *code = &cfg->code;
    const struct insn *found = code->count ? bsearch(&address, code->list, code->count,
                                                     sizeof *code->list, by_address)
                                           : NULL;
    return found ? (size_t)(found - code->list) : code->count;
}

/* The number of the instruction that a jump leads to; the count if it leads
   elsewhere.  */
static size_t target_of(const struct cfg *cfg, const struct insn *insn)
{
    return insn->target && insn->transfer != INSNS_CALL ? cfg_at(cfg, insn->target)
                                                        : cfg->code.count;
}

void cfg_build(struct cfg *cfg, struct insns_code code)
{
    *cfg = (struct cfg){.code = code};
    uint32_t *targets = buf_alloc((code.count + 1) * sizeof *targets);
    for (size_t i = 0; i < code.count; i++)
        targets[i] = (uint32_t)target_of(cfg, &code.list[i]);
    groups_make(&cfg->jumps, code.count, targets, code.count);
    free(targets);
}

void cfg_free(struct cfg *cfg)
{
    free(cfg->code.list);
    groups_free(&cfg->jumps);
    memset(cfg, 0, sizeof *cfg);
}

bool cfg_is_target(const struct cfg *cfg, size_t number)
{
    assert(number < cfg->code.count);
    return cfg->jumps.first[number + 1] > cfg->jumps.first[number];
}

bool cfg_falls_through(const struct cfg *cfg, size_t number)
{
    assert(number < cfg->code.count);
    enum insns_transfer transfer = cfg->code.list[number].transfer;
    return transfer == INSNS_NEXT || transfer == INSNS_BRANCH || transfer == INSNS_CALL;
}

bool cfg_predecessor(const struct cfg *cfg, struct cfg_walk *walk, size_t *number)
{
    assert(walk->number < cfg->code.count);
    if (walk->done == 0) {
        walk->done++;
        if (walk->number > 0 && cfg_falls_through(cfg, walk->number - 1)) {
            *number = walk->number - 1;
            return true;
        }
    }
    size_t next = cfg->jumps.first[walk->number] + walk->done - 1;
    if (next >= cfg->jumps.first[walk->number + 1])
        return false;
    walk->done++;
    *number = cfg->jumps.members[next];
    return true;
}
