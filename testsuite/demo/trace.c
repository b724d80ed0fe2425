// SPDX-License-Identifier: GPL-3.0-or-later
// Light on a surface: from the lamps that it sees, and from the mirror image.

#include "trace.h"

#define AMBIENT 0.12
#define DARK    0.004 // what is weaker than this is not followed

// X to the power of N, which is at least 0.
static double power(double x, int n)
{
    double result = 1;

    for (; n > 0; n >>= 1, x *= x)
        if (n & 1)
            result *= x;
    return result;
}

static double highlight(const Material *m, Vec normal, Vec to_light, Vec to_eye)
{
    double cosine;

    if (m->gloss == 0)
        return 0;
    cosine = vec_dot(normal, vec_unit(vec_add(to_light, to_eye)));
    return cosine > 0 ? 0.5 * power(cosine, m->gloss) : 0;
}

static Vec from_light(const Scene *scene, const Light *light, const Hit *hit, Vec at,
                      Vec colour, Vec to_eye)
{
    const Material *m = scene_material(hit->material);
    Vec to = vec_sub(light->at, at);
    double distance = vec_length(to);
    Vec along = vec_scale(to, 1 / distance);
    double cosine = vec_dot(hit->normal, along);
    Ray shadow;

    if (cosine <= 0)
        return vec(0, 0, 0);
    shadow = ray(at, along);
    if (tree_blocked(scene->tree, &shadow, distance))
        return vec(0, 0, 0);
    return vec_add(vec_mul(vec_scale(colour, m->diffuse * cosine), light->colour),
                   vec_scale(light->colour, highlight(m, hit->normal, along, to_eye)));
}

static Vec shade(const Scene *scene, const Ray *r, const Hit *hit, Vec at)
{
    Vec colour = scene_colour(hit, at);
    Vec to_eye = vec_scale(r->along, -1);
    Vec sum = vec_scale(colour, AMBIENT);

    for (int i = 0; i < SCENE_LIGHTS; i++)
        sum = vec_add(sum, from_light(scene, &scene->lights[i], hit, at, colour, to_eye));
    return sum;
}

static Vec follow(const Scene *scene, const Ray *r, int depth, double weight)
{
    Hit hit = scene_hit(scene, r);
    double mirror;
    Vec at, colour;
    Ray reflected;

    if (hit.distance >= RAY_FAR)
        return scene_sky(r);
    at = vec_add(ray_at(r, hit.distance), vec_scale(hit.normal, RAY_NEAR));
    colour = shade(scene, r, &hit, at);
    mirror = scene_material(hit.material)->mirror;
    if (depth == 0 || weight * mirror < DARK)
        return colour;
    reflected = ray(at, vec_reflect(r->along, hit.normal));
    return vec_mix(colour, follow(scene, &reflected, depth - 1, weight * mirror), mirror);
}

Vec trace(const Scene *scene, const Ray *r, int depth)
{
    return follow(scene, r, depth, 1);
}
