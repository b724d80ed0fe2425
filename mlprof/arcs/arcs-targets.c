/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/arcs/arcs-targets.h"
#include "mlprof/base/buf.h"
#include "mlprof/rows/flowrows.h"

#include <stdlib.h>

/* The function at an address, and its frames there; NULL: the code is not profiled.  */
static const struct function *find(const struct program *program, uint32_t module,
                                   uint64_t address, struct function_frames *frames)
{
    struct tables_point at;
    if (module >= program->count || !program->tables[module] ||
        !tables_find(program->tables[module], address, &at))
        return NULL;
    const struct function *function =
        tables_function(program->tables[module], at.function);
    *frames = function_frames(function, at.point);
    return function;
}

/* Sets the caller to the innermost function at the site.  */
static bool find_caller(struct arcs_target *target, struct rows *rows,
                        const struct program *program, const struct profile_target *from)
{
    struct function_frames frames;
    struct function_frame frame;
    const struct function *function =
        find(program, from->site_module, from->site, &frames);
    if (!function || !function_frames_next(&frames, &frame))
        return false;
    target->row = flowrows_row(rows, function->unit, frame.source);
    target->line = frame.position.line;
    target->column = frame.position.column;
    return target->row != STACKS_NONE;
}

/* The row of the callee: the compiled function at the target, which is inlined in
   none.  */
static uint32_t find_callee(struct rows *rows, const struct program *program,
                            const struct profile_target *from)
{
    struct function_frames frames;
    struct function_frame frame;
    const struct function *function = find(program, from->module, from->address, &frames);
    while (function && function_frames_next(&frames, &frame))
        if (frame.copy == 0)
            return flowrows_row(rows, function->unit, frame.source);
    return STACKS_NONE;
}

static int by_position(const void *one, const void *other)
{
    const struct arcs_target *a = one, *b = other;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    return (a->callee > b->callee) - (a->callee < b->callee);
}

static size_t merge(struct arcs_target *targets, size_t count)
{
    size_t kept = 0;
    BUF_SORT(targets, count, by_position);
    for (size_t i = 0; i < count; i++)
        if (kept && by_position(&targets[kept - 1], &targets[i]) == 0)
            targets[kept - 1].count += targets[i].count;
        else
            targets[kept++] = targets[i];
    return kept;
}

struct arcs_target *arcs_targets_find(struct rows *rows, const struct profile *profile,
                                      const struct program *program, size_t *count)
{
    struct arcs_target *targets =
        buf_alloc((profile->target_count + 1) * sizeof *targets);
    *count = 0;
    for (size_t i = 0; i < profile->target_count; i++) {
        const struct profile_target *from = &profile->targets[i];
        struct arcs_target *target = &targets[*count];
        *target = (struct arcs_target){.count = from->count};
        target->callee = find_callee(rows, program, from);
        *count += find_caller(target, rows, program, from);
    }
    *count = merge(targets, *count);
    return targets;
}
