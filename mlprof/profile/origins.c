/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/profile/origins.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

void origins_free(struct origins *origins)
{
    intern_free(&origins->hosts);
    free(origins->origins);
    index_free(&origins->index);
    packed_free(&origins->shares);
    memset(origins, 0, sizeof *origins);
}

uint32_t origins_add(struct origins *origins, const char *host,
                     const struct origins_origin *like)
{
    bool fresh;
    uint32_t number = host ? intern_put(&origins->hosts, host) : ORIGINS_UNKNOWN;
    uint32_t origin =
        index_put(&origins->index, number, like->ranked, like->rank, &fresh);
    if (fresh)
        BUF_NEXT(origins->origins, origins->count, origins->capacity) =
            (struct origins_origin){
                .host = number, .ranked = like->ranked, .rank = like->rank};
    struct origins_origin *sum = &origins->origins[origin];
    uint64_t least = like->least_size ? like->least_size : like->size;
    if (like->size && (sum->size == 0 || least < sum->least_size))
        sum->least_size = least;
    if (like->size > sum->size)
        sum->size = like->size;
    sum->files += like->files;
    sum->cpu += like->cpu;
    sum->wall += like->wall;
    sum->samples += like->samples;
    sum->lost += like->lost;
    return origin;
}

const char *origins_host(const struct origins *origins, uint32_t number)
{
    uint32_t host = origins->origins[number].host;
    return host == ORIGINS_UNKNOWN ? NULL : intern_text(&origins->hosts, host);
}

void origins_merge(struct origins *into, const struct origins *from, uint32_t *to)
{
    for (uint32_t i = 0; i < from->count; i++)
        to[i] = origins_add(into, origins_host(from, i), &from->origins[i]);
}

size_t origins_ranks(const struct origins *origins)
{
    struct index ranks = {0};
    size_t count = 0;
    for (size_t i = 0; i < origins->count; i++) {
        bool fresh = false;
        if (origins->origins[i].ranked)
            index_put(&ranks, origins->origins[i].rank, 0, 0, &fresh);
        count += fresh;
    }
    index_free(&ranks);
    return count;
}

uint64_t origins_size(const struct origins *origins, uint64_t *least)
{
    uint64_t most = 0;
    *least = 0;
    for (size_t i = 0; i < origins->count; i++) {
        const struct origins_origin *origin = &origins->origins[i];
        if (origin->size && (*least == 0 || origin->least_size < *least))
            *least = origin->least_size;
        if (origin->size > most)
            most = origin->size;
    }
    return most;
}
