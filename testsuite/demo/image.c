// SPDX-License-Identifier: GPL-3.0-or-later
// Pixels: rounding, the darkroom, checksum and file.

#include "image.h"

#include <stdio.h>
#include <stdlib.h>

enum { CHANNELS = 3, LEVELS = 256, STANDS_OUT = 60 };

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

static int luminance(const uint8_t *p)
{
    return (77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8;
}

// The level below which a PART of all pixels lies, in 1/1000.
static int quantile(const int *histogram, int pixels, int part)
{
    int seen = 0, i;

    for (i = 0; i < LEVELS - 1; i++) {
        seen += histogram[i];
        if ((int64_t)seen * 1000 >= (int64_t)pixels * part)
            break;
    }
    return i;
}

static uint8_t stretch(int value, int low, int high)
{
    int result = (value - low) * (LEVELS - 1) / (high - low);

    return (uint8_t)(result < 0 ? 0 : result < LEVELS ? result : LEVELS - 1);
}

static void spread(Image *image)
{
    int histogram[LEVELS] = {0};
    int low, high;

    for (size_t i = 0; i < size_of(image); i += CHANNELS)
        histogram[luminance(image->bytes + i)]++;
    low = quantile(histogram, image->width * image->height, 5);
    high = quantile(histogram, image->width * image->height, 995);
    if (low >= high)
        return;
    for (size_t i = 0; i < size_of(image); i++)
        image->bytes[i] = stretch(image->bytes[i], low, high);
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// Whether the dot differs from every neighbour by more than STANDS_OUT.
static bool stands_out(const Image *image, int x, int y)
{
    int own = luminance(pixel(image, x, y));

    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if ((dx || dy) &&
                abs(luminance(pixel(image, x + dx, y + dy)) - own) <= STANDS_OUT)
                return false;
    return true;
}

static uint8_t median_around(const Image *image, int x, int y, int channel)
{
    int values[9], n = 0;

    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            values[n++] = pixel(image, x + dx, y + dy)[channel];
    qsort(values, 9, sizeof values[0], by_value);
    return (uint8_t)values[4];
}

static void soften(Image *image)
{
    for (int y = 1; y < image->height - 1; y++)
        for (int x = 1; x < image->width - 1; x++)
            if (stands_out(image, x, y))
                for (int c = 0; c < CHANNELS; c++)
                    pixel(image, x, y)[c] = median_around(image, x, y, c);
}

void image_develop(Image *image)
{
    spread(image);
    soften(image);
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
