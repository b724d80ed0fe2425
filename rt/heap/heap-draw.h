/* SPDX-License-Identifier: MIT */
/* The arithmetic of samples of the heap: how many bytes pass until the next sample, and
   how many bytes a sampled block stands for.  Integers alone: an allocator must neither
   change the flags of the program's floating-point arithmetic nor trap by them.

   The bytes of all blocks of a thread are a line on which samples lie like the events of
   a Poisson process.  A block is sampled if one of its bytes is hit; it has a byte more
   than the program has asked for, so that blocks of size 0 can be hit, too.  So the
   probability of a block of SIZE bytes is 1 - exp(-(SIZE + 1) / MEAN), whatever was
   allocated before it.  Only heap.c uses this.  */

#ifndef CCPROF_HEAP_DRAW_H
#define CCPROF_HEAP_DRAW_H

#include <stdint.h>

/* Draws how many bytes pass before the next one that is hit, rounded down, from the
   exponential distribution with MEAN, which is at most 2^53.  *STATE is the state of the
   generator, any number at first.  */
uint64_t ccprof_heap_draw(uint64_t *state, uint64_t mean);

/* Returns SIZE by the probability of a block of SIZE bytes, rounded: what it adds to an
   estimate of bytes.  */
uint64_t ccprof_heap_draw_weight(uint64_t size, uint64_t mean);

#endif
