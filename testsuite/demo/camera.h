/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a place in the picture to a ray into the scene. */

#ifndef DEMO_CAMERA_H
#define DEMO_CAMERA_H

#include "ray.h"

typedef struct {
    Vec eye;
    Vec corner; /* from the eye to the upper left corner of the picture */
    Vec right;  /* along the whole upper edge */
    Vec down;   /* along the whole left edge */
} Camera;

/* Looks from EYE at TARGET; WIDTH is that of the picture at distance 1. */
static inline Camera camera(Vec eye, Vec target, double width, double height)
{
    Vec front = vec_unit(vec_sub(target, eye));
    Vec side = vec_unit(vec_cross(vec(0, 1, 0), front));
    Vec up = vec_cross(front, side);
    Camera c;

    c.eye = eye;
    c.right = vec_scale(side, width);
    c.down = vec_scale(up, -height);
    c.corner = vec_sub(front, vec_add(vec_scale(c.right, 0.5), vec_scale(c.down, 0.5)));
    return c;
}

/* X and Y from 0 (left, top) to 1. */
static inline Ray camera_ray(const Camera *c, double x, double y)
{
    Vec along =
        vec_add(c->corner, vec_add(vec_scale(c->right, x), vec_scale(c->down, y)));

    return ray(c->eye, vec_unit(along));
}

#endif
