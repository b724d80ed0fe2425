/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/pool.h"
#include "mlprof/base/buf.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of most blocks: few enough that one block is no burden for a small
   profile.  */
#define BLOCK ((size_t)64 << 10)

struct pool_block {
    struct pool_block *before;
    size_t size; /* the number of BYTES */
    alignas(max_align_t) unsigned char bytes[];
};

static void add_block(struct pool *pool, size_t size)
{
    if (size > SIZE_MAX - sizeof *pool->last)
        buf_no_memory();
    struct pool_block *block = malloc(sizeof *block + size);
    if (!block)
        buf_no_memory();
    *block = (struct pool_block){.before = pool->last, .size = size};
    pool->last = block;
    pool->left = size;
}

void *pool_alloc(struct pool *pool, size_t size)
{
    const size_t most = alignof(max_align_t) - 1;
    if (size > SIZE_MAX - most)
        buf_no_memory();
    size = (size + most) & ~most;
    if (!pool->last || size > pool->left)
        add_block(pool, size > BLOCK ? size : BLOCK);
    void *piece = pool->last->bytes + (pool->last->size - pool->left);
    pool->left -= size;
    return piece;
}

void *pool_copy(struct pool *pool, const void *memory, size_t size)
{
    void *copy = pool_alloc(pool, size);
    if (size)
        memcpy(copy, memory, size);
    return copy;
}

void pool_free(struct pool *pool)
{
    while (pool->last) {
        struct pool_block *before = pool->last->before;
        free(pool->last);
        pool->last = before;
    }
    *pool = (struct pool){0};
}
