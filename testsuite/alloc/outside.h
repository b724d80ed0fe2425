// SPDX-License-Identifier: GPL-3.0-or-later
// Allocators that are not profiled; and with -DWRAPPED and -Wl,--wrap=FUNCTION for each
// of libc's, what libc was asked for.

#include <stddef.h>

void *outside_bytes(size_t size) __attribute__((alloc_size(1)));
void *outside_matrix(char c, int rows, int columns) __attribute__((alloc_size(2, 3)));
void *outside_handle(void) __attribute__((malloc));

// Prints bytes and blocks to stderr.
void outside_report(void);
