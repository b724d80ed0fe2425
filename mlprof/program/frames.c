/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/program/frames.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>

void frames_free(struct frames *frames)
{
    free(frames->list);
    *frames = (struct frames){0};
}

static void turn_round(struct frames *frames)
{
    for (size_t i = 0; i < frames->count / 2; i++) {
        struct function_frame *other = &frames->list[frames->count - 1 - i];
        struct function_frame frame = frames->list[i];
        frames->list[i] = *other;
        *other = frame;
    }
}

bool frames_read_at(struct frames *frames, const struct program *program, uint32_t module,
                    uint64_t address, const struct tables_point *point)
{
    struct function_frame frame;
    frames->count = 0;
    frames->module = module;
    frames->address = address;
    frames->number = point->function;
    frames->function = tables_function(program->tables[module], point->function);
    struct function_frames walk = function_frames(frames->function, point->point);
    while (function_frames_next(&walk, &frame))
        BUF_NEXT(frames->list, frames->count, frames->capacity) = frame;
    turn_round(frames);
    return frames->count > 0;
}

bool frames_read(struct frames *frames, const struct program *program, uint32_t module,
                 uint64_t address)
{
    struct tables *tables = program->tables[module];
    struct tables_point point;
    frames->count = 0;
    return tables && tables_find(tables, address, &point) &&
           frames_read_at(frames, program, module, address, &point);
}

/* Both positions are of the same unit.  */
static bool is_same_position(const struct function_position *one,
                             const struct function_position *other)
{
    return one->file == other->file && one->line == other->line &&
           one->column == other->column;
}

void frames_keep(struct frames *frames, const struct frames *other)
{
    size_t most = frames->count < other->count ? frames->count : other->count, kept = 0;
    if (!frames->count || !other->count ||
        frames->function->unit != other->function->unit)
        most = 0;
    while (kept < most && frames->list[kept].source == other->list[kept].source) {
        kept++;
        if (!is_same_position(&frames->list[kept - 1].position,
                              &other->list[kept - 1].position)) {
            frames->list[kept - 1].position = (struct function_position){0};
            break;
        }
    }
    frames->count = kept;
    frames->address = 0;
}

/* Ends a list.  */
#define NONE UINT32_MAX

struct module {
    bool read;
    struct index sources; /* key: unit and source */
    uint32_t *first;      /* by number in SOURCES: the first function that is code */
    uint32_t *next;       /* by function: the next function of the same source, or NONE */
};

struct site_code {
    const struct program *program;
    struct module *modules;
};

struct site_code *site_code_new(const struct program *program)
{
    struct site_code *sites = buf_alloc(sizeof *sites);
    *sites = (struct site_code){
        .program = program,
        .modules = buf_alloc((program->count + 1) * sizeof *sites->modules)};
    return sites;
}

void site_code_free(struct site_code *sites)
{
    for (size_t i = 0; sites && i < sites->program->count; i++) {
        index_free(&sites->modules[i].sources);
        free(sites->modules[i].first);
        free(sites->modules[i].next);
    }
    if (sites)
        free(sites->modules);
    free(sites);
}

static void read_module(struct module *module, struct tables *tables)
{
    uint32_t count = tables_function_count(tables);
    module->read = true;
    module->first = buf_alloc((count + 1) * sizeof *module->first);
    module->next = buf_alloc((count + 1) * sizeof *module->next);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t start, end;
        bool fresh;
        tables_function_range(tables, i, &start, &end);
        if (!elffile_is_code(tables_holder(tables), start))
            continue;
        const struct function *function = tables_function(tables, i);
        uint32_t number = index_put(&module->sources, (uintptr_t)function->unit,
                                    function->copies[0].source, 0, &fresh);
        module->next[i] = fresh ? NONE : module->first[number];
        module->first[number] = i;
    }
}

/* Whether both copies are inlined at the same places, from the function itself on.  */
static bool same_copy(const struct function *one, uint32_t copy,
                      const struct function *other, uint32_t other_copy)
{
    while (copy && other_copy) {
        const struct function_copy *a = &one->copies[copy];
        const struct function_copy *b = &other->copies[other_copy];
        if (a->source != b->source || !is_same_position(&a->call, &b->call))
            return false;
        copy = a->parent;
        other_copy = b->parent;
    }
    return copy == other_copy;
}

/* The first point of CODE with the site's copy and POSITION; if there is none, the first
   point with the copy; NONE: there is neither.  */
static uint32_t find_point(const struct function *code, const struct function *site,
                           const struct function_point *at, bool position)
{
    for (uint32_t i = 0; i < code->point_count; i++)
        if ((!position || is_same_position(&code->points[i].position, &at->position)) &&
            same_copy(code, code->points[i].copy, site, at->copy))
            return i;
    return NONE;
}

bool site_code_find(struct site_code *sites, uint32_t module, uint32_t *function,
                    uint32_t *point)
{
    struct tables *tables = sites->program->tables[module];
    struct module *of = &sites->modules[module];
    if (!of->read)
        read_module(of, tables);
    const struct function *site = tables_function(tables, *function);
    uint32_t number;
    if (!index_get(&of->sources, (uintptr_t)site->unit, site->copies[0].source, 0,
                   &number))
        return false;
    for (int position = 1; position >= 0; position--) {
        uint32_t found = NONE, found_point = NONE, count = 0;
        for (uint32_t i = of->first[number]; i != NONE; i = of->next[i]) {
            uint32_t there = find_point(tables_function(tables, i), site,
                                        &site->points[*point], position);
            if (there == NONE)
                continue;
            found = i;
            found_point = there;
            count++;
        }
        if (count > 1)
            return false;
        if (count == 1) {
            *function = found;
            *point = found_point;
            return true;
        }
    }
    return false;
}
