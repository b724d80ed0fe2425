/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/profile/heaptimes.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

/* Which part of the run is young.  */
#define YOUNG_PART 10

void heaptimes_add(struct heaptimes *times, const struct heaptimes_cell *cell)
{
    BUF_NEXT(times->cells, times->cell_count, times->cell_capacity) = *cell;
}

uint32_t heaptimes_young(const struct heaptimes *times)
{
    bool known = times->cells_known && times->count >= YOUNG_PART;
    return known ? times->count - times->count / YOUNG_PART : HEAPTIMES_ALIVE;
}

void heaptimes_free(struct heaptimes *times)
{
    free(times->cells);
    memset(times, 0, sizeof *times);
}
