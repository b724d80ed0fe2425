/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture in memory, and its file. */

#ifndef DEMO_IMAGE_H
#define DEMO_IMAGE_H

#include <stdbool.h>
#include <stdint.h>
#include "vec.h"

typedef struct {
    int width, height;
    uint8_t *bytes; /* red, green, blue; the top row first */
} Image;

/* Ends the program if there is no memory. */
Image *image_make(int width, int height);
void image_free(Image *image);

/* The colour's components from 0 to 1; what is outside is cut off. */
void image_set(Image *image, int x, int y, Vec colour);

/* FNV-1a, 64 bits, over all bytes. */
uint64_t image_checksum(const Image *image);

/* As a portable pixmap; false, with errno set, if that fails. */
bool image_write(const Image *image, const char *path);

#endif
