/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rays, and what they hit. */

#ifndef DEMO_RAY_H
#define DEMO_RAY_H

#include "vec.h"

/* Nearer hits than this are the surface that the ray starts from. */
#define RAY_NEAR 1e-6
#define RAY_FAR  1e30

typedef struct {
    Vec from;
    Vec along;   /* unit length */
    Vec inverse; /* 1 / along, component by component; may be infinite */
} Ray;

typedef struct {
    double distance; /* along the ray; RAY_FAR: nothing was hit */
    Vec normal;      /* unit length, outwards */
    int material;
} Hit;

static inline Ray ray(Vec from, Vec along)
{
    return (Ray){from, along, vec(1 / along.x, 1 / along.y, 1 / along.z)};
}

static inline Vec ray_at(const Ray *r, double distance)
{
    return vec_add(r->from, vec_scale(r->along, distance));
}

#endif
