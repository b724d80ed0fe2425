/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files grouping*.c, which create the rows of groups. grouping-keys.c
   finds the group of a frame. grouping-loops.c finds its loop. grouping-calls.c finds
   its MPI call. grouping-memory.c finds
   types, sites and paths of allocated memory. grouping.c adds up samples, and values by
   rank. grouping-counts.c adds up counts. grouping-names.c names the groups. */

#ifndef MLPROF_GROUPING_INSIDE_H
#define MLPROF_GROUPING_INSIDE_H

#include "mlprof/flow/executions.h"
#include "mlprof/flow/loops.h"
#include "mlprof/groups/grouping.h"
#include "mlprof/stacks/wrappers.h"
#include "mlprof/waiting/places.h"

#define GROUPING_NONE UINT32_MAX

/* A group, which becomes a row. If a line or expression has no samples, only its path
   and position are set. */
struct grouping_group {
    /* Of the first frame in the group, as numbers of the stacks. STACKS_NONE: none. */
    uint32_t copy, source;
    const char *file; /* path; NULL: unknown */
    uint32_t path;    /* number of the path; GROUPING_NONE: unknown */
    uint32_t line, column;
    struct rows_range range;
    uint32_t outer;  /* for a loop: group of the loop around it, or GROUPING_NONE */
    uint32_t origin; /* for a rank: an origin of the profile */
    /* PATH is the name of the group, not of a file: of a type, or of an MPI function. */
    bool named;
    bool call; /* an MPI call; the other fields describe its caller */
    /* For a site or path: numbers of the names of the type and of the called function,
       or GROUPING_NONE. */
    uint32_t type, called;
    /* For a loop: number of the loop of the verdicts with most samples, or
       GROUPING_NONE. */
    uint32_t verdict;
    uint32_t functions; /* number of sources in the group */
    uint32_t threads; /* number of threads or processes in the group; COPY is the one with
                         the most samples */
    /* The group for values that belong to an unknown group of this kind. */
    bool unknown;
    bool counted; /* its calls were counted */
};

/* A thread or a process, by its copy. Processes have no start routine. */
struct grouping_thread {
    uint64_t samples;
    /* The number of the thread's name. Many threads with the same name and the same
       start routine form one group. GROUPING_NONE: not a thread, or a thread outside
       such groups. */
    uint32_t name;
    uint32_t start; /* source of the start routine; STACKS_NONE: unknown */
    uint64_t most;  /* samples below START */
    bool counted;   /* already counted in THREADS of its group */
};

/* Numbers groups from 0. All members except REQUEST start as zero. */
struct grouping_keys {
    const struct grouping *request;
    struct index index, ranges;
    struct intern paths;
    struct grouping_loops *loops;    /* NULL: the groups are not loops */
    struct places *places;           /* names of locks; NULL: not grouped by them */
    struct grouping_thread *threads; /* by copy; NULL: not grouped by them */
    struct grouping_group *groups;
    size_t count, capacity;
};

/* Returns the group of a frame, or GROUPING_NONE if it is in no group. For a phase or
   thread, pass its own frame. The frame STACKS_NONE is in no phase, thread or loop.
   For loops see grouping_loop_at. */
uint32_t grouping_put(struct grouping_keys *keys, uint32_t copy, uint32_t position);

/* Returns the group of values that belong to no group or, with UNKNOWN, to an unknown
   group. */
uint32_t grouping_put_nowhere(struct grouping_keys *keys, bool unknown);

/* Returns the group with the key A, B, C. If it is new, it is a copy of NEW_GROUP.
   NEW_GROUP should be initialised from grouping_none. */
extern const struct grouping_group grouping_none;
uint32_t grouping_put_group(struct grouping_keys *keys, uint64_t a, uint64_t b,
                            uint64_t c, const struct grouping_group *new_group);

/* Returns the group with a name, whose number in the paths of KEYS is NAME. */
uint32_t grouping_put_named(struct grouping_keys *keys, uint32_t name);

