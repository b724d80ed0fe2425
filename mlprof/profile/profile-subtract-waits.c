/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Subtracts the waits of an earlier profile of a process. A wait that had not ended in
   the earlier profile, or whose cause was not known then, is in another line of the later
   one: what a line lacks is subtracted from those of the same stack, reason and object.
   The single waits are left out. */

#include "mlprof/base/buf.h"
#include "mlprof/profile/profile-subtract-inside.h"

#include <stdlib.h>

/* Subtracts AMOUNT from *FROM, as far as possible. Returns the rest. */
static uint64_t take(uint64_t *from, uint64_t amount)
{
    const uint64_t taken = amount < *from ? amount : *from;
    *from -= taken;
    return amount - taken;
}

static void subtract_states(const struct subtract_match *match)
{
    struct waitdata *later = &match->later->waits;
    const struct waitdata *earlier = &match->earlier->waits;
    for (size_t i = 0; i < earlier->states.count; i++) {
        const struct waitdata_state *state = &earlier->states.list[i];
        uint32_t number;
        if (!index_get(&later->state_index, match->threads[state->thread], 0, 0, &number))
            continue;
        take(&later->states.list[number].wall, state->wall);
        take(&later->states.list[number].cpu, state->cpu);
        take(&later->states.list[number].ready, state->ready);
    }
    later->sums = (struct waitdata_sums){0};
    for (size_t i = 0; i < later->states.count; i++) {
        later->sums.wall += later->states.list[i].wall;
        later->sums.cpu += later->states.list[i].cpu;
        later->sums.ready += later->states.list[i].ready;
    }
}

/* Sets the numbers in the later profile of the earlier one's nodes. */
static void find_nodes(const struct subtract_match *match, uint32_t *numbers)
{
    const struct waitdata *earlier = &match->earlier->waits;
    for (size_t i = 0; i < earlier->nodes.count; i++) {
        const struct waitdata_node *node = &earlier->nodes.list[i];
        const uint32_t parent =
            node->parent == PROFILE_NO_NODE ? PROFILE_NO_NODE : numbers[node->parent];
        struct heapmerge_place place;
        numbers[i] = SUBTRACT_ABSENT;
        for (size_t n = 0; parent != SUBTRACT_ABSENT && numbers[i] == SUBTRACT_ABSENT &&
                           subtract_place(match, node->module, node->address, n, &place);
             n++)
            if (!index_get(&match->later->waits.node_index, parent, place.module,
                           place.address, &numbers[i]))
                numbers[i] = SUBTRACT_ABSENT;
    }
}

/* Sets the numbers in the later profile of the earlier one's objects. */
static void find_objects(const struct subtract_match *match, uint32_t *numbers)
{
    struct waitdata *later = &match->later->waits;
    const struct waitdata *earlier = &match->earlier->waits;
    for (size_t i = 0; i < earlier->objects.count; i++) {
        const struct waitdata_object *object = &earlier->objects.list[i];
        struct heapmerge_place place;
        const uint32_t name =
            object->name == WAITDATA_NONE
                ? WAITDATA_NONE
                : intern_put(&later->names, intern_text(&earlier->names, object->name));
        numbers[i] = SUBTRACT_ABSENT;
        for (size_t n = 0;
             numbers[i] == SUBTRACT_ABSENT &&
             subtract_place(match, object->module, object->address, n, &place);
             n++)
            if (!index_get(&later->object_index, place.module, place.address, name,
                           &numbers[i]))
                numbers[i] = SUBTRACT_ABSENT;
    }
}

/* The lines of the later profile with equal stack, reason and object: lists of their
   numbers. */
struct groups {
    struct index index;     /* key: stack and object, reason */
    uint32_t *first, *next; /* by group, and by line; WAITDATA_NONE: the end */
};

static void make_groups(struct groups *groups, const struct waitdata *waits)
{
    bool fresh;
    groups->first = buf_alloc((waits->waits.count + 1) * sizeof *groups->first);
    groups->next = buf_alloc((waits->waits.count + 1) * sizeof *groups->next);
    for (size_t i = 0; i < waits->waits.count; i++) {
        const struct waitdata_wait *wait = &waits->waits.list[i];
        const uint32_t group =
            index_put(&groups->index, index_pair(wait->stack, wait->object), wait->reason,
                      0, &fresh);
        groups->next[i] = fresh ? WAITDATA_NONE : groups->first[group];
        groups->first[group] = (uint32_t)i;
    }
}

