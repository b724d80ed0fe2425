/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/evaluate/codes.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"

#include <stdlib.h>

struct codes {
    const struct program *program;
    struct insns **insns; /* by module */
    bool *opened;
    struct index cfg_index; /* module, function: number of its graph */
    struct cfg **cfgs;
    size_t cfg_capacity;
    struct index return_index; /* module, target of a call: number of the return */
    uint64_t *returns;
    size_t return_capacity;
};

struct codes *codes_new(const struct program *program)
{
    struct codes *codes = buf_alloc(sizeof *codes);
    *codes = (struct codes){
        .program = program,
        .insns = buf_alloc((program->count + 1) * sizeof(struct insns *)),
        .opened = buf_alloc((program->count + 1) * sizeof(bool)),
    };
    return codes;
}

void codes_free(struct codes *codes)
{
    if (!codes)
        return;
    for (size_t i = 0; i < codes->program->count; i++)
        insns_close(codes->insns[i]);
    for (size_t i = 0; i < codes->cfg_index.count; i++) {
        cfg_free(codes->cfgs[i]);
        free(codes->cfgs[i]);
    }
    free(codes->cfgs);
    free(codes->insns);
    free(codes->opened);
    free(codes->returns);
    index_free(&codes->cfg_index);
    index_free(&codes->return_index);
    free(codes);
}

static const struct cfg *cfg_of(struct codes *codes, uint32_t module, uint32_t function)
{
    struct tables *tables = codes->program->tables[module];
    bool fresh;
    if (!codes->opened[module]) {
        codes->insns[module] = insns_open(tables_path(tables));
        codes->opened[module] = true;
    }
    if (!codes->insns[module])
        return NULL;
    uint32_t number = index_put(&codes->cfg_index, module, function, 0, &fresh);
    if (fresh) {
        uint64_t start, end;
        tables_function_range(tables, function, &start, &end);
        codes->cfgs =
            buf_grow(codes->cfgs, &codes->cfg_capacity, number + 1, sizeof *codes->cfgs);
        codes->cfgs[number] = buf_alloc(sizeof **codes->cfgs);
        cfg_build(codes->cfgs[number], insns_read(codes->insns[module], start, end));
    }
    return codes->cfgs[number]->code.count ? codes->cfgs[number] : NULL;
}

bool codes_find(struct codes *codes, uint32_t module, uint64_t address,
                struct codes_function *function)
{
    struct tables_point point;
    uint64_t end;
    struct tables *tables =
        module < codes->program->count ? codes->program->tables[module] : NULL;
    if (!tables || !tables_find(tables, address, &point) ||
        !tables_is_profiled(tables, point.function))
        return false;
    *function =
        (struct codes_function){.module = module,
                                .function = tables_function(tables, point.function),
                                .cfg = cfg_of(codes, module, point.function)};
    tables_function_range(tables, point.function, &function->start, &end);
    return true;
}

static uint64_t search_return(struct codes *codes, uint32_t module, uint64_t target)
{
    struct codes_function callee;
    uint64_t found = 0;
    if (!codes_find(codes, module, target, &callee) || !callee.cfg ||
        callee.start != target)
        return 0;
    for (size_t i = 0; i < callee.cfg->code.count; i++) {
        const struct insn *insn = &callee.cfg->code.list[i];
        if (insn->transfer == INSNS_RETURN)
            found = insn->address;
        else if (insn->transfer == INSNS_JUMP &&
                 cfg_at(callee.cfg, insn->target) == callee.cfg->code.count)
            return 0;
    }
    return found;
}

uint64_t codes_return(struct codes *codes, uint32_t module, uint64_t target)
{
    bool fresh;
    if (target == 0)
        return 0;
    uint32_t number = index_put(&codes->return_index, module, target, 0, &fresh);
    if (fresh) {
        codes->returns = buf_grow(codes->returns, &codes->return_capacity, number + 1,
                                  sizeof *codes->returns);
        codes->returns[number] = search_return(codes, module, target);
    }
    return codes->returns[number];
}
