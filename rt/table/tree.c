/* SPDX-License-Identifier: MIT */
/* Links the points of a frozen table.  Owns their links, `below' and `beside'.  Called
   where the profile is written.

   A handler that was cut off may hold the flag of a bucket, or a handler may even go on
   while the tree exists.  So the tree has only points that cannot change any more: the
   points of frozen buckets, and all points above them, of which they hold a use.  */

#include "rt/table/tree.h"
#include "rt/table/datasets.h"
#include "rt/table/scope.h"

/* BESIDE of the last point in its list; 0 means that the point is not linked.  */
#define TREE_LAST CCPROF_POINT_ROOT

static uint32_t *tree_first(struct ccprof_table *table, uint32_t caller)
{
    return caller == CCPROF_POINT_ROOT ? &table->roots
                                       : &ccprof_table_point(table, caller)->below;
}

/* Links the point and all points above it.  */
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
    return ccprof_table_is_frozen(table,
                                  (number - CCPROF_POINT_BASE) / CCPROF_TABLE_WAYS);
}

/* Returns the first number of a point, from NUMBER on, in a group that is in use, or
   none.  */
static uint32_t tree_used(const struct ccprof_table *table, uint32_t number)
{
    uint32_t index = number - CCPROF_POINT_BASE;
    unsigned bucket = index / CCPROF_TABLE_WAYS, used = ccprof_table_used(table, bucket);

    if (used == CCPROF_TABLE_BUCKETS)
        return CCPROF_POINT_NONE;
    return used == bucket ? number : CCPROF_POINT_BASE + used * CCPROF_TABLE_WAYS;
}

void ccprof_tree_build(struct ccprof_table *table)
{
    uint32_t number = tree_used(table, CCPROF_POINT_BASE);

    for (; number != CCPROF_POINT_NONE; number = tree_used(table, number + 1)) {
        const struct ccprof_point *point = ccprof_table_point(table, number);
        if (tree_is_frozen(table, number) && point->caller != CCPROF_POINT_NONE &&
            point->count != 0)
            tree_link(table, number);
    }
}

static uint64_t *tree_count(struct ccprof_table *table, uint32_t number)
{
    static uint64_t none;
    return tree_is_frozen(table, number) ? &ccprof_table_point(table, number)->count
                                         : &none;
}

/* Returns the next point in preorder, or none.  */
static uint32_t tree_next(struct ccprof_table *table, uint32_t number, unsigned *depth)
{
    const struct ccprof_point *point = ccprof_table_point(table, number);

    if (point->below != CCPROF_POINT_NONE) {
        ++*depth;
        return point->below;
    }
    while (point->beside == TREE_LAST && point->caller != CCPROF_POINT_ROOT) {
        point = ccprof_table_point(table, point->caller);
        --*depth;
    }
    return point->beside == TREE_LAST ? CCPROF_POINT_NONE : point->beside;
}

int ccprof_tree_each(struct ccprof_table *table, ccprof_visit *visit, void *context)
{
    uint32_t number = table->roots;
    unsigned depth = 0;
    int stop = 0;

    while (!stop && number != CCPROF_POINT_NONE) {
        const struct ccprof_point *point = ccprof_table_point(table, number);
        stop = visit(context, depth, point->address, *tree_count(table, number));
        number = tree_next(table, number, &depth);
    }
    return stop;
}

uint64_t ccprof_tree_take(struct ccprof_table *table, uint64_t dataset)
{
    uint32_t number = table->roots;
    uint64_t taken = 0;
    unsigned depth = 0;
    bool inside = false;

    while (number != CCPROF_POINT_NONE) {
        const struct ccprof_point *point = ccprof_table_point(table, number);
        uint64_t *count = tree_count(table, number);
        if (depth == 0)
            inside = dataset == CCPROF_DATASETS_ALL ||
                     ccprof_scope_dataset(point->address) == dataset;
        if (inside) {
            taken += *count;
            *count = 0;
        }
        number = tree_next(table, number, &depth);
    }
    return taken;
}

void ccprof_tree_forget(struct ccprof_table *table)
{
    uint32_t number = tree_used(table, CCPROF_POINT_BASE);

    for (; number != CCPROF_POINT_NONE; number = tree_used(table, number + 1)) {
        struct ccprof_point *point = ccprof_table_point(table, number);
        /* An unconditional store would touch pages that nobody has written.  */
        if (point->below | point->beside)
            point->below = point->beside = 0;
    }
    table->roots = 0;
}