/* Subtracts what is left of COUNT and TIME from the line. */
static void subtract_from(struct waitdata_wait *wait, uint64_t *count, uint64_t *time)
{
    *count = take(&wait->count, *count);
    *time = take(&wait->time, *time);
    if (wait->longest > wait->time)
        wait->longest = wait->time;
}

/* Returns whether the waits ended in the same way and by the same cause, while the same
   process held the lock, if another one did. */
static bool is_equal(const struct waitdata_wait *wait,
                     const struct waitdata_wait *earlier)
{
    const bool is_process = earlier->taken_module == PROFILE_PROCESS;
    return wait->end == earlier->end && wait->cause == earlier->cause &&
           wait->held == earlier->held &&
           is_process == (wait->taken_module == PROFILE_PROCESS) &&
           (!is_process || wait->taken == earlier->taken);
}

/* Subtracts EARLIER, with the numbers of the later profile: first from the equal line,
   then from others of its group. If it had
   not ended and was for a descriptor, its reason and object are known in LATER only. */
static void subtract_wait(struct waitdata *later, const struct groups *groups,
                          const struct waitdata_wait *earlier)
{
    uint64_t count = earlier->count, time = earlier->time;
    uint32_t group;
    const bool is_there =
        index_get(&groups->index, index_pair(earlier->stack, earlier->object),
                  earlier->reason, 0, &group);
    for (int others = 0; is_there && others < 2; others++)
        for (uint32_t i = groups->first[group]; i != WAITDATA_NONE; i = groups->next[i]) {
            struct waitdata_wait *wait = &later->waits.list[i];
            if (others || is_equal(wait, earlier))
                subtract_from(wait, &count, &time);
        }
    if (earlier->end == CCPROF_WAIT_OPEN && earlier->object == WAITDATA_NONE)
        for (size_t i = 0; time && i < later->waits.count; i++)
            if (later->waits.list[i].stack == earlier->stack)
                subtract_from(&later->waits.list[i], &count, &time);
}

/* Adds the waits of the later profile again, without those that are 0. */
static void renew_waits(struct waitdata *later)
{
    struct waitdata_wait *old = later->waits.list;
    const size_t count = later->waits.count;
    uint32_t number;
    later->waits.list = NULL;
    later->waits.count = later->waits.capacity = 0;
    index_free(&later->wait_index);
    for (size_t i = 0; i < count; i++)
        if (old[i].time)
            waitdata_add_wait(later, &old[i], &number);
    free(old);
}

void subtract_waits(const struct subtract_match *match)
{
    struct waitdata *later = &match->later->waits;
    const struct waitdata *earlier = &match->earlier->waits;
    if (!later->measured || !earlier->measured)
        return;
    BUF_OWN uint32_t *nodes = buf_alloc((earlier->nodes.count + 1) * sizeof *nodes);
    BUF_OWN uint32_t *objects = buf_alloc((earlier->objects.count + 1) * sizeof *objects);
    struct groups groups = {0};
    subtract_states(match);
    find_nodes(match, nodes);
    find_objects(match, objects);
    make_groups(&groups, later);
    for (size_t i = 0; i < earlier->waits.count; i++) {
        struct waitdata_wait wait = earlier->waits.list[i];
        wait.stack = nodes[wait.stack];
        wait.object = wait.object == WAITDATA_NONE ? WAITDATA_NONE : objects[wait.object];
        wait.held = wait.held == WAITDATA_NONE ? WAITDATA_NONE : objects[wait.held];
        wait.cause = wait.cause == WAITDATA_NONE ? WAITDATA_NONE : nodes[wait.cause];
        subtract_wait(later, &groups, &wait);
    }
    index_free(&groups.index);
    free(groups.first);
    free(groups.next);
    take(&later->unrecorded, earlier->unrecorded);
    later->longest.count = 0;
    renew_waits(later);
}
