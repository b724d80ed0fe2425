/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread that libgomp has made has nothing on its stack that tells at the end of which
   construct it waits.  But a construct lasts equally long for all its threads, and how
   long, the thread that has begun it tells: what another one has not spent in it, it has
   waited at its end.  What a thread waited altogether was sampled; this says how it is
   divided among constructs.  */

#include "mlprof/parallel/constructs-inside.h"

#include <math.h>
#include <stdlib.h>

/* A difference of so many standard deviations is not chance.  */
#define CERTAIN 3

/* The construct that most samples of a task were seen in; CONSTRUCTS_NONE: none.  */
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

/* Tasks that a thread ran while it waited at the end of a construct were in it.  */
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

/* How much a thread may have waited at the end of a construct, since it was elsewhere
   then: SEEN, or otherwise not seen, in it.  Of those that it was not seen in only such
   as are in no other one come into question.  */
static double room_of(struct constructs_builder *build, uint32_t number, uint32_t thread,
                      bool seen)
{
    const struct construct *construct = &build->list[number];
    double within = constructs_cell(build, number, thread)->within;
    if (!construct->parallel || (within > 0) != seen)
        return 0;
    return fmax(0, seen ? construct->duration - within : construct->outer);
}

/* Divides COUNT samples of a thread among these; returns how many are left.  */
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
    /* CPU time does not tell how long a construct lasted.  */
    bool lasting = build->profile->clock == PROFILE_WALL;
    count_tasks(build);
    for (uint32_t i = 0; i < build->ends.index.count; i++) {
        uint32_t thread = (uint32_t)build->ends.index.keys[i].words[0];
        double left = build->ends.sums[i];
        if (lasting)
            left = share(build, thread, true, left);
        /* What it did where the stack does not tell may have been in any of them.  */
        if (lasting && left > 0 && constructs_cell(build, UNKNOWN, thread)->work < 0.5)
            left = share(build, thread, false, left);
        if (left > 0)
            constructs_cell(build, ENDS, thread)->end += left;
    }
}
