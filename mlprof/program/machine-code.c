/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes functions on request, and finds where a function returns. A jump at the end
   of a function is followed to the function that returns instead. */

#include "mlprof/program/machine-code.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"

#include <assert.h>
#include <stdlib.h>

/* Maximum number of jumps to follow. The limit is needed because functions may jump
   to each other in a circle. */
#define MOST_JUMPS 16

/* A decoded function. */
struct decoded {
    struct cfg cfg;
    bool has_cfg;            /* CFG is set and has not been forgotten */
    bool has_return;         /* RETURN_ADDRESS and TAIL_CALLEE are set */
    uint64_t return_address; /* address of the instruction that returns; 0: unknown */
    /* Start of the function that this one jumps to, and that returns in its place. 0:
       none. */
    uint64_t tail_callee;
};

struct machine_code {
    const struct program *program;
    struct insns **insns; /* by module */
    bool *opened;
    struct index index; /* key: module and function; value: index in DECODED */
    struct decoded **decoded;
    size_t capacity;
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
    for (size_t i = 0; i < code->index.count; i++) {
        cfg_free(&code->decoded[i]->cfg);
        free(code->decoded[i]);
    }
    free(code->decoded);
    free(code->insns);
    free(code->opened);
    index_free(&code->index);
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

char *machine_code_text(struct machine_code *code, uint32_t module, uint64_t address,
                        insns_name *name, void *context)
{
    return insns_text(insns_of(code, module), address, name, context);
}

/* Returns whether a profiled function begins at ADDRESS. Sets *POINT to the point of
   the tables there. */
static bool is_profiled_start(struct tables *tables, uint64_t address,
                              struct tables_point *point)
{
    uint64_t start, end;
    if (address == 0 || !tables_find(tables, address, point) ||
        !tables_is_profiled(tables, point->function))
        return false;
    tables_function_range(tables, point->function, &start, &end);
    return start == address;
}

/* Finds the address at which the function returns. This is its last return
   instruction, or its last jump to code without tables, because that code returns to
   the function's caller. If the function's only exit is a jump to a function with
   tables, the result is the address at which that function returns. If the function
   has both kinds of exits, the address is unknown. */
static void find_return_address(struct decoded *decoded, struct tables *tables)
{
    const struct cfg *cfg = &decoded->cfg;
    uint64_t return_address = 0, tail_callee = 0;
    for (size_t i = 0; i < cfg->code.count; i++) {
        const struct insn *insn = &cfg->code.list[i];
        struct tables_point point;
        if (insn->transfer == INSNS_RETURN)
            return_address = insn->address;
        if (insn->transfer != INSNS_JUMP || cfg_at(cfg, insn->target) < cfg->code.count)
            continue;
        if (insn->slot || (insn->target && !tables_find(tables, insn->target, &point)))
            return_address = insn->address;
        else if (is_profiled_start(tables, insn->target, &point) &&
                 (!tail_callee || tail_callee == insn->target))
            tail_callee = insn->target;
        else
            return;
    }
    if (!return_address || !tail_callee) {
        decoded->return_address = return_address;
        decoded->tail_callee = tail_callee;
    }
}

/* Returns the entry of a function, which is created if needed. The code of the module
   must be readable. */
static struct decoded *decoded_of(struct machine_code *code, uint32_t module,
                                  uint32_t function)
{
    bool fresh;
    uint32_t number = index_put(&code->index, module, function, 0, &fresh);
    if (fresh) {
        BUF_AT(code->decoded, number, code->capacity) = buf_alloc(sizeof **code->decoded);
    }
    return code->decoded[number];
}

const struct cfg *machine_code_cfg(struct machine_code *code, uint32_t module,
                                   uint32_t function)
{
    if (!insns_of(code, module))
        return NULL;
    struct decoded *decoded = decoded_of(code, module, function);
    if (!decoded->has_cfg) {
        uint64_t start, end;
        tables_function_range(code->program->tables[module], function, &start, &end);
        cfg_build(&decoded->cfg, machine_code_read(code, module, start, end));
        find_return_address(decoded, code->program->tables[module]);
        decoded->has_cfg = decoded->has_return = true;
    }
    return decoded->cfg.code.count ? &decoded->cfg : NULL;
}

void machine_code_forget(struct machine_code *code, uint32_t module, uint32_t function)
{
    struct decoded *decoded = decoded_of(code, module, function);
    cfg_free(&decoded->cfg);
    decoded->has_cfg = false;
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

uint64_t machine_code_return(struct machine_code *code, uint32_t module, uint64_t target,
                             struct tables_point *point)
{
    struct tables *tables = code->program->tables[module];
    if (!tables || !insns_of(code, module))
        return 0;
    for (unsigned jumps = 0; jumps < MOST_JUMPS; jumps++) {
        if (!is_profiled_start(tables, target, point))
            return 0;
        struct decoded *decoded = decoded_of(code, module, point->function);
        if (!decoded->has_return)
            machine_code_cfg(code, module, point->function);
        if (decoded->return_address) {
            point->point = function_point_at(tables_function(tables, point->function),
                                             decoded->return_address - target);
            return decoded->return_address;
        }
        target = decoded->tail_callee;
    }
    return 0;
}
