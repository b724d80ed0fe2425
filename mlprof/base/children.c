/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/children.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

void children_reserve(struct children *children, size_t count)
{
    size_t had = children->capacity;
    if (count < had)
        return;
    if (!had) {
        /* The kernel's fresh memory is zero already.  */
        children->links = buf_alloc((count + 1) * sizeof *children->links);
        children->capacity = count + 1;
        return;
    }
    children->links = buf_grow(children->links, &children->capacity, count + 1,
                               sizeof *children->links);
    memset(children->links + had, 0,
           (children->capacity - had) * sizeof *children->links);
}

void children_free(struct children *children)
{
    free(children->links);
    slots_free(&children->more);
    memset(children, 0, sizeof *children);
}

bool children_next_unlisted(const struct children *children,
                            struct children_search *search, uint32_t *number)
{
    if (!children->more_count)
        return false;
    if (search->more)
        slots_skip(&children->more, &search->slot);
    else
        search->slot = slots_begin(&children->more, search->hash);
    search->more = true;
    return slots_next(&children->more, &search->slot, number);
}

void children_put(struct children *children, const struct children_search *search,
                  uint32_t number)
{
    struct slots *more = &children->more;
    uint32_t other;
    if (search->listed < CHILDREN_LISTED) {
        struct children_links *parent = &children->links[search->parent];
        children->links[number + 1].before = parent->newest;
        parent->newest = number + 1;
        return;
    }
    slots_reserve(more, ++children->more_count);
    struct slots_search free_slot = slots_begin(more, search->hash);
    while (slots_next(more, &free_slot, &other))
        slots_skip(more, &free_slot);
    slots_put(more, &free_slot, number);
}
