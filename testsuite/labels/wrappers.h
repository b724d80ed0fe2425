// SPDX-License-Identifier: GPL-3.0-or-later
// Functions whose last act is a call of the C library: a jump.

#ifndef WRAPPERS_H
#define WRAPPERS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void clear(void *to, size_t size);                  // memset
void copy(void *to, const void *from, size_t size); // memcpy
size_t length(const char *text);                    // strlen
void order(void *base, size_t count, size_t size);  // qsort, of int
void reset(void *to, size_t size);                  // wipe, which ends with memset
void wipe(void *to, size_t size);
// One of two: memcpy or memset.
void either(void *to, const void *from, size_t size);

#ifdef __cplusplus
}
#endif

#endif
