// SPDX-License-Identifier: GPL-3.0-or-later
// Allocators that get 20 bytes for each 4 that they are asked for, by several names; and
// one that has got nothing for what it hands out.

#include <stddef.h>

#define POOL __attribute__((malloc, alloc_size(1)))
void *pool(size_t size) POOL;
void *pool_alias(size_t size) POOL;
void *pool_weak(size_t size) POOL;
void *pool_same(size_t size) POOL;
void *pool_around(size_t size) POOL;
void *pool_arena(size_t size) POOL;
void *pool_plain(size_t size);
