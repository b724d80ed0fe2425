/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/program/frames.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>

void frames_free(struct frames *frames)
{
    free(frames->list);
    *frames = (struct frames){0};
}

static void add(struct frames *frames, const struct function_frame *frame)
{
    BUF_NEXT(frames->list, frames->count, frames->capacity) = *frame;
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
        add(frames, &frame);
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
