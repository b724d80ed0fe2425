/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the waiting at ends among constructs.  The stack of a thread that libgomp made
   does not show at the end of which construct it waits.  But a construct lasts equally
   long for all its threads, and the thread that began it shows how long: a thread that
   was not in it for as long has waited at its end.  The sum of a thread's waiting was
   sampled; here it is divided.  */

#include "mlprof/parallel/constructs-inside.h"

#include <math.h>
#include <stdlib.h>

/* A difference of so many standard deviations is no chance.  */
#define CERTAIN 3

/* The construct in which most samples of a task were seen, or CONSTRUCTS_NONE.  */
static uint32_t parent_of(const struct constructs_builder *build, uint32_t task)
{
    const struct constructs_sums *parents = &build->parents;
    uint32_t found = CONSTRUCTS_NONE;
    double most = 0;
    for (uint32_t i = 0; i < parents->index.count; i++) {
        const uint64_t *words = parents->index.keys[i].words;
        if (words[0] != task || parents->sums[i] <= most)
            continue;
        found = (uint32_t)words[1];
        most = parents->sums[i];
    }
    return found;
}

/* Tasks that a thread ran while it waited at the end of a construct belong to that
   construct.  */
static void count_tasks(struct constructs_builder *build)
{
    for (uint32_t i = 0; i < build->loose.index.count; i++) {
        const uint64_t *words = build->loose.index.keys[i].words;
        uint32_t parent = parent_of(build, (uint32_t)words[0]);
        if (parent != CONSTRUCTS_NONE)
            constructs_cell(build, parent, (uint32_t)words[1])->within +=
                build->loose.sums[i];
    }
}

/* How many samples a thread may have waited at the end of a construct.  SEEN: only if the
   thread was seen in it; otherwise only if it was not, and the construct is in no other
   one.  */
static double room_of(struct constructs_builder *build, uint32_t number, uint32_t thread,
                      bool seen)
{
    const struct construct *construct = &build->list[number];
    double within = constructs_cell(build, number, thread)->within;
    if (!construct->parallel || (within > 0) != seen)
        return 0;
    return fmax(0, seen ? construct->duration - within : construct->outer);
}

/* Divides COUNT samples of a thread among the constructs that it was SEEN in, or not;
   returns how many are left.  */
static double share(struct constructs_builder *build, uint32_t thread, bool seen,
                    double count)
{
    double sum = 0;
    for (uint32_t i = CONSTRUCTS_FIRST; i < build->count; i++)
        sum += room_of(build, i, thread, seen);
    double given = count - sum > CERTAIN * sqrt(count + sum) ? sum : count;
    if (sum <= 0)
        return count;
    for (uint32_t i = CONSTRUCTS_FIRST; i < build->count; i++) {
        double room = room_of(build, i, thread, seen);
        if (room <= 0)
            continue;
        struct constructs_cell *cell = constructs_cell(build, i, thread);
        cell->end += given * room / sum;
        cell->waited += given * room / sum;
    }
    return count - given;
}

void constructs_share_ends(struct constructs_builder *build)
{
    /* CPU time does not show how long a construct lasted.  */
    bool lasting = build->profile->clock == PROFILE_WALL;
    count_tasks(build);
    for (uint32_t i = 0; i < build->ends.index.count; i++) {
        uint32_t thread = (uint32_t)build->ends.index.keys[i].words[0];
        double left = build->ends.sums[i];
        if (lasting)
            left = share(build, thread, true, left);
        /* The samples of UNKNOWN may belong to any of the constructs.  */
        if (lasting && left > 0 && constructs_cell(build, UNKNOWN, thread)->work < 0.5)
            left = share(build, thread, false, left);
        if (left > 0)
            constructs_cell(build, ENDS, thread)->end += left;
    }
}
