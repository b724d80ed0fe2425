// SPDX-License-Identifier: GPL-3.0-or-later

#include <stddef.h>

void *shared_plain(size_t size);
void *shared_pool(size_t size) __attribute__((malloc, alloc_size(1)));
