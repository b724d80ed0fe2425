/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/program/skid.h"
#include "mlprof/stacks/stacks-inside.h"

#include <stdlib.h>

/* An address of the profile that has a local stack.  */
struct place {
    uint32_t module, number;
    uint64_t address;
};

static int by_address(const void *one, const void *other)
{
    const struct place *a = one, *b = other;
    return a->module != b->module ? (a->module > b->module) - (a->module < b->module)
                                  : (a->address > b->address) - (a->address < b->address);
}

/* Appends the frames that were read last to SPAN, which is at the end of the list.  */
static void add_frames(struct stacks_builder *build, struct stacks_span *span)
{
    struct stacks_places *places = &build->places;
    for (size_t i = 0; i < build->frames.count; i++) {
        places->frames = buf_grow(places->frames, &places->capacity,
                                  span->first + span->count + 1, sizeof *places->frames);
        places->frames[span->first + span->count++] =
            stacks_number_frame(build, &build->frames, i);
    }
}

static void add_charged(struct stacks_builder *build, struct stacks_span *span,
                        uint32_t module, const struct skid_place *place)
{
    if (place->address && frames_read_at(&build->frames, build->program, module,
                                         place->address, &place->at))
        add_frames(build, span);
}

/* Returns the number of frames.  */
static size_t read_charges(struct stacks_builder *build)
{
    const struct skid *skid = build->program->skid;
    size_t points = skid ? skid_point_count(skid) : 0, count = 0;
    struct stacks_span *spans = buf_alloc((2 * points + 1) * sizeof *spans);
    for (size_t i = 0; i < 2 * points; i++) {
        uint32_t module;
        struct skid_charge charge;
        spans[i].first = count;
        if (!skid_point(skid, i / 2, &module, &charge) || !charge.count[i % 2])
            continue;
        add_charged(build, &spans[i], module, &charge.places[i % 2]);
        add_charged(build, &spans[i], module, &charge.returned[i % 2]);
        count += spans[i].count;
    }
    build->places.charged = spans;
    return count;
}

/* The places from 1 to *COUNT, by address, and the place of each node; to be freed. Nodes
   without nodes below are left out if samples are charged to other instructions: few of
   them are asked for then.  */
static struct place *find_places(struct stacks_builder *build, const bool *leaves,
                                 size_t *count)
{
    const struct profile *profile = build->profile;
    struct index addresses = {0};
    uint32_t *of_node = buf_alloc((profile->node_count + 1) * sizeof *of_node);
    bool fresh;
    for (size_t i = 0; i < profile->node_count; i++) {
        const struct profile_node *node = &profile->nodes[i];
        if (node->module < build->program->count && !(build->program->skid && leaves[i]))
            of_node[i] =
                1 + index_put(&addresses, node->module, node->address, 0, &fresh);
    }
    struct place *list = buf_alloc((addresses.count + 1) * sizeof *list);
    for (uint32_t i = 0; i < addresses.count; i++)
        list[i] = (struct place){.module = (uint32_t)addresses.keys[i].words[0],
                                 .number = i + 1,
                                 .address = addresses.keys[i].words[1]};
    *count = addresses.count;
    if (*count)
        qsort(list, *count, sizeof *list, by_address);
    index_free(&addresses);
    build->places.of_node = of_node;
    return list;
}

void stacks_places_read(struct stacks_builder *build, const bool *leaves)
{
    size_t frame_count = read_charges(build), count;
    struct place *list = find_places(build, leaves, &count);
    struct stacks_span *spans = buf_alloc((count + 1) * sizeof *spans);
    for (size_t i = 0; i < count; i++) {
        struct stacks_span *span = &spans[list[i].number];
        *span = (struct stacks_span){.first = frame_count};
        if (frames_read(&build->frames, build->program, list[i].module, list[i].address))
            add_frames(build, span);
        frame_count += span->count;
    }
    free(list);
    build->places.own = spans;
}

void stacks_places_free(struct stacks_places *places)
{
    free(places->frames);
    free(places->of_node);
    free(places->own);
    free(places->charged);
    *places = (struct stacks_places){0};
}
