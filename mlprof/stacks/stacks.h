/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the logical stacks of a profile as one tree: at each point of the profile's tree
   the local stack of its address, one frame below the other.  Frames are kept apart by
   copy and position; rows, lines and views merge what they show as one.  */

#ifndef MLPROF_STACKS_H
#define MLPROF_STACKS_H

#include "mlprof/names/identity.h"
#include "mlprof/program/outside.h"
#include "mlprof/program/program.h"
#include "mlprof/stacks/allocs.h"

#define STACKS_NONE UINT32_MAX

#define STACKS_UNPROFILED "<unprofiled>"
#define STACKS_LOST       "<lost>"
#define STACKS_DEEP       "<deep>"
#define STACKS_BROKEN     "<broken>"
#define STACKS_RECURSION  "<recursion>"

/* How certain it is that the samples of a source are its own.  */
struct stacks_trust {
    /* Those that may be its own but are charged to others, and those that are charged to
       it but may be another's.  */
    uint64_t more, less;
    bool coded; /* there is machine code of it, if that was looked for (without-code.h) */
};

/* What stands on stacks: code, or a span of the run or a thread, which are around it.  */
enum stacks_what { STACKS_CODE, STACKS_PHASE, STACKS_THREAD };

/* An occurrence of a source in machine code.  */
struct stacks_copy {
    uint32_t source;
    uint32_t module;   /* the profile's; STACKS_NONE: outside */
    uint32_t function; /* number in the module's tables; not of one outside */
    uint32_t copy;     /* number in the function; 0: the function itself */
    uint32_t home; /* the module that something outside is in; STACKS_NONE: not known */
    enum stacks_what what;
    bool entry; /* what it calls of the same source is the same activation */
    bool split; /* it is of the same activation as what calls it of the same source */
};

/* A point of source text, and the expression there.  */
struct stacks_position {
    const char *file;                  /* NULL: unknown, and so is all else */
    uint32_t line, column;             /* column 0: unknown, and so is what follows */
    uint32_t start_line, start_column; /* column 0: unknown */
    uint32_t end_line, end_column;
};

struct stacks_node {
    uint32_t parent;         /* around it; STACKS_NONE: the outermost */
    uint32_t child, sibling; /* the first below it, the next one beside it */
    uint32_t copy;
    uint32_t position; /* of what is executed, or of the call to the frames below */
    uint64_t address;  /* of that, as in the file of the copy's module; 0: not known */
    bool inlined;      /* into the frame around it: both are in one local stack */
    uint64_t count;    /* samples with this frame as the innermost */
    uint64_t weight;   /* and with those of the frames below it */
};

struct stacks {
    struct identity_source
        *sources; /* or one of the names above, or a function outside */
    size_t source_count, source_capacity;
    struct stacks_trust *trusts; /* by source */
    size_t trust_capacity;
    struct stacks_copy *copies;
    size_t copy_count, copy_capacity;
    struct stacks_position *positions;
    size_t position_count, position_capacity;
    struct slots position_slots;
    struct stacks_node *nodes; /* one stands before those below it */
    size_t node_count, node_capacity;
    uint32_t first;        /* of those without a parent */
    struct times times;    /* of the nodes' counts, sorted */
    struct packed origins; /* likewise, by the profile's origins */
    struct allocs allocs;
    bool filtered; /* by stacks-filter.h: counts of functions are not of these stacks */
    struct intern names;
    struct identity identity; /* of the sources */
    struct index copy_index;
    struct slots node_slots;
    struct index unit_index; /* the sources of units that were asked for, by address */
    uint32_t *of_unit;       /* their numbers */
    size_t of_unit_capacity;
    const char *file; /* of the position put last, and its copy in NAMES */
    const char *file_kept;
    const char *source_file, *source_directory; /* in NAMES, of the source added last */
};

/* Fills STACKS, which stacks_free frees.  Time outside of profiled code is that of the
   nearest profiled frame around it, <unprofiled> if there is none; if OUTSIDE is not
   NULL, the functions outside are frames by the names that it gives them.  A phase is
   a frame around main, [NAME], and never the nearest one; nor is a thread, which is
   around its phases, [thread NUMBER NAME].  Where bytes are all that was
   measured, they are the counts of the frames that allocated them.  The names live as
   long as STACKS.  */
void stacks_build(struct stacks *stacks, const struct profile *profile,
                  const struct program *program, struct outside *outside);

/* The same, and frames are kept apart by their addresses, too; otherwise they have
   none.  */
void stacks_build_by_address(struct stacks *stacks, const struct profile *profile,
                             const struct program *program, struct outside *outside);

/* The number of the source, a new one if it is not there; the texts are copied.  */
uint32_t stacks_source(struct stacks *stacks, const struct identity_source *source);

/* The same of a source of a unit.  */
uint32_t stacks_unit_source(struct stacks *stacks, const struct unit *unit,
                            const struct unit_source *source);

void stacks_free(struct stacks *stacks);

uint32_t stacks_source_of(const struct stacks *stacks, uint32_t node);

static inline enum stacks_what stacks_what(const struct stacks *stacks, uint32_t node)
{
    return stacks->copies[stacks->nodes[node].copy].what;
}

/* The name of a phase, or a thread's `NUMBER NAME', without a control character; to be
   freed.  */
char *stacks_around_text(const struct stacks *stacks, uint32_t node);

/* A walk over the tree that tells of each frame when it is entered, then of those
   below it, then when it is left.  Starts as all zero.  */
struct stacks_walk {
    uint32_t node;
    bool started, leave;
};

/* The next event; false if there is none.  */
bool stacks_walk_next(const struct stacks *stacks, struct stacks_walk *walk);

#endif
