// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the scene, and knows the ground and the sky, which are no spheres.

#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include "random.h"

enum { GOLD, STEEL, GLAZE, CLAY, GROUND, MATERIALS };

// Each sphere carries so many of a third of its size: six around its middle,
// three higher up.
enum { AROUND = 6, ABOVE = 3, CHILDREN = AROUND + ABOVE };

#define GROUND_LEVEL     0.0
#define GOLDEN_ANGLE_COS (-0.73736887807831985597)
#define GOLDEN_ANGLE_SIN 0.67549029426152362720

static const Material materials[MATERIALS] = {
    [GOLD] = {{0.95, 0.75, 0.3}, 0.6, 0.35, 32},
    [STEEL] = {{0.7, 0.75, 0.85}, 0.4, 0.55, 64},
    [GLAZE] = {{0.2, 0.45, 0.7}, 0.8, 0.2, 16},
    [CLAY] = {{0.75, 0.4, 0.3}, 0.95, 0, 0},
    [GROUND] = {{0.9, 0.9, 0.85}, 0.9, 0.1, 0},
};

const Material *scene_material(int number)
{
    return &materials[number];
}

static int flake_size(int depth)
{
    return depth == 0 ? 1 : 1 + CHILDREN * flake_size(depth - 1);
}

static void add(Scene *scene, Sphere sphere)
{
    scene->spheres[scene->count++] = sphere;
}

// Two directions at right angles to UP and to each other.
static void make_frame(Vec up, Vec *side, Vec *front)
{
    Vec other = fabs(up.y) < 0.9 ? vec(0, 1, 0) : vec(1, 0, 0);

    *side = vec_unit(vec_cross(other, up));
    *front = vec_cross(up, *side);
}

static Vec turn(Vec side, Vec front, double cosine, double sine)
{
    return vec_add(vec_scale(side, cosine), vec_scale(front, sine));
}

// The directions in which a sphere that points UP carries its children.
static void child_directions(Vec up, Vec *along)
{
    static const double cosine[AROUND] = {1, 0.5, -0.5, -1, -0.5, 0.5};
    static const double sine[AROUND] = {
        0, 0.86602540378443864676,  0.86602540378443864676,
        0, -0.86602540378443864676, -0.86602540378443864676};
    Vec side, front;

    make_frame(up, &side, &front);
    for (int i = 0; i < AROUND; i++)
        along[i] = turn(side, front, cosine[i], sine[i]);
    for (int i = 0; i < ABOVE; i++) {
        Vec out = turn(side, front, sine[2 * i + 1], cosine[2 * i + 1]);

        along[AROUND + i] = vec_unit(vec_add(vec_scale(out, 0.6), vec_scale(up, 0.8)));
    }
}

static void add_flake(Scene *scene, Vec centre, double radius, Vec up, int depth)
{
    Vec along[CHILDREN];

    add(scene, (Sphere){centre, radius, depth % 2 ? STEEL : GOLD});
    if (depth == 0)
        return;
    child_directions(up, along);
    for (int i = 0; i < CHILDREN; i++) {
        Vec at = vec_add(centre, vec_scale(along[i], radius * 4 / 3));

        add_flake(scene, at, radius / 3, along[i], depth - 1);
    }
}

// Balls on a spiral around the flake, like the seeds of a sunflower.
static void add_balls(Scene *scene, int balls, Random *random)
{
    double cosine = 1, sine = 0;

    for (int i = 0; i < balls; i++) {
        double out = 2.2 + 9 * sqrt((i + 0.5) / balls);
        double radius = random_between(random, 0.03, 0.12);
        Vec at = vec(out * cosine, radius, out * sine);
        double next = cosine * GOLDEN_ANGLE_COS - sine * GOLDEN_ANGLE_SIN;

        sine = cosine * GOLDEN_ANGLE_SIN + sine * GOLDEN_ANGLE_COS;
        cosine = next;
        at = vec_add(at, vec_scale(random_in_ball(random), 0.05));
        add(scene, (Sphere){at, radius, random_unit(random) < 0.5 ? GLAZE : CLAY});
    }
}

static void place_lights(Scene *scene)
{
    scene->lights[0] = (Light){vec(-6, 9, -6), vec(0.8, 0.75, 0.7)};
    scene->lights[1] = (Light){vec(7, 6, -4), vec(0.3, 0.32, 0.4)};
    scene->lights[2] = (Light){vec(1, 12, 5), vec(0.25, 0.25, 0.22)};
}

Scene *scene_make(int depth, int balls)
{
    Random random = {UINT64_C(0x9e3779b97f4a7c15)};
    Scene *scene = malloc(sizeof *scene);
    size_t most = (size_t)flake_size(depth) + (size_t)balls;

    if (scene)
        scene->spheres = malloc(most * sizeof *scene->spheres);
    if (!scene || !scene->spheres) {
        fputs("demo: out of memory\n", stderr);
        exit(1);
    }
    scene->count = 0;
    add_flake(scene, vec(0, 1.9, 0), 1, vec(0, 1, 0), depth);
    add_balls(scene, balls, &random);
    place_lights(scene);
    scene->tree = tree_build(scene->spheres, scene->count);
    return scene;
}

void scene_free(Scene *scene)
{
    tree_free(scene->tree);
    free(scene->spheres);
    free(scene);
}

static double ground_hit(const Ray *r)
{
    double distance = (GROUND_LEVEL - r->from.y) * r->inverse.y;

    return distance > RAY_NEAR ? distance : RAY_FAR;
}

Hit scene_hit(const Scene *scene, const Ray *r)
{
    Hit hit = {ground_hit(r), vec(0, 1, 0), GROUND};

    tree_nearest(scene->tree, r, &hit);
    return hit;
}

Vec scene_sky(const Ray *r)
{
    double height = r->along.y > 0 ? r->along.y : 0;

    return vec_mix(vec(0.75, 0.8, 0.85), vec(0.2, 0.35, 0.65), height);
}

static int chequer(Vec at)
{
    return ((int)floor(at.x) + (int)floor(at.z)) & 1;
}

Vec scene_colour(const Hit *hit, Vec at)
{
    Vec colour = materials[hit->material].colour;

    if (hit->material == GROUND && chequer(at))
        return vec_scale(colour, 0.35);
    return colour;
}
