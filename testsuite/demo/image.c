// SPDX-License-Identifier: GPL-3.0-or-later
// Pixels: rounding, checksum and file.

#include "image.h"

#include <stdio.h>
#include <stdlib.h>

enum { CHANNELS = 3, LEVELS = 256 };

static size_t size_of(const Image *image)
{
    return (size_t)image->width * (size_t)image->height * CHANNELS;
}

static uint8_t *pixel(const Image *image, int x, int y)
{
    return image->bytes + ((size_t)y * (size_t)image->width + (size_t)x) * CHANNELS;
}

Image *image_make(int width, int height)
{
    Image *image = malloc(sizeof *image);

    if (image) {
        image->width = width;
        image->height = height;
        image->bytes = calloc(size_of(image), 1);
    }
    if (!image || !image->bytes) {
        fputs("demo: out of memory\n", stderr);
        exit(1);
    }
    return image;
}

void image_free(Image *image)
{
    free(image->bytes);
    free(image);
}

// The square root is close to the eye's and the screens' curve.
static uint8_t level(double light)
{
    if (light <= 0)
        return 0;
    if (light >= 1)
        return LEVELS - 1;
    return (uint8_t)(sqrt(light) * (LEVELS - 1) + 0.5);
}

void image_set(Image *image, int x, int y, Vec colour)
{
    uint8_t *p = pixel(image, x, y);

    p[0] = level(colour.x);
    p[1] = level(colour.y);
    p[2] = level(colour.z);
}

uint64_t image_checksum(const Image *image)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < size_of(image); i++)
        hash = (hash ^ image->bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

bool image_write(const Image *image, const char *path)
{
    FILE *file = fopen(path, "wb");
    bool good;

    if (!file)
        return false;
    fprintf(file, "P6\n%d %d\n%d\n", image->width, image->height, LEVELS - 1);
    good = fwrite(image->bytes, 1, size_of(image), file) == size_of(image);
    return fclose(file) == 0 && good;
}
