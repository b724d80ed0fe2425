/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spheres, of which the scene is made. */

#ifndef DEMO_SPHERE_H
#define DEMO_SPHERE_H

#include "box.h"

typedef struct {
    Vec centre;
    double radius;
    int material;
} Sphere;

static inline Box sphere_box(const Sphere *s)
{
    Vec r = vec(s->radius, s->radius, s->radius);

    return (Box){vec_sub(s->centre, r), vec_add(s->centre, r)};
}

/* The first distance beyond RAY_NEAR at which R meets the sphere, RAY_FAR if
   none: the roots of |from + t along - centre|^2 = radius^2. */
static inline double sphere_hit(const Sphere *s, const Ray *r)
{
    Vec to = vec_sub(s->centre, r->from);
    double middle = vec_dot(to, r->along);
    double rest = s->radius * s->radius - vec_dot(to, to) + middle * middle;
    double half;

    if (rest < 0)
        return RAY_FAR;
    half = sqrt(rest);
    if (middle - half > RAY_NEAR)
        return middle - half;
    if (middle + half > RAY_NEAR)
        return middle + half;
    return RAY_FAR;
}

static inline Vec sphere_normal(const Sphere *s, Vec at)
{
    return vec_scale(vec_sub(at, s->centre), 1 / s->radius);
}

#endif
