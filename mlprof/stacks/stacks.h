/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the logical stacks of a profile as one tree. Each point of the profile's
   tree is replaced by the frames of the local stack at its address. Frames with
   different copies or positions are different nodes. Rows, lines and views merge
   these nodes as needed. Used by report.c and by all modules that show stacks. */

#ifndef MLPROF_STACKS_H
#define MLPROF_STACKS_H

#include "mlprof/base/buf.h"
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

/* How certain it is which samples belong to a source. */
struct stacks_uncertainty {
    /* MORE samples are charged to other sources but may belong to this source. LESS
       samples are charged to this source but may belong to other sources. */
    uint64_t more, less;
    /* The source has machine code. Set by amounts_find_coded, if needed. */
    bool coded;
};

/* Kind of a frame: code, a phase, a thread, or a process, each of which is around those
   before it; or how many threads ran, which is around code. */
enum stacks_what {
    STACKS_CODE,
    STACKS_PHASE,
    STACKS_THREAD,
    STACKS_PROCESS,
    STACKS_PARALLELISM
};

/* An occurrence of a source in machine code. */
struct stacks_copy {
    uint32_t source;
    uint32_t module;   /* number in the profile; STACKS_NONE: outside */
    uint32_t function; /* number in the module's tables; unset if outside */
    uint32_t copy;     /* number in the function; 0: the function itself */
    /* For a copy outside: its module in the profile. STACKS_NONE: unknown. */
    uint32_t home;
    enum stacks_what what;
    /* The frame says why a thread waits. OBJECT is the number of what it waits for
       (profile/waitdata.h), or WAITDATA_NONE. */
    bool waits;
    uint32_t object;
    /* If this frame calls a frame of the same source, both frames belong to one
       activation of the function. */
    bool entry;
    /* If a frame of the same source calls this frame, both frames belong to one
       activation of the function. */
    bool split;
};

/* A position in source text, and the range of the expression there. */
struct stacks_position {
    const char *file; /* NULL: unknown, like all other fields */
    /* Column 0: unknown, like the following fields. */
    uint32_t line, column;
    uint32_t start_line, start_column; /* column 0: unknown */
    uint32_t end_line, end_column;
};

struct stacks_node {
    uint32_t parent;         /* the frame around it; STACKS_NONE: outermost frame */
    uint32_t child, sibling; /* first frame below it; next frame with the same parent */
    uint32_t copy;
    /* Position executed, or position of the call to the frames below. */
    uint32_t position;
    /* Address of POSITION, in the file of the copy's module. 0: unknown. */
    uint64_t address;
    bool inlined; /* inlined into the frame around it; both are in one local stack */
    bool kernel;  /* time of the frame in the kernel, which has no frame of its own */
    /* WEIGHT is 0, but this frame or one below it has values of other measures. Also set
       in all frames around such a frame. */
    bool others;
    uint64_t count;  /* samples with this frame as the innermost */
    uint64_t weight; /* samples with this or a lower frame as the innermost */
};

/* The sources of units. */
struct stacks_units {
    struct index index; /* key: address of a unit's source */
    uint32_t *sources;  /* by number in INDEX: number of the source in the stacks */
    size_t capacity;
};

struct stacks {
    /* Source functions, functions outside, and the names above. */
    BUF_VECTOR(struct identity_source) sources;
    BUF_VECTOR(struct stacks_uncertainty) uncertainties; /* by source */
    BUF_VECTOR(struct stacks_copy) copies;
    BUF_VECTOR(struct stacks_position) positions;
    struct slots position_slots;
    BUF_VECTOR(struct stacks_node) nodes; /* each node comes before the nodes below it */
    uint32_t first;                       /* the first node without a parent */
    struct times times;                   /* sorted; owner: node */
    struct shares values;  /* sorted; owner: node; bin: column, as in the profile */
    struct packed origins; /* sorted; owner: node, bin: origin of the profile */
    /* By node: the type of its blocks, from a removed frame of a wrapper (wrappers.h).
       NULL: none. The texts belong to the tables. */
    const char **skipped_types;
    struct allocs allocs;
    /* Filtered by stacks-filter.h. The counters of functions still include the
       removed stacks. */
    bool filtered;
    bool has_copies; /* copies are functions of their own (stacks_split) */
    bool events;     /* the counts are amounts of instructions */
    unsigned
        merged; /* kinds of frames that trees leave out: bits 1 << enum stacks_what */
    struct intern names;
    struct identity identity; /* of the sources */
    struct index copy_index;
    struct children children; /* of the nodes */
    struct stacks_units units;
};

/* Fills STACKS. The caller frees it with stacks_free. If OUTSIDE is NULL, time
   outside of profiled code is charged to the nearest profiled frame around it, or to
   <unprofiled> if there is no such frame. Otherwise functions outside of profiled
   code are frames with names from OUTSIDE. A phase is a frame [NAME] around main. A
   thread is a frame [thread NUMBER NAME] around its phases, and a process one around its
   threads. These frames do not count as profiled. A reason for waiting is a frame
   [REASON] below the call that waits. If only bytes were measured, they become the counts
   of the frames that allocated them. With BY_ADDRESS, frames are also distinguished by
   address; otherwise frames have no addresses. The texts live as long as STACKS. */
void stacks_build(struct stacks *stacks, const struct profile *profile,
                  const struct program *program, struct outside *outside,
                  bool by_address);

/* Returns the number of the source, which is added if needed. Copies the texts. */
uint32_t stacks_source(struct stacks *stacks, const struct identity_source *source);

/* Like stacks_source, for a source of a unit. */
uint32_t stacks_unit_source(struct stacks *stacks, const struct unit *unit,
                            const struct unit_source *source);

/* Adds an allocation site for each node with blocks to stacks that were built from
   PROFILE, a profile of heap points (profile/heappoints.h), so that views and formats
   show the heap like the counts of the kind alloc. Bytes that a filter has removed are
   those of sites that were left out. */
void stacks_add_sites(struct stacks *stacks, const struct profile *profile);

/* Returns the amounts of MEASURE that nodes have as the innermost, by node; with BLOCKS,
   the number of its blocks. The counts of the nodes are amounts of SHOWN. MEASURE is
   SHOWN, or of instructions, or of the heap. The caller frees the array. */
uint64_t *stacks_amounts(const struct stacks *stacks, const struct measure *shown,
                         const struct measure *measure, bool blocks);

void stacks_free(struct stacks *stacks);

uint32_t stacks_source_of(const struct stacks *stacks, uint32_t node);

static inline enum stacks_what stacks_what(const struct stacks *stacks, uint32_t node)
{
    return stacks->copies.list[stacks->nodes.list[node].copy].what;
}

/* Returns the name of the thread or process that COPY represents, and sets *NUMBER to
   its number. Returns NULL if COPY is not of the kind WHAT, or represents several
   threads or processes, which have no number. The name ends with a bracket. */
const char *stacks_numbered(const struct stacks *stacks, uint32_t copy,
                            enum stacks_what what, uint64_t *number);

/* Returns the name of a phase, or `NUMBER NAME' of a thread or process, without control
   characters. The caller frees it. */
char *stacks_around_text(const struct stacks *stacks, uint32_t node);

/* A walk over the tree. The walk visits a frame twice: when it enters the frame and,
   after all frames below, when it leaves the frame. All members start as zero. */
struct stacks_walk {
    uint32_t node;
    bool started, leave;
};

/* Moves to the next event. Returns false if there is none. */
bool stacks_walk_next(const struct stacks *stacks, struct stacks_walk *walk);

#endif
