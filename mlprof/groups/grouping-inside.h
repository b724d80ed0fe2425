/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the rows of groups, for the files grouping*.c: grouping-keys.c finds out which
   group something belongs to, grouping-loops.c which loop, grouping.c adds samples up,
   grouping-counts.c counts, grouping-ranks.c what ranks have,
   grouping-mpi.c which call of MPI something is in, and grouping-names.c says
   what the groups are called.  */

#ifndef MLPROF_GROUPING_INSIDE_H
#define MLPROF_GROUPING_INSIDE_H

#include "mlprof/flow/executions.h"
#include "mlprof/flow/loops.h"
#include "mlprof/groups/grouping.h"

#define GROUPING_NONE UINT32_MAX

/* What is in one group; of a line or expression that no sample was in only its path and
   position are known.  */
struct grouping_group {
    uint32_t copy, source; /* the stacks' that were first in it; STACKS_NONE: none */
    const char *file, *directory; /* NULL: unknown */
    uint32_t path;                /* number of the text; GROUPING_NONE: unknown */
    uint32_t line, column;
    uint32_t start_line, start_column, end_line, end_column;
    uint32_t around;    /* that of the loop around it; GROUPING_NONE */
    uint32_t origin;    /* of the profile, of a rank */
    bool call;          /* of MPI; the path is its name, the rest is of its caller */
    uint32_t functions; /* how many sources are in it */
    bool unknown;       /* what belongs to some group, nobody knows to which */
};

/* Numbers groups from 0; starts as all zero but for what was asked.  */
struct grouping_keys {
    const struct grouping *asked;
    struct index index, ranges, files;
    struct intern paths;
    struct grouping_loops *loops; /* NULL: they are not asked for */
    uint32_t *path_of_file;       /* by number in FILES */
    size_t path_capacity;
    struct grouping_group *groups;
    size_t count, capacity;
};

/* The number of a file, whatever it is called.  The texts live as long as KEYS.  */
uint32_t grouping_path(struct grouping_keys *keys, const char *directory,
                       const char *file);

/* The group of a frame; GROUPING_NONE: it belongs to none.  A phase or thread is given
   with the frame that stands for it; nowhere is in no phase, thread or loop.  Loops are
   found by grouping_loop_at.  */
uint32_t grouping_put(struct grouping_keys *keys, uint32_t copy, uint32_t position);
uint32_t grouping_put_nowhere(struct grouping_keys *keys);
uint32_t grouping_put_unknown(struct grouping_keys *keys);

/* The group of the file that a source starts in.  */
uint32_t grouping_put_file(struct grouping_keys *keys, uint32_t source);

/* The group of a module, and that of a line, or of an expression by its range.  */
uint32_t grouping_put_module(struct grouping_keys *keys, uint32_t module);
uint32_t grouping_put_point(struct grouping_keys *keys,
                            const struct executions_point *point);

/* A call of MPI: the function's name in C, and who calls it; STACKS_NONE: it is not
 * known. */
struct grouping_call {
    const char *name;
    uint32_t source;
    const char *file;
    uint32_t line;
};

uint32_t grouping_put_call(struct grouping_keys *keys, const struct grouping_call *call);

/* The group of a rank, by its origin in the profile.  */
uint32_t grouping_put_rank(struct grouping_keys *keys, uint32_t origin);

/* That of a loop of a flow, which AROUND is around; GROUPING_NONE: none is.  */
uint32_t grouping_put_loop(struct grouping_keys *keys, const char *directory,
                           const struct loops_loop *loop, uint32_t around);

/* That of the innermost loop of a function that a position of it is in, by numbers of the
   stacks; GROUPING_NONE if it is in none.  Of a position without a line in a function
   with loops it is not known.  */
uint32_t grouping_loop_at(struct grouping_keys *keys, uint32_t source, uint32_t position);

/* KEYS may have none.  */
void grouping_free_loops(struct grouping_keys *keys);

void grouping_free(struct grouping_keys *keys);

/* What a source has of a group.  */
struct grouping_piece {
    uint32_t group, source; /* the stacks' */
    uint64_t cur, weight;
};

struct grouping_builder {
    const struct grouping *asked;
    struct rows *rows;
    struct grouping_keys keys;
    struct rows_row *by_group; /* numbers only */
    size_t capacity;
    uint32_t *by_node;        /* its group; GROUPING_NONE: none */
    struct index piece_index; /* group, source */
    struct grouping_piece *pieces;
    size_t piece_capacity;
};

/* The numbers of a group, as long as none is added.  */
struct rows_row *grouping_row(struct grouping_builder *build, uint32_t group);

/* Adds what a source has of a group.  */
void grouping_add_piece(struct grouping_builder *build, uint32_t group, uint32_t source,
                        uint64_t cur, uint64_t weight);

/* Finds the loops of all flows, and adds how often they went round, if that was counted.
   First of all, if they are asked for.  */
void grouping_find_loops(struct grouping_builder *build);

/* By row the source of the stacks that it is of; to be freed.  */
uint32_t *grouping_sources_of_rows(const struct rows *rows);

/* Adds what each rank has, if ranks are asked for.  */
void grouping_add_ranks(struct grouping_builder *build);

/* The group of a node of the stacks by the outermost call of MPI that it is in; those
   above it have been asked for.  */
uint32_t grouping_mpi_of(struct grouping_builder *build, uint32_t number);

/* Where a call of MPI is made, FUNCTION being its caller's name; to be freed.  */
char *grouping_mpi_place(const struct grouping_group *group, const char *function);

/* The name of a rank, to be freed.  */
char *grouping_rank_name(const struct profile *profile, uint32_t origin);

/* Adds how often calls were made, or lines executed, if that was counted.  */
void grouping_add_counts(struct grouping_builder *build);

/* Fills the rows, with their names, and says which nodes are in them.  */
void grouping_name_rows(struct grouping_builder *build);

#endif
