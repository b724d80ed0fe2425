/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/slots.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

#define LEAST 64

static void set_size(struct slots *slots, size_t size)
{
    const struct slots old = *slots;
    slots->list = buf_alloc(size * sizeof *slots->list);
    slots->size = size;
    for (size_t i = 0; i < old.size; i++) {
        if (!old.list[i])
            continue;
        size_t at = (old.list[i] >> 32) & (size - 1);
        while (slots->list[at])
            at = (at + 1) & (size - 1);
        slots->list[at] = old.list[i];
    }
    free(old.list);
}

void slots_grow(struct slots *slots, size_t count)
{
    size_t size = slots->size ? slots->size : LEAST;
    if (count >= UINT32_MAX)
        buf_no_memory();
    while (size / 2 < count)
        size *= 2;
    set_size(slots, size);
}

void slots_free(struct slots *slots)
{
    free(slots->list);
    memset(slots, 0, sizeof *slots);
}
