/* SPDX-License-Identifier: MIT */
/* Implements the table of cells with open addressing and linear probing.  Owns its pages.
   Called by heap-times.c with the lock of the heap held.  */

#include <stddef.h>

#include "rt/heap/heap-cells.h"
#include "rt/os/memory.h"

#define CELLS_LEAST 4096

/* Of so many places, at most this many are taken.  */
#define CELLS_OF      4
#define CELLS_OF_MOST 3

static struct ccprof_heap_cell *cells_find(const struct ccprof_heap_cells *cells,
                                           uint32_t stack, uint8_t born, uint8_t freed)
{
    uint64_t key = (uint64_t)stack << 16 | (uint64_t)born << 8 | freed;
    uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);

    for (;; at++) {
        struct ccprof_heap_cell *cell = &cells->cell[at & (cells->places - 1)];
        if (cell->stack == 0 ||
            (cell->stack == stack && cell->born == born && cell->freed == freed))
            return cell;
    }
}

static void cells_put(struct ccprof_heap_cells *cells, uint32_t stack, uint8_t born,
                      uint8_t freed, const struct ccprof_heap_amount *amount)
{
    struct ccprof_heap_cell *cell = cells_find(cells, stack, born, freed);

    if (cell->stack == 0) {
        *cell = (struct ccprof_heap_cell){.stack = stack, .born = born, .freed = freed};
        cells->count++;
    }
    cell->of.blocks += amount->blocks;
    cell->of.bytes += amount->bytes;
}

/* Moves all cells into a table of PLACES places, their buckets divided by two SHIFT
   times.  The old table is there until the new one is complete.  */
static bool cells_move(struct ccprof_heap_cells *cells, uint32_t places, unsigned shift)
{
    struct ccprof_pages old = {(void *)cells->cell, cells->places * sizeof *cells->cell};
    struct ccprof_heap_cells next = {.places = places};
    struct ccprof_pages pages;

    if (!ccprof_pages_make(&pages, places * sizeof *next.cell))
        return false;
    next.cell = (void *)pages.at;
    next.memory = pages.size;
    for (uint32_t i = 0; i < cells->places; i++) {
        const struct ccprof_heap_cell *cell = &cells->cell[i];
        bool made = cell->freed == CCPROF_HEAP_CELLS_MADE;
        if (cell->stack != 0)
            cells_put(&next, cell->stack, cell->born >> shift,
                      made ? cell->freed : cell->freed >> shift, &cell->of);
    }
    *cells = next;
    ccprof_pages_free(&old);
    return true;
}

static bool cells_make_room(struct ccprof_heap_cells *cells)
{
    if (cells->count < cells->places / CELLS_OF * CELLS_OF_MOST)
        return true;
    if (cells->places == CCPROF_HEAP_CELLS_MOST)
        return false;
    return cells_move(cells, cells->places ? 2 * cells->places : CELLS_LEAST, 0);
}

bool ccprof_heap_cells_add(struct ccprof_heap_cells *cells, uint32_t stack, uint8_t born,
                           uint8_t freed, const struct ccprof_heap_amount *amount)
{
    if (!cells_make_room(cells))
        return false;
    cells_put(cells, stack, born, freed, amount);
    return true;
}

bool ccprof_heap_cells_halve(struct ccprof_heap_cells *cells)
{
    return cells->places == 0 || cells_move(cells, cells->places, 1);
}

void ccprof_heap_cells_clear(struct ccprof_heap_cells *cells)
{
    struct ccprof_pages old = {(void *)cells->cell, cells->places * sizeof *cells->cell};

    *cells = (struct ccprof_heap_cells){.cell = NULL};
    ccprof_pages_free(&old);
}
