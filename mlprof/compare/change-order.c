/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "mlprof/compare/change-order.h"

#include <stdlib.h>
#include <string.h>

struct sorting {
    const struct match *match;
    const struct side *const *sides;
    enum view_order order;
};

static int by_order(const void *one, const void *other, void *of)
{
    const struct change *a = one, *b = other;
    const struct sorting *sorting = of;
    double x = a->after - a->before, y = b->after - b->before;
    int order = (x < y) - (x > y);
    if (sorting->order == VIEW_NAME)
        order = strcmp(match_function(sorting->match, sorting->sides, a->row)->shown,
                       match_function(sorting->match, sorting->sides, b->row)->shown);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

void change_order_sort(struct changes *changes, const struct match *match,
                       const struct side *const sides[2], enum view_order order)
{
    struct sorting sorting = {.match = match, .sides = sides, .order = order};
    if ((order == VIEW_CHANGE || order == VIEW_NAME) && changes->count)
        qsort_r(changes->changes, changes->count, sizeof *changes->changes, by_order,
                &sorting);
}
