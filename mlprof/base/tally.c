/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/tally.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

uint32_t tally_add(struct tally *tally, uint64_t a, uint64_t b, uint64_t c)
{
    bool fresh;
    uint32_t number = index_put(&tally->keys, a, b, c, &fresh);
    tally->counts =
        buf_grow(tally->counts, &tally->capacity, number + 1, sizeof *tally->counts);
    if (fresh)
        tally->counts[number] = 0;
    return tally->counts[number]++;
}

void tally_free(struct tally *tally)
{
    index_free(&tally->keys);
    free(tally->counts);
    memset(tally, 0, sizeof *tally);
}
