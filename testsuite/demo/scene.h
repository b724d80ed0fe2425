/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What there is to see: a sphere with smaller ones on it and so on (Haines's
   sphereflake, 1987) and a cloud of small balls, on a chequered ground. */

#ifndef DEMO_SCENE_H
#define DEMO_SCENE_H

#include "tree.h"

enum { SCENE_LIGHTS = 3 };

typedef struct {
    Vec colour;
    double diffuse;
    double mirror; /* part of the light that is reflected as in a mirror */
    int gloss;     /* exponent of the highlight; 0: none */
} Material;

typedef struct {
    Vec at;
    Vec colour;
} Light;

typedef struct {
    Sphere *spheres;
    int count;
    Tree *tree;
    Light lights[SCENE_LIGHTS];
} Scene;

/* DEPTH generations of spheres on spheres, and BALLS balls around them. */
Scene *scene_make(int depth, int balls);
void scene_free(Scene *scene);

const Material *scene_material(int number);

/* The nearest thing on R, its distance RAY_FAR if there is none. */
Hit scene_hit(const Scene *scene, const Ray *r);

/* What is seen where there is nothing. */
Vec scene_sky(const Ray *r);

/* The colour of what was hit at AT. */
Vec scene_colour(const Hit *hit, Vec at);

#endif
