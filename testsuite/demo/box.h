/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boxes with sides along the axes, around parts of the scene. */

#ifndef DEMO_BOX_H
#define DEMO_BOX_H

#include <stdbool.h>
#include "ray.h"

typedef struct {
    Vec low, high;
} Box;

/* The box of nothing: box_join with it changes nothing. */
static inline Box box_empty(void)
{
    return (Box){vec(RAY_FAR, RAY_FAR, RAY_FAR), vec(-RAY_FAR, -RAY_FAR, -RAY_FAR)};
}

static inline Box box_join(Box a, Box b)
{
    return (Box){vec_min(a.low, b.low), vec_max(a.high, b.high)};
}

static inline Vec box_size(Box b)
{
    return vec_sub(b.high, b.low);
}

/* Half of the surface: in proportion to how often a random ray hits the box. */
static inline double box_area(Box b)
{
    Vec s = box_size(b);

    return s.x * s.y + s.y * s.z + s.z * s.x;
}

/* Narrows [*near, *far] to where the ray is between the planes LOW and HIGH. */
static inline void box_slab(double low, double high, double from, double inverse,
                            double *near, double *far)
{
    double a = (low - from) * inverse, b = (high - from) * inverse;

    if (a > b) {
        double swap = a;

        a = b;
        b = swap;
    }
    if (a > *near)
        *near = a;
    if (b < *far)
        *far = b;
}

/* The distance at which R enters the box, RAY_FAR if it does not before
   LIMIT. Kay and Kajiya, 1986. */
static inline double box_hit(const Box *b, const Ray *r, double limit)
{
    double near = 0, far = limit;

    box_slab(b->low.x, b->high.x, r->from.x, r->inverse.x, &near, &far);
    box_slab(b->low.y, b->high.y, r->from.y, r->inverse.y, &near, &far);
    box_slab(b->low.z, b->high.z, r->from.z, r->inverse.z, &near, &far);
    return near <= far ? near : RAY_FAR;
}

#endif
