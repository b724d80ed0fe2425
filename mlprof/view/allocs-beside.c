/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/allocs-beside.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

/* What the counters have counted.  */
static struct heapdata_amount counted(const struct view *view)
{
    const struct allocs *allocs = &view->rows->stacks.allocs;
    struct heapdata_amount sum = {0, 0};
    for (size_t i = 0; i < allocs->count; i++) {
        sum.blocks += allocs->sites[i].blocks;
        sum.bytes += allocs->sites[i].bytes;
    }
    return sum;
}

static uint64_t beyond(uint64_t all, uint64_t part)
{
    return all > part ? all - part : 0;
}

void allocs_beside_print(FILE *out, const struct view *view)
{
    const struct heapdata *heap = &view->profile->heap;
    if (!heap->measured || view->rows->stacks.filtered || view->style.mlton)
        return;
    struct heapdata_amount part = counted(view);
    const struct heapdata_amount *all = &heap->sums[HEAPDATA_TOTAL];
    BUF_OWN char *bytes = text_number(beyond(all->bytes, part.bytes), "byte");
    BUF_OWN char *blocks = text_number(beyond(all->blocks, part.blocks), "block");
    fprintf(out, "\nlibraries have allocated %s%s in %s beside these: -heap allocated\n",
            heap->sample ? "about " : "", bytes, blocks);
}
