/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files grouping*.c, which build the rows of groups.  grouping-keys.c finds
   the group of a frame, grouping-loops.c its loop, grouping-calls.c its call of MPI and
   the type of the blocks that it has allocated;
   grouping.c adds up samples and what each rank has, grouping-counts.c counts;
   grouping-names.c names the groups.  */

#ifndef MLPROF_GROUPING_INSIDE_H
#define MLPROF_GROUPING_INSIDE_H

#include "mlprof/flow/executions.h"
#include "mlprof/flow/loops.h"
#include "mlprof/groups/grouping.h"
#include "mlprof/stacks/wrappers.h"

#define GROUPING_NONE UINT32_MAX

/* A group, which becomes a row.  If no sample was in a line or expression, only its path
   and position are known.  */
struct grouping_group {
    /* Of the first frame in the group, as numbers of the stacks; STACKS_NONE: none.  */
    uint32_t copy, source;
    const char *file, *directory; /* NULL: unknown */
    uint32_t path;                /* number of the path; GROUPING_NONE: unknown */
    uint32_t line, column;
    uint32_t start_line, start_column, end_line, end_column;
    uint32_t around; /* the group of the loop around the loop, or GROUPING_NONE */
    uint32_t origin; /* for a rank: an origin of the profile */
    /* A call of MPI: PATH is its name, and the other fields are its caller's.  A type has
       PATH alone, which is its name, too.  */
    bool call;
    uint32_t functions; /* the number of sources in the group */
    uint32_t threads;   /* that the group stands for; COPY is the one with the most */
    /* Stands for what belongs to a group of this kind, but not known to which.  */
    bool unknown;
};

/* A thread, by its copy.  */
struct grouping_thread {
    uint64_t samples;
    /* The number of its name: threads of one name that began in one function are one
       group, if they are many.  GROUPING_NONE: it is no thread, or alone.  */
    uint32_t name;
    uint32_t start; /* source of the start routine; STACKS_NONE: not known */
    uint64_t most;  /* samples below START */
    bool counted;   /* among the threads of its group */
};

/* Numbers groups from 0.  Starts as all zero but for the key that was asked for.  */
struct grouping_keys {
    const struct grouping *request;
    struct index index, ranges, files;
    struct intern paths;
    struct grouping_loops *loops;    /* NULL: the groups are no loops */
    struct grouping_thread *threads; /* by copy; NULL: the groups are no threads */
    uint32_t *path_of_file;          /* by number in FILES */
    size_t path_capacity;
    struct grouping_group *groups;
    size_t count, capacity;
};

/* The number of a file's path.  Two names of one file have one number.  The texts must
   live as long as KEYS.  */
uint32_t grouping_path(struct grouping_keys *keys, const char *directory,
                       const char *file);

/* The group of a frame, or GROUPING_NONE if it belongs to none.  A phase or thread is
   given with the frame that stands for it; the frame STACKS_NONE is in no phase, thread
   or loop.  For loops see grouping_loop_at.  */
uint32_t grouping_put(struct grouping_keys *keys, uint32_t copy, uint32_t position);

/* The group of what belongs to none, or UNKNOWN to which.  */
uint32_t grouping_put_nowhere(struct grouping_keys *keys, bool unknown);

/* The group of a key, which is LIKE, made of a group of nothing, if it is new.  */
extern const struct grouping_group grouping_none;
uint32_t grouping_put_group(struct grouping_keys *keys, uint64_t a, uint64_t b,
                            uint64_t c, const struct grouping_group *like);

/* The group of the file that a source starts in.  */
uint32_t grouping_put_file(struct grouping_keys *keys, uint32_t source);

/* The group of a module; of a line; of an expression, by its range.  */
uint32_t grouping_put_module(struct grouping_keys *keys, uint32_t module);
uint32_t grouping_put_point(struct grouping_keys *keys,
                            const struct executions_point *point);

/* The group of a loop of a flow.  AROUND is the group of the loop around it, or
   GROUPING_NONE.  */
uint32_t grouping_put_loop(struct grouping_keys *keys, const char *directory,
                           const struct loops_loop *loop, uint32_t around);

/* The group of the innermost loop around a position in a function, both numbers of the
   stacks; GROUPING_NONE if there is none.  It is the unknown group if the position has no
   line and the function has loops.  */
uint32_t grouping_loop_at(struct grouping_keys *keys, uint32_t source, uint32_t position);

/* KEYS may have no loops.  */
void grouping_free_loops(struct grouping_keys *keys);

void grouping_free(struct grouping_keys *keys);

/* The part of a group that belongs to one source.  */
struct grouping_piece {
    uint32_t group, source; /* SOURCE is a number of the stacks */
    uint64_t cur, weight;
};

struct grouping_builder {
    const struct grouping *request;
    struct rows *rows;
    struct grouping_keys keys;
    struct rows_row *by_group; /* only the numbers are set */
    size_t capacity;
    uint32_t *by_node;        /* by node: its group, or GROUPING_NONE */
    uint32_t kernel;          /* of modules: the kernel's group, if any node has it */
    struct blockcalls *types; /* NULL: the groups are no types */
    struct index piece_index; /* key: group, source */
    struct grouping_piece *pieces;
    size_t piece_capacity;
};

/* The row with the numbers of a group.  The pointer is valid until a group is added.  */
struct rows_row *grouping_row(struct grouping_builder *build, uint32_t group);

/* Adds to the part of a group that belongs to a source.  */
void grouping_add_piece(struct grouping_builder *build, uint32_t group, uint32_t source,
                        uint64_t cur, uint64_t weight);

/* Finds the loops of all flows and, if it was counted, how often they went round.  To be
   called before anything is grouped by loops.  */
void grouping_find_loops(struct grouping_builder *build);

/* By row: its source in the stacks; to be freed.  */
uint32_t *grouping_sources_of_rows(const struct rows *rows);

/* The group of the outermost call of MPI around a node of the stacks.  To be called for
   the nodes above it first.  */
uint32_t grouping_mpi_of(struct grouping_builder *build, uint32_t number);

/* The group of the type of the blocks that were allocated in a node of the stacks: what
   is said of the innermost profiled frame, or of the ones around it if its call's result
   is returned.  */
uint32_t grouping_type_of(struct grouping_builder *build, uint32_t number);

/* Finds the name and the start routine of each thread.  To be called before anything is
   grouped by threads.  */
void grouping_find_threads(struct grouping_builder *build);

/* Adds the counts of calls, or of executed lines, if there are any.  */
void grouping_add_counts(struct grouping_builder *build);

/* Makes the rows with their names, and sets which nodes are in them.  */
void grouping_name_rows(struct grouping_builder *build);

#endif
