/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/measures.h"
#include "mlprof/base/buf.h"
#include "mlprof/view/heapwords.h"

bool measures_has(const struct profile *profile, enum measures measure)
{
    switch (measure) {
    case MEASURES_SAMPLES:
    case MEASURES_TIME:
        return profile_measure(profile)->sampled;
    case MEASURES_CALLS:
        return profile->kind & CCPROF_KIND_COUNT;
    case MEASURES_BLOCKS:
    case MEASURES_BYTES:
        return profile->kind & CCPROF_KIND_ALLOC;
    case MEASURES_ALL:
        break;
    }
    return false;
}

enum measures measures_main(const struct profile *profile)
{
    static const enum measures by_unit[] = {[MEASURE_NANOSECONDS] = MEASURES_TIME,
                                            [MEASURE_BYTES] = MEASURES_BYTES,
                                            [MEASURE_COUNT] = MEASURES_CALLS};
    return by_unit[profile_measure(profile)->unit];
}

char *measures_of_memory(const struct profile *profile, const char *unit)
{
    const struct heapdata *heap = &profile->heap;
    return buf_format("%s %s", unit,
                      heap->shown ? measure_of_heap(heap->measure)->what : "allocated");
}
