/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the logical stacks of a profile as one tree: each point of the profile's tree
   becomes the frames of the local stack at its address.  Frames are kept apart by copy
   and position; rows, lines and views merge what they show as one.  */

#ifndef MLPROF_STACKS_H
#define MLPROF_STACKS_H

#include "mlprof/base/index.h"
#include "mlprof/names/identity.h"
#include "mlprof/program/code-names.h"
#include "mlprof/program/program.h"
#include "mlprof/stacks/allocs.h"

#define STACKS_NONE UINT32_MAX

#define STACKS_UNPROFILED "<unprofiled>"
#define STACKS_LOST       "<lost>"
#define STACKS_DEEP       "<deep>"
#define STACKS_BROKEN     "<broken>"
#define STACKS_RECURSION  "<recursion>"

/* How certain it is which samples belong to a source.  */
struct stacks_uncertainty {
    /* MORE samples may belong to the source but are charged to others; LESS samples are
       charged to the source but may belong to others.  */
    uint64_t more, less;
    /* The source has machine code.  Set by uncertainty.h, if that was looked for.  */
    bool coded;
};

/* What a frame stands for: code, a phase, or a thread.  Phases and threads are around
   code.  */
enum stacks_what { STACKS_CODE, STACKS_PHASE, STACKS_THREAD };

/* An occurrence of a source in machine code.  */
struct stacks_copy {
    uint32_t source;
    uint32_t module;   /* number in the profile; STACKS_NONE: outside */
    uint32_t function; /* number in the module's tables; unset for a copy outside */
    uint32_t copy;     /* number in the function; 0: the function itself */
    /* For a copy outside: its module in the profile; STACKS_NONE: not known.  */
    uint32_t home;
    enum stacks_what what;
    /* A frame of the same source that it calls belongs to the same activation.  */
    bool entry;
    /* Belongs to the same activation as a frame of the same source that calls it.  */
    bool split;
};

/* A position in source text, and the range of the expression there.  */
struct stacks_position {
    const char *file; /* NULL: unknown, and so are all other fields */
    /* Column 0: unknown, and so are the following fields.  */
    uint32_t line, column;
    uint32_t start_line, start_column; /* column 0: unknown */
    uint32_t end_line, end_column;
};

struct stacks_node {
    uint32_t parent;         /* the frame around it; STACKS_NONE: it is the outermost */
    uint32_t child, sibling; /* the first frame below it; the next frame beside it */
    uint32_t copy;
    uint32_t position; /* of what is executed, or of the call to the frames below */
    /* The address of POSITION, as in the file of the copy's module; 0: not known.  */
    uint64_t address;
    bool inlined;    /* inlined into the frame around it: both are in one local stack */
    bool kernel;     /* what the frame did in the kernel, which has no frame of its own */
    bool others;     /* of the heap: the frame or one below it has any of its measures */
    uint64_t count;  /* samples with this frame as the innermost */
    uint64_t weight; /* samples with this frame or a frame below it as the innermost */
};

struct stacks {
    struct identity_source
        *sources; /* Source functions, functions outside, and the names above. */
    size_t source_count, source_capacity;
    struct stacks_uncertainty *uncertainties; /* by source */
    size_t trust_capacity;
    struct stacks_copy *copies;
    size_t copy_count, copy_capacity;
    struct stacks_position *positions;
    size_t position_count, position_capacity;
    struct slots position_slots;
    struct stacks_node *nodes; /* a node stands before the nodes below it */
    size_t node_count, node_capacity;
    uint32_t first;        /* the first node without a parent */
    struct times times;    /* sorted; owner: node */
    struct packed origins; /* sorted; owner: node, bin: origin of the profile */
    /* Only for stacks of the heap, sorted: the amounts of nodes by bin (heappoints.h). */
    struct shares heap;
    /* By node: the type of its blocks, from a wrapper's frame that was removed
       (wrappers.h); NULL: there is none.  The texts are in the tables.  */
    const char **skipped_types;
    struct allocs allocs;
    /* Filtered by stacks-filter.h.  The counters of functions have counted other stacks,
       too.  */
    bool filtered;
    struct intern names;
    struct identity identity; /* of the sources */
    struct index copy_index;
    struct children children; /* of the nodes */
    /* By address, the sources of units that have a number; their numbers are in
       OF_UNIT.  */
    struct index unit_index;
    uint32_t *of_unit;
    size_t of_unit_capacity;
    /* The file of the position that was put last, and its copy in NAMES.  */
    const char *file;
    const char *file_kept;
    /* The file and folder of the source that was added last; copies in NAMES.  */
    const char *source_file, *source_directory;
};

/* Fills STACKS, which stacks_free frees.  If OUTSIDE is NULL, time outside of profiled
   code belongs to the nearest profiled frame around it, or to <unprofiled>.  Otherwise
   the functions outside are frames of their own, with names from OUTSIDE.  A phase is a
   frame [NAME] around main, and a thread is a frame [thread NUMBER NAME] around its
   phases; neither is a nearest profiled frame.  If bytes are all that was measured, they
   are the counts of the frames that allocated them.  The texts live as long as STACKS. */
void stacks_build(struct stacks *stacks, const struct profile *profile,
                  const struct program *program, struct outside *outside);

/* Like stacks_build, and keeps frames apart by their addresses, too.  Frames of
   stacks_build have no addresses.  */
void stacks_build_by_address(struct stacks *stacks, const struct profile *profile,
                             const struct program *program, struct outside *outside);

/* The number of the source, which is added if it is missing.  Copies the texts.  */
uint32_t stacks_source(struct stacks *stacks, const struct identity_source *source);

/* The number of a source of a unit, likewise.  */
uint32_t stacks_unit_source(struct stacks *stacks, const struct unit *unit,
                            const struct unit_source *source);

/* Gives stacks that were built of the heap's points (profile/heappoints.h) one measure of
   the heap.  Views and formats then show the heap like the counts of the kind alloc.  The
   bytes of MEASURE become the counts of the nodes of STACKS, and each node that has
   blocks gets an allocation site.  The amounts of nodes by bin are moved into HEAP.  ALL
   is the bytes of the whole heap: what STACKS, which may be filtered, lacks of them is
   what the sites have left out.  Returns the bytes of STACKS.  */
uint64_t stacks_weigh_heap(struct stacks *stacks, enum heapdata_measure measure,
                           uint64_t all);

void stacks_free(struct stacks *stacks);

uint32_t stacks_source_of(const struct stacks *stacks, uint32_t node);

static inline enum stacks_what stacks_what(const struct stacks *stacks, uint32_t node)
{
    return stacks->copies[stacks->nodes[node].copy].what;
}

/* The name and the number of the thread that COPY stands for; NULL if COPY stands for no
   thread, or for several, which have no number.  The name ends with a bracket.  */
const char *stacks_thread(const struct stacks *stacks, uint32_t copy, uint64_t *number);

/* The name of a phase, or a thread's `NUMBER NAME', without control characters; to be
   freed.  */
char *stacks_around_text(const struct stacks *stacks, uint32_t node);

/* A walk over the tree: it comes to each frame on entering, then to the frames below,
   then to the frame again on leaving.  Starts as all zero.  */
struct stacks_walk {
    uint32_t node;
    bool started, leave;
};

/* Goes to the next event; false if there is none.  */
bool stacks_walk_next(const struct stacks *stacks, struct stacks_walk *walk);

#endif
