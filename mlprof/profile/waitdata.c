/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds states, objects, nodes and waits, and finds equal ones by hash. */

#include "mlprof/profile/waitdata.h"
#include "mlprof/profile/profile.h"

#include <stdlib.h>
#include <string.h>

/* Adds MORE to SUMS. Returns false if a sum does not fit; SUMS is then invalid. */
static bool add_sums(struct waitdata_sums *sums, const struct waitdata_sums *more)
{
    return !__builtin_add_overflow(sums->wall, more->wall, &sums->wall) &&
           !__builtin_add_overflow(sums->cpu, more->cpu, &sums->cpu) &&
           !__builtin_add_overflow(sums->ready, more->ready, &sums->ready) &&
           !__builtin_add_overflow(sums->count, more->count, &sums->count) &&
           !__builtin_add_overflow(sums->time, more->time, &sums->time);
}

uint32_t waitdata_put_object(struct waitdata *waits, const struct waitdata_object *object)
{
    bool fresh;
    uint32_t number = index_put(&waits->object_index, object->module, object->address,
                                object->name, &fresh);
    if (fresh)
        BUF_PUSH(waits->objects) = *object;
    return number;
}

uint32_t waitdata_put_node(struct waitdata *waits, const struct waitdata_node *node)
{
    bool fresh;
    uint32_t number =
        index_put(&waits->node_index, node->parent, node->module, node->address, &fresh);
    if (fresh)
        BUF_PUSH(waits->nodes) = *node;
    return number;
}

bool waitdata_add_state(struct waitdata *waits, const struct waitdata_state *state,
                        bool *fresh)
{
    if (!add_sums(&waits->sums,
                  &(struct waitdata_sums){state->wall, state->cpu, state->ready, 0, 0}))
        return false;
    uint32_t number = index_put(&waits->state_index, state->thread, 0, 0, fresh);
    if (*fresh) {
        BUF_PUSH(waits->states) = *state;
        return true;
    }
    struct waitdata_state *sum = &waits->states.list[number];
    if (state->start < sum->start)
        sum->start = state->start;
    sum->wall += state->wall;
    sum->cpu += state->cpu;
    sum->ready += state->ready;
    sum->no_ready |= state->no_ready;
    return true;
}

bool waitdata_add_wait(struct waitdata *waits, const struct waitdata_wait *wait,
                       uint32_t *number)
{
    bool fresh;
    if (!add_sums(&waits->sums,
                  &(struct waitdata_sums){.count = wait->count, .time = wait->time}))
        return false;
    uint32_t taken =
        index_put(&waits->taken_index, wait->taken_module, wait->taken, 0, &fresh);
    uint32_t ways = (uint32_t)wait->reason * CCPROF_WAIT_ENDS + (uint32_t)wait->end;
    *number =
        index_put(&waits->wait_index, index_pair(wait->stack, wait->object),
                  index_pair(wait->cause, taken), index_pair(ways, wait->held), &fresh);
    if (fresh) {
        BUF_PUSH(waits->waits) = *wait;
        return true;
    }
    struct waitdata_wait *sum = &waits->waits.list[*number];
    sum->count += wait->count;
    sum->time += wait->time;
    if (sum->longest < wait->longest)
        sum->longest = wait->longest;
    return true;
}

uint32_t waitdata_thread(const struct waitdata *waits, uint32_t node)
{
    while (waits->nodes.list[node].module != PROFILE_THREAD)
        node = waits->nodes.list[node].parent;
    return (uint32_t)waits->nodes.list[node].address;
}

/* Adds the objects and nodes of FROM. Sets the number in INTO of each of them. */
static void merge_places(struct waitdata *into, const struct waitdata *from,
                         const struct heapmerge_numbers *numbers, uint32_t *objects,
                         uint32_t *nodes)
{
    for (size_t i = 0; i < from->objects.count; i++) {
        struct waitdata_object object = from->objects.list[i];
        object.module = heapmerge_place(numbers, object.module, 0).module;
        if (object.name != WAITDATA_NONE)
            object.name =
                intern_put(&into->names, intern_text(&from->names, object.name));
        objects[i] = waitdata_put_object(into, &object);
    }
    for (size_t i = 0; i < from->nodes.count; i++) {
        const struct waitdata_node *node = &from->nodes.list[i];
        uint32_t parent = node->parent;
        struct heapmerge_place place =
            heapmerge_place(numbers, node->module, node->address);
        nodes[i] = waitdata_put_node(
            into,
            &(struct waitdata_node){parent == PROFILE_NO_NODE ? parent : nodes[parent],
                                    place.module, place.address});
    }
}

static uint32_t map(uint32_t number, const uint32_t *numbers)
{
    return number == WAITDATA_NONE ? WAITDATA_NONE : numbers[number];
}

bool waitdata_fit(const struct waitdata *into, const struct waitdata *from)
{
    struct waitdata_sums sums = into->sums;
    uint64_t unrecorded;
    return add_sums(&sums, &from->sums) &&
           !__builtin_add_overflow(into->unrecorded, from->unrecorded, &unrecorded);
}

void waitdata_merge(struct waitdata *into, const struct waitdata *from,
                    const struct heapmerge_numbers *new_numbers)
{
    if (!from->measured)
        return;
    bool first = !into->measured, fresh;
    uint32_t number;
    BUF_OWN uint32_t *objects = buf_alloc((from->objects.count + 1) * sizeof *objects);
    BUF_OWN uint32_t *nodes = buf_alloc((from->nodes.count + 1) * sizeof *nodes);
    into->measured = true;
    if (into->least < from->least)
        into->least = from->least;
    into->unrecorded += from->unrecorded;
    for (size_t i = 0; i < from->states.count; i++) {
        struct waitdata_state state = from->states.list[i];
        state.thread = new_numbers->threads[state.thread];
        waitdata_add_state(into, &state, &fresh);
    }
    merge_places(into, from, new_numbers, objects, nodes);
    for (size_t i = 0; i < from->waits.count; i++) {
        struct waitdata_wait wait = from->waits.list[i];
        wait.stack = nodes[wait.stack];
        wait.object = map(wait.object, objects);
        wait.held = map(wait.held, objects);
        wait.cause = map(wait.cause, nodes);
        wait.taken_module = heapmerge_place(new_numbers, wait.taken_module, 0).module;
        waitdata_add_wait(into, &wait, &number);
    }
    into->longest.count = 0;
    for (size_t i = 0; first && i < from->longest.count; i++)
        BUF_PUSH(into->longest) = from->longest.list[i];
}

void waitdata_free(struct waitdata *waits)
{
    free(waits->states.list);
    free(waits->objects.list);
    free(waits->nodes.list);
    free(waits->waits.list);
    free(waits->longest.list);
    intern_free(&waits->names);
    index_free(&waits->state_index);
    index_free(&waits->object_index);
    index_free(&waits->node_index);
    index_free(&waits->taken_index);
    index_free(&waits->wait_index);
    memset(waits, 0, sizeof *waits);
}
