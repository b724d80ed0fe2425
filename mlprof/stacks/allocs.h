/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins the counters of allocation sites with the tables: what was allocated where.  For
   stacks-build.c; the view of allocations prints it.  */

#ifndef MLPROF_ALLOCS_H
#define MLPROF_ALLOCS_H

#include "mlprof/program/program.h"

/* A frame of the local stack at a site; numbers of the stacks.  */
struct allocs_frame {
    uint32_t source, position;
};

/* A site that has got something.  */
struct allocs_site {
    uint32_t module;
    const struct alloctable_site *site; /* lives as long as the tables */
    uint64_t blocks, bytes;
    /* Whether each call outside of libraries has counted what of it was for it, and what
       of it was for none.  */
    bool by_calls;
    uint64_t rest_blocks, rest_bytes;
    /* Filled by stacks_build: */
    uint32_t source;      /* the innermost one, of the stacks */
    uint32_t copy, place; /* and its copy and position, of the stacks, too */
    const char *file;     /* where the call stands in it; NULL: unknown */
    uint32_t line, column;
    struct allocs_frame *frames; /* its local stack, the innermost first */
    size_t frame_count, frame_capacity;
    uint32_t node; /* if bytes are all that was measured: the frame that they are of */
};

/* A call outside of libraries is described as a site; what it has got are parts of those
   by calls.  */
struct allocs {
    struct allocs_site *sites; /* by module, then as in its tables */
    size_t count;
    struct allocs_site *calls; /* likewise; without nodes */
    size_t call_count;
    uint64_t left_out; /* bytes of sites that stacks-filter.h has taken out */
};

/* Fills ALLOCS, which allocs_free frees.  Sites that call a profiled allocator are left
   out: it has sites of its own.  If one of them was by calls, these do not count, and no
   site is.  */
void allocs_collect(struct allocs *allocs, const struct profile *profile,
                    const struct program *program);

/* Adds a frame around those that the site has.  */
void allocs_add_frame(struct allocs_site *site, uint32_t source, uint32_t position);

void allocs_free(struct allocs *allocs);

#endif
