/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/program/machine-code.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"

#include <assert.h>
#include <stdlib.h>

/* Where a function comes back from.  */
struct back {
    uint64_t address; /* 0: not known */
    struct tables_point point;
};

struct machine_code {
    const struct program *program;
    struct insns **insns; /* by module */
    bool *opened;
    struct index cfg_index; /* module, function: number of its graph */
    struct cfg **cfgs;
    size_t cfg_capacity;
    struct index return_index; /* module, target of a call: number of the return */
    struct back *returns;
    size_t return_capacity;
};

struct machine_code *machine_code_new(const struct program *program)
{
    struct machine_code *code = buf_alloc(sizeof *code);
    *code = (struct machine_code){
        .program = program,
        .insns = buf_alloc((program->count + 1) * sizeof(struct insns *)),
        .opened = buf_alloc((program->count + 1) * sizeof(bool)),
    };
    return code;
}

void machine_code_free(struct machine_code *code)
{
    if (!code)
        return;
    for (size_t i = 0; i < code->program->count; i++)
        insns_close(code->insns[i]);
    for (size_t i = 0; i < code->cfg_index.count; i++) {
        cfg_free(code->cfgs[i]);
        free(code->cfgs[i]);
    }
    free(code->cfgs);
    free(code->insns);
    free(code->opened);
    free(code->returns);
    index_free(&code->cfg_index);
    index_free(&code->return_index);
    free(code);
}

static struct insns *insns_of(struct machine_code *code, uint32_t module)
{
    if (!code->opened[module])
        code->insns[module] = insns_open(tables_path(code->program->tables[module]));
    code->opened[module] = true;
    return code->insns[module];
}

struct insns_code machine_code_read(struct machine_code *code, uint32_t module,
                                    uint64_t start, uint64_t end)
{
    assert(module < code->program->count && code->program->tables[module]);
    struct insns *insns = insns_of(code, module);
    return insns ? insns_read(insns, start, end) : (struct insns_code){0};
}

const struct cfg *machine_code_cfg(struct machine_code *code, uint32_t module,
                                   uint32_t function)
{
    bool fresh;
    if (!insns_of(code, module))
        return NULL;
    uint32_t number = index_put(&code->cfg_index, module, function, 0, &fresh);
    if (fresh) {
        uint64_t start, end;
        tables_function_range(code->program->tables[module], function, &start, &end);
        code->cfgs =
            buf_grow(code->cfgs, &code->cfg_capacity, number + 1, sizeof *code->cfgs);
        code->cfgs[number] = buf_alloc(sizeof **code->cfgs);
        cfg_build(code->cfgs[number], machine_code_read(code, module, start, end));
    }
    return code->cfgs[number]->code.count ? code->cfgs[number] : NULL;
}

bool machine_code_find(struct machine_code *code, uint32_t module, uint64_t address,
                       struct machine_code_function *function)
{
    struct tables_point point;
    uint64_t next, end;
    struct tables *tables =
        module < code->program->count ? code->program->tables[module] : NULL;
    if (!tables || !tables_find(tables, address, &point) ||
        !tables_is_profiled(tables, point.function))
        return false;
    *function = (struct machine_code_function){
        .module = module,
        .number = point.function,
        .function = tables_function(tables, point.function),
        .cfg = machine_code_cfg(code, module, point.function)};
    tables_function_range(tables, point.function, &function->start, &function->end);
    if (point.function + 1 < tables_function_count(tables)) {
        tables_function_range(tables, point.function + 1, &next, &end);
        if (next < function->end)
            function->end = next;
    }
    return true;
}

static struct back search_return(struct machine_code *code, uint32_t module,
                                 uint64_t target)
{
    struct machine_code_function callee;
    struct back back = {0};
    if (!machine_code_find(code, module, target, &callee) || !callee.cfg ||
        callee.start != target)
        return back;
    for (size_t i = 0; i < callee.cfg->code.count; i++) {
        const struct insn *insn = &callee.cfg->code.list[i];
        if (insn->transfer == INSNS_RETURN)
            back.address = insn->address;
        else if (insn->transfer == INSNS_JUMP &&
                 cfg_at(callee.cfg, insn->target) == callee.cfg->code.count)
            return (struct back){0};
    }
    if (back.address)
        back.point = (struct tables_point){
            .function = callee.number,
            .point = function_point_at(callee.function, back.address - callee.start)};
    return back;
}

uint64_t machine_code_return(struct machine_code *code, uint32_t module, uint64_t target,
                             struct tables_point *point)
{
    bool fresh;
    if (target == 0)
        return 0;
    uint32_t number = index_put(&code->return_index, module, target, 0, &fresh);
    if (fresh) {
        code->returns = buf_grow(code->returns, &code->return_capacity, number + 1,
                                 sizeof *code->returns);
        code->returns[number] = search_return(code, module, target);
    }
    *point = code->returns[number].point;
    return code->returns[number].address;
}
