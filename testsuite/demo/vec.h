/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of three doubles: points, directions and colours. Every function is
   small enough that GCC inlines it at -O2, at every call. */

#ifndef DEMO_VEC_H
#define DEMO_VEC_H

#include <math.h>

typedef struct {
    double x, y, z;
} Vec;

static inline Vec vec(double x, double y, double z)
{
    return (Vec){x, y, z};
}

static inline Vec vec_add(Vec a, Vec b)
{
    return vec(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline Vec vec_sub(Vec a, Vec b)
{
    return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline Vec vec_scale(Vec a, double k)
{
    return vec(a.x * k, a.y * k, a.z * k);
}

/* Component by component: a light's colour through a surface's. */
static inline Vec vec_mul(Vec a, Vec b)
{
    return vec(a.x * b.x, a.y * b.y, a.z * b.z);
}

static inline double vec_dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vec vec_cross(Vec a, Vec b)
{
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double vec_length(Vec a)
{
    return sqrt(vec_dot(a, a));
}

static inline Vec vec_unit(Vec a)
{
    return vec_scale(a, 1 / vec_length(a));
}

/* A at t = 0, B at t = 1. */
static inline Vec vec_mix(Vec a, Vec b, double t)
{
    return vec_add(vec_scale(a, 1 - t), vec_scale(b, t));
}

/* D mirrored at a surface with the unit normal N. */
static inline Vec vec_reflect(Vec d, Vec n)
{
    return vec_sub(d, vec_scale(n, 2 * vec_dot(d, n)));
}

static inline Vec vec_min(Vec a, Vec b)
{
    return vec(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

static inline Vec vec_max(Vec a, Vec b)
{
    return vec(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

/* Component AXIS: 0 is x, 1 is y, 2 is z. */
static inline double vec_axis(Vec a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

#endif
