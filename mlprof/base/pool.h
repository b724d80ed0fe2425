/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives out small pieces of memory that are all freed together, at less cost than malloc.
   Pieces that are allocated one after the other are side by side.  */

#ifndef MLPROF_POOL_H
#define MLPROF_POOL_H

#include <stddef.h>

struct pool_block;

/* Starts as all zero.  */
struct pool {
    struct pool_block *last; /* the block that pieces are taken from */
    size_t left;             /* bytes of LAST that are free */
};

/* SIZE bytes for any object, which are not cleared; they live as long as POOL.  */
void *pool_alloc(struct pool *pool, size_t size);

/* A copy of the SIZE bytes at MEMORY, likewise.  */
void *pool_copy(struct pool *pool, const void *memory, size_t size);

void pool_free(struct pool *pool);

#endif
