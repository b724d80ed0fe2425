/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins the counters of allocation sites with the tables: how much each site has
   allocated. For stacks-build.c.  The view of allocations prints the result.  */

#ifndef MLPROF_ALLOCS_H
#define MLPROF_ALLOCS_H

#include "mlprof/program/program.h"

/* A frame of the local stack at a site.  Both numbers are the stacks'.  */
struct allocs_frame {
    uint32_t source, position;
};

/* An allocation site that has allocated something.  */
struct allocs_site {
    uint32_t module;
    const struct alloctable_site *site; /* lives as long as the tables */
    uint64_t blocks, bytes;
    /* Each call outside of libraries has a counter of its own for what this site has
       allocated for it.  The REST was allocated for no such call.  */
    bool by_calls;
    uint64_t rest_blocks, rest_bytes;
    /* The following is filled by stacks_build.  Numbers are the stacks'.  */
    uint32_t source;      /* innermost source of the local stack */
    uint32_t copy, place; /* its copy and position */
    const char *file;     /* of the call in the source; NULL: unknown */
    uint32_t line, column;
    struct allocs_frame *frames; /* its local stack, the innermost first */
    size_t frame_count, frame_capacity;
    /* If bytes are all that was measured: the node that has the site's bytes.  */
    uint32_t node;
};

/* The sites, and the calls outside of libraries, which are described as sites.  The
   amounts of the calls are parts of the amounts of the sites whose BY_CALLS is set.  */
struct allocs {
    struct allocs_site *sites; /* by module, then as in its tables */
    size_t count;
    struct allocs_site *calls; /* in the same order; without nodes */
    size_t call_count;
    uint64_t left_out; /* bytes of the sites that stacks-filter.h has taken out */
};

/* Fills ALLOCS, which allocs_free frees.  A site that calls a profiled allocator is left
   out, since the allocator has sites of its own.  If a site that is left out was counted
   by calls, there are no CALLS, and BY_CALLS is set nowhere: the calls' counts would
   include that site.  */
void allocs_collect(struct allocs *allocs, const struct profile *profile,
                    const struct program *program);

/* Adds a frame around the frames of SITE.  */
void allocs_add_frame(struct allocs_site *site, uint32_t source, uint32_t position);

void allocs_free(struct allocs *allocs);

#endif
