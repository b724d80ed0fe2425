/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins the counters of allocation sites with the tables: how much each site has
   allocated. Filled by stacks-build.c; groups/grouping-memory.c makes rows of it. */

#ifndef MLPROF_ALLOCS_H
#define MLPROF_ALLOCS_H

#include "mlprof/base/buf.h"
#include "mlprof/program/program.h"

/* A frame of the local stack at a site. SOURCE and POSITION are numbers in the
   stacks. */
struct allocs_frame {
    uint32_t source, position;
};

/* An allocation site that has allocated at least one block. */
struct allocs_site {
    uint32_t module;
    const struct alloctable_site *site; /* lives as long as the tables */
    uint64_t blocks, bytes;
    /* BY_CALLS: each call outside of libraries that leads to this site has its own
       counters for the site. REST_*: allocations of the site that belong to none of
       these calls. */
    bool by_calls;
    uint64_t rest_blocks, rest_bytes;
    /* The following members are set by stacks_build. The numbers belong to the
       stacks. */
    uint32_t source;      /* innermost source of the local stack */
    uint32_t copy, place; /* its copy and position */
    const char *file;     /* file of the call; NULL: unknown */
    uint32_t line, column;
    BUF_VECTOR(struct allocs_frame) frames; /* its local stack, innermost frame first */
    /* If only bytes were measured: the node that has the bytes of the site. Otherwise
       STACKS_NONE. */
    uint32_t node;
};

/* The allocation sites and the calls outside of libraries. The calls are described
   like sites. The amounts of the calls are parts of the amounts of those sites that
   have BY_CALLS set. */
struct allocs {
    struct allocs_site *sites; /* sorted by module, then as in its tables */
    size_t count;
    struct allocs_site *calls; /* in the same order; without nodes */
    size_t call_count;
    uint64_t left_out; /* bytes of the sites that were removed by stacks-filter.h */
};

/* Fills ALLOCS. The caller frees it with allocs_free. If a site calls a profiled
   allocator, the site is left out, because the allocator has its own sites. If a site
   that was left out has counters by call, the counts of the calls would include this
   site. In this case, CALLS is empty, and BY_CALLS is false in all sites. */
void allocs_collect(struct allocs *allocs, const struct profile *profile,
                    const struct program *program);

/* Adds a frame around the frames of SITE. */
void allocs_add_frame(struct allocs_site *site, uint32_t source, uint32_t position);

void allocs_free(struct allocs *allocs);

#endif