/* Returns the group of the file in which a source starts. */
uint32_t grouping_put_file(struct grouping_keys *keys, uint32_t source);

/* The first function returns the group of a module. The second function returns the
   group of a line or expression, found by its range. */
uint32_t grouping_put_module(struct grouping_keys *keys, uint32_t module);
uint32_t grouping_put_point(struct grouping_keys *keys,
                            const struct executions_point *point);

/* Returns the group of a loop of a flow graph. OUTER is the group of the loop around
   it, or GROUPING_NONE. */
uint32_t grouping_put_loop(struct grouping_keys *keys, const struct loops_loop *loop,
                           uint32_t outer);

/* Returns the group of the innermost loop around a position in a function, or
   GROUPING_NONE if there is none. Both arguments are numbers of the stacks. Returns
   the unknown group if the position has no line and the function has loops. */
uint32_t grouping_loop_at(struct grouping_keys *keys, uint32_t source, uint32_t position);

/* KEYS may have no loops. */
void grouping_free_loops(struct grouping_keys *keys);

void grouping_free(struct grouping_keys *keys);

/* The values of a group that belong to one source. */
struct grouping_piece {
    uint32_t group, source; /* SOURCE is a number of the stacks */
    uint64_t cur, weight;
};

struct grouping_builder {
    const struct grouping *request;
    struct rows *rows;
    struct grouping_keys keys;
    uint32_t *by_node;        /* by node: its group, or GROUPING_NONE */
    uint32_t kernel;          /* for modules: the kernel's group, if a node has it */
    struct blockcalls *types; /* NULL: the groups are not of the heap's memory */
    struct index piece_index; /* key: group and source */
    struct grouping_piece *pieces;
    size_t piece_capacity;
};

/* Returns the amount of a part of the shown measure of GROUP, to be added to. The
   pointer is valid until a group is added. */
uint64_t *grouping_amount(struct grouping_builder *build, uint32_t group,
                          enum measured_part part);

/* Adds calls, executions or iterations to a group. */
void grouping_add_calls(struct grouping_builder *build, uint32_t group, uint64_t calls);

/* Adds values to the piece of GROUP that belongs to SOURCE. */
void grouping_add_piece(struct grouping_builder *build, uint32_t group, uint32_t source,
                        uint64_t cur, uint64_t weight);

/* Finds the loops of all flow graphs and, if counted, their iterations. Without flow
   graphs, finds the loops of GCC's remarks. Call this before grouping by loops. */
void grouping_find_loops(struct grouping_builder *build);

/* Returns the group of the innermost loop around a node in its own copy, or
   GROUPING_NONE. If the program has no flow graphs, the loops are those that GCC's
   remarks describe. */
uint32_t grouping_loop_of_node(struct grouping_keys *keys, uint32_t node);

/* Returns, by row, its source in the stacks. The caller frees the result. */
uint32_t *grouping_sources_of_rows(const struct rows *rows);

/* Returns the group of the outermost MPI call around a node of the stacks. Call this
   for the nodes above first. */
uint32_t grouping_mpi_of(struct grouping_builder *build, uint32_t number);

/* Returns the group of the memory allocated in a node of the heap's stacks. */
uint32_t grouping_memory_of(struct grouping_builder *build, uint32_t number);

/* Adds the memory that the program counted at its allocation sites. */
void grouping_add_memory(struct grouping_builder *build);

/* Returns the name of a function as shown in the table. The caller frees it. */
char *grouping_function_name(const struct grouping_builder *build, uint32_t source);

/* Finds the name and the start routine of each thread, or the name of each process. Call
   this before grouping by threads or processes. */
void grouping_find_threads(struct grouping_builder *build);

/* Adds the counts of calls or executed lines, if there are any. */
void grouping_add_counts(struct grouping_builder *build);

/* Creates the rows with their names, and sets the row of each node. */
void grouping_name_rows(struct grouping_builder *build);

#endif
