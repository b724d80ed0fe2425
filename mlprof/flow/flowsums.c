/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/flow/flowsums.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>

int64_t flowsums_clamp(__int128 sum)
{
    return sum > FLOWSUMS_MOST    ? FLOWSUMS_MOST
           : sum < -FLOWSUMS_MOST ? -FLOWSUMS_MOST
                                  : (int64_t)sum;
}

int64_t *flowsums_add_up(const struct edgeterms_counter *counters, size_t count,
                         const struct profile *profile, uint32_t module,
                         const size_t *first, size_t edges)
{
    __int128 *sums = buf_alloc((edges + 1) * sizeof *sums);
    int64_t *clamped = buf_alloc((edges + 1) * sizeof *clamped);
    for (size_t i = 0; i < count; i++) {
        const struct edgeterms_counter *counter = &counters[i];
        __int128 counted = profile_count_of(profile, module, counter->address);
        sums[first[counter->flow] + counter->edge] +=
            counter->negative ? -counted : counted;
    }
    for (size_t i = 0; i < edges; i++)
        clamped[i] = flowsums_clamp(sums[i]);
    free(sums);
    return clamped;
}
