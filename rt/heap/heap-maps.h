/* SPDX-License-Identifier: MIT */
/* Keeps where the anonymous mappings are that are counted, since what is unmapped may be
   a part of one or several of them.  heap-mmap.c uses this, one thread at a time, and
   fork, outside of signal handlers.  */

#ifndef CCPROF_HEAP_MAPS_H
#define CCPROF_HEAP_MAPS_H

#include <stdbool.h>
#include <stdint.h>

/* The most mappings that are kept.  */
#define CCPROF_HEAP_MAPS 65536

struct ccprof_heap_map {
    uint64_t from, to; /* addresses: of its first byte, and behind its last one */
};

/* Makes room.  Returns false if there is no memory.  Constructor.  */
bool ccprof_heap_maps_start(void);

/* Take and give back the lock of all mappings, of which nothing changes meanwhile.  Hold
   returns false if the lock cannot be had within PATIENCE nanoseconds.  */
bool ccprof_heap_maps_hold(uint64_t patience);
void ccprof_heap_maps_release(void);

/* Puts in a mapping, which has no byte of the others.  Returns false if there is no room.
   The lock is held.  */
bool ccprof_heap_maps_put(struct ccprof_heap_map map);

/* Takes out one of the mappings that have a byte of RANGE.  Returns false if there is
   none.  The lock is held.  */
bool ccprof_heap_maps_take(struct ccprof_heap_map range, struct ccprof_heap_map *map);

/* Returns the bytes that are mapped for this.  */
uint64_t ccprof_heap_maps_memory(void);

#endif
