// SPDX-License-Identifier: GPL-3.0-or-later
// A ray tracer, as something to profile. It draws some 8,000 mirroring spheres
// and always the same picture, of which it prints a checksum.
//
// Where its time goes is known beforehand. Whitted, who wrote the first one in
// 1980, found 75 to 95 percent of the time in intersections. Here a tree of
// boxes spares most spheres, and so the tests of boxes take over: a ray meets
// tens of boxes for each few spheres. So expect, in this order: a good half in
// box_hit and its helper box_slab, about a quarter in the walk around them
// (nearest_below and blocked_below), a few percent in sphere_hit, and in small
// rows all the rest: light, and building the tree.
//
// At -O2 the first of these are no functions any more: box_slab is inlined into
// box_hit, and that into the walk, where it is found again and again; sphere_hit
// and the vectors go into try_leaf and elsewhere. A profiler that knows only
// what is left in the machine code finds most of the time in nearest_below and
// blocked_below, and nothing to improve.

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "camera.h"
#include "image.h"
#include "random.h"
#include "trace.h"

enum { MIRRORS = 5, FLAKE = 4, BALLS = 900 };

static Vec average(const Scene *scene, const Camera *c, const Image *image, int x, int y,
                   int samples, Random *random)
{
    Vec sum = vec(0, 0, 0);

    for (int i = 0; i < samples; i++) {
        Ray r = camera_ray(c, (x + random_unit(random)) / image->width,
                           (y + random_unit(random)) / image->height);

        sum = vec_add(sum, trace(scene, &r, MIRRORS));
    }
    return vec_scale(sum, 1.0 / samples);
}

static void render(const Scene *scene, Image *image, int samples)
{
    Camera c = camera(vec(-3.2, 3.4, -6.5), vec(0, 1.6, 0), 0.75,
                      0.75 * image->height / image->width);
    Random random = {1};

    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            image_set(image, x, y, average(scene, &c, image, x, y, samples, &random));
}

int main(int argc, char **argv)
{
    int width = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 800;
    int samples = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 6;
    Scene *scene = scene_make(FLAKE, BALLS);
    Image *image;

    if (width < 1 || samples < 1 || argc > 4) {
        fputs("usage: demo [WIDTH [SAMPLES [FILE]]]\n"
              "Draws WIDTH pixels wide with SAMPLES rays a pixel, into FILE if given.\n",
              stderr);
        return 2;
    }
    image = image_make(width, (width * 3 + 3) / 4);
    render(scene, image, samples);
    printf("%d spheres, %dx%d pixels, checksum %016" PRIx64 "\n", scene->count,
           image->width, image->height, image_checksum(image));
    if (argc > 3 && !image_write(image, argv[3])) {
        fprintf(stderr, "demo: %s: %s\n", argv[3], strerror(errno));
        return 1;
    }
    image_free(image);
    scene_free(scene);
    return 0;
}
