/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds constructs whose functions end with a call in tail position. Such a function
   jumps to the callee and is then missing from the stack. The callee appears on the
   stack as if libgomp had called it. The machine code shows which functions of
   constructs jump to the callee, and which construct is begun by a call. */

#include "mlprof/base/text.h"
#include "mlprof/parallel/constructs-inside.h"
#include "mlprof/program/exits.h"
#include "mlprof/program/machine-code.h"

#include <stdlib.h>

/* The plugin names the function of a construct after the function around it, with this
   suffix. */
#define SUFFIX ".omp"

/* The function of a construct, and the bodies that can be reached from it by jumps. */
struct origin {
    const struct unit *unit;
    const struct unit_source *source;
    struct exits_reach reach;
};

struct constructs_jumps {
    const struct program *program;
    struct exits *exits;
    struct origin *origins;
    size_t count, capacity;
    bool read;
};

struct constructs_jumps *constructs_jumps_new(const struct profile *profile,
                                              const struct program *program)
{
    struct constructs_jumps *jumps = buf_alloc(sizeof *jumps);
    jumps->program = program;
    jumps->exits = program->code ? exits_new(profile, program) : NULL;
    return jumps;
}

void constructs_jumps_free(struct constructs_jumps *jumps)
{
    exits_free(jumps->exits);
    free(jumps->origins);
    free(jumps);
}

bool constructs_is_one(const struct unit_source *source)
{
    return source && text_ends(source->name, SUFFIX);
}

static void add_origin(struct constructs_jumps *jumps, uint32_t module, uint64_t start,
                       const struct function *function)
{
    uint32_t body = exits_body(jumps->exits, module, start);
    if (body == EXITS_NONE)
        return;
    struct origin *origin = &BUF_NEXT(jumps->origins, jumps->count, jumps->capacity);
    origin->unit = function->unit;
    origin->source = unit_source(function->unit, function->copies.list[0].source);
    exits_find_reach(jumps->exits, body, &origin->reach);
}

/* Reads all functions of constructs. Called at the first query. */
static void read_origins(struct constructs_jumps *jumps)
{
    for (uint32_t module = 0; module < jumps->program->count; module++) {
        struct tables *tables = jumps->program->tables[module];
        for (uint32_t i = 0; tables && i < tables_function_count(tables); i++) {
            const struct function *function = tables_function(tables, i);
            uint64_t start, end;
            if (!constructs_is_one(
                    unit_source(function->unit, function->copies.list[0].source)))
                continue;
            tables_function_range(tables, i, &start, &end);
            add_origin(jumps, module, start, function);
        }
    }
}

bool constructs_jumps_next(struct constructs_jumps *jumps, uint32_t module,
                           uint64_t address, size_t *number, const struct unit **unit,
                           const struct unit_source **source)
{
    if (!jumps->exits)
        return false;
    if (!jumps->read)
        read_origins(jumps);
    jumps->read = true;
    uint32_t body = exits_body(jumps->exits, module, address);
    while (*number < jumps->count) {
        const struct origin *origin = &jumps->origins[(*number)++];
        if (body == EXITS_NONE ||
            exits_in_reach(&origin->reach, body) == origin->reach.count)
            continue;
        *unit = origin->unit;
        *source = origin->source;
        return true;
    }
    return false;
}

/* Finds the construct whose function begins at ADDRESS. */
static bool find_at(const struct constructs_jumps *jumps, uint32_t module,
                    uint64_t address, const struct unit **unit,
                    const struct unit_source **source)
{
    struct tables *tables = jumps->program->tables[module];
    struct tables_point point;
    uint64_t start, end;
    if (!address || !tables_find(tables, address, &point))
        return false;
    tables_function_range(tables, point.function, &start, &end);
    const struct function *function = tables_function(tables, point.function);
    *unit = function->unit;
    *source = unit_source(function->unit, function->copies.list[0].source);
    return start == address && constructs_is_one(*source);
}

bool constructs_jumps_begun(struct constructs_jumps *jumps, uint32_t module,
                            uint64_t address, const struct unit **unit,
                            const struct unit_source **source)
{
    struct machine_code_function function;
    if (!jumps->program->code ||
        !machine_code_find(jumps->program->code, module, address, &function) ||
        !function.cfg)
        return false;
    const struct insns_code *code = &function.cfg->code;
    size_t i = 0;
    while (i < code->count && code->list[i].address <= address)
        i++;
    return i > 0 &&
           find_at(jumps, module, insns_first_argument(code, i - 1), unit, source);
}
