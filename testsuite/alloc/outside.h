// SPDX-License-Identifier: GPL-3.0-or-later
// Allocators that are not profiled.

#include <stddef.h>

void *outside_bytes(size_t size) __attribute__((alloc_size(1)));
void *outside_matrix(char c, int rows, int columns) __attribute__((alloc_size(2, 3)));
void *outside_handle(void) __attribute__((malloc));
