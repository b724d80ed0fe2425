/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/floors.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

static size_t range_of(const struct floors *floors, uint64_t value)
{
    return (size_t)((value - floors->list[0]) >> floors->shift);
}

void floors_make(struct floors *floors, uint64_t *list, size_t count)
{
    *floors = (struct floors){.list = list, .count = count};
    if (count == 0)
        return;
    while ((list[count - 1] - list[0]) >> floors->shift >= 2 * count)
        floors->shift++;
    size_t ranges = range_of(floors, list[count - 1]) + 1, range = 0;
    floors->begins = buf_alloc((ranges + 1) * sizeof *floors->begins);
    for (size_t i = 0; i < count; i++)
        for (; range <= range_of(floors, list[i]); range++)
            floors->begins[range] = (uint32_t)i;
    floors->begins[ranges] = (uint32_t)count;
}

bool floors_find(const struct floors *floors, uint64_t value, size_t *place)
{
    if (floors->count == 0 || value < floors->list[0])
        return false;
    size_t low = floors->count, high = floors->count;
    if (value < floors->list[floors->count - 1]) {
        size_t range = range_of(floors, value);
        low = floors->begins[range];
        high = floors->begins[range + 1];
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (floors->list[middle] <= value)
            low = middle + 1;
        else
            high = middle;
    }
    *place = low - 1;
    return true;
}

void floors_free(struct floors *floors)
{
    free(floors->list);
    free(floors->begins);
    memset(floors, 0, sizeof *floors);
}
