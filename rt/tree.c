/* SPDX-License-Identifier: MIT */
/* Owns the links of the points (`below', `beside').  Called where the profile is
   written.

   A handler may have been cut off with a bucket's flag set, or may even go on
   while the tree is there.  So only those points are linked that will not change
   any more: points in frozen buckets, and what they hold a use of, the points
   above them.  */

#include "tree.h"

/* BESIDE of the last one; 0 is a point that has not been linked.  */
#define TREE_LAST CCPROF_POINT_ROOT

static uint32_t *tree_first(struct ccprof_table *table, uint32_t caller)
{
    return caller == CCPROF_POINT_ROOT ? &table->roots
                                       : &ccprof_table_point(table, caller)->below;
}

/* Links the point and those above it.  */
static void tree_link(struct ccprof_table *table, uint32_t number)
{
    while (number != CCPROF_POINT_ROOT) {
        struct ccprof_point *point = ccprof_table_point(table, number);
        uint32_t *first = tree_first(table, point->caller);

        if (point->beside != 0)
            return;
        point->beside = *first ? *first : TREE_LAST;
        *first = number;
        number = point->caller;
    }
}

static bool tree_is_frozen(const struct ccprof_table *table, uint32_t number)
{
    return table->frozen[(number - CCPROF_POINT_BASE) / CCPROF_TABLE_WAYS];
}

void ccprof_tree_build(struct ccprof_table *table)
{
    const uint32_t end = CCPROF_POINT_BASE + CCPROF_TABLE_BUCKETS * CCPROF_TABLE_WAYS;

    for (uint32_t number = CCPROF_POINT_BASE; number < end; number++) {
        const struct ccprof_point *point = ccprof_table_point(table, number);
        if (tree_is_frozen(table, number) && point->caller != CCPROF_POINT_NONE &&
            point->count != 0)
            tree_link(table, number);
    }
}

int ccprof_tree_each(struct ccprof_table *table, ccprof_visit *visit, void *context)
{
    uint32_t number = table->roots;
    unsigned depth = 0;

    while (number != CCPROF_POINT_NONE) {
        const struct ccprof_point *point = ccprof_table_point(table, number);
        uint64_t count = tree_is_frozen(table, number) ? point->count : 0;
        int stop = visit(context, depth, point->address, count);

        if (stop)
            return stop;
        if (point->below != CCPROF_POINT_NONE) {
            number = point->below;
            depth++;
            continue;
        }
        while (point->beside == TREE_LAST && point->caller != CCPROF_POINT_ROOT) {
            point = ccprof_table_point(table, point->caller);
            depth--;
        }
        number = point->beside == TREE_LAST ? CCPROF_POINT_NONE : point->beside;
    }
    return 0;
}
