/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of this folder. libgomp.c recognizes the code of libgomp, GCC's
   OpenMP library: its addresses, the functions that it calls, and its calls that wait
   at the end of a construct. constructs-walk.c walks over the tree of the profile and
   adds up samples. constructs-jumps.c finds calls in tail position for
   constructs-walk.c. constructs.c divides the time of waiting at ends among
   constructs, and creates the rows. */

#ifndef MLPROF_CONSTRUCTS_INSIDE_H
#define MLPROF_CONSTRUCTS_INSIDE_H

#include "mlprof/base/buf.h"
#include "mlprof/parallel/constructs.h"
#include "mlprof/profile/profile.h"
#include "mlprof/program/program.h"

struct libgomp;

/* PROFILE and PROGRAM must live as long as the result. */
struct libgomp *libgomp_new(const struct profile *profile, const struct program *program);

void libgomp_free(struct libgomp *library);

/* Returns whether a point of the profile without tables is in the library: in
   libgomp.so or, if the executable was linked with libgomp.a, in a function that has a
   symbol of libgomp. */
bool libgomp_has(struct libgomp *library, const struct profile_node *node);

/* Returns whether a point of the library is in a function that runs a parallel
   construct, for example GOMP_parallel. The symbol of the function is checked. */
bool libgomp_runs_parallel(struct libgomp *library, const struct profile_node *node);

/* Returns whether a point of the library is in a function with another symbol.
   Functions that the library has jumped to have no symbol. */
bool libgomp_does_other(struct libgomp *library, const struct profile_node *node);

/* Says that the call at a point runs the functions of constructs in a thread that
   libgomp created. The next call after it waits for the other threads (GCC:
   libgomp/team.c, gomp_thread_start). LIBRARY remembers the function that this next
   call leads to. */
void libgomp_learn(struct libgomp *library, const struct profile_node *node);

/* Returns whether LIBRARY knows any of these functions. Returns false if the file of
   the library is missing or the processor is unknown. */
bool libgomp_has_learnt(const struct libgomp *library);

/* Returns whether the library's call at a point waits at the end of a construct,
   because it leads to a remembered function. */
bool libgomp_ends(struct libgomp *library, const struct profile_node *node);

#define CONSTRUCTS_NONE UINT32_MAX

/* Numbers that do not represent constructs. Constructs are numbered after them. */
enum { OUTSIDE, UNKNOWN, ENDS, IDLE, CONSTRUCTS_FIRST };

struct construct {
    struct identity_source source;
    bool parallel;   /* several threads were seen in it; otherwise it is a task */
    bool unsure;     /* some samples of UNKNOWN may belong to this construct */
    double duration; /* samples, until it ended, of the threads that began it */
    double outer; /* time of DURATION in which the construct was in no other construct */
    double made;  /* samples of all threads that did not begin it, in it and at its end */
    unsigned beginners; /* number of threads that began it */
};

/* The samples of one thread in one construct. */
struct constructs_cell {
    double work, inside, end;
    double begun;  /* if the thread began the construct: samples until it ended */
    double waited; /* for a thread created by libgomp: its part of END */
    /* For a thread created by libgomp: all samples except the waiting at the end. */
    double within;
};

/* Sums, indexed by two numbers. */
struct constructs_sums {
    struct index index;
    double *sums;
    size_t capacity;
};

struct constructs_builder {
    const struct profile *profile;
    const struct program *program;
    struct libgomp *library;
    /* Numbers the constructs from 0. Add CONSTRUCTS_FIRST to get the number of the
       construct. */
    struct identity identity;
    struct construct *list;
    size_t count, capacity;
    struct index cell_index; /* key: construct and thread; value: index in CELLS */
    struct constructs_cell *cells;
    size_t cell_capacity;
    /* Key: thread, 0. Samples of waiting at ends of constructs, if the construct is
       not on the stack. */
    struct constructs_sums ends;
    struct constructs_sums
        parents; /* key: task, and construct in which the task was seen */
    /* Key: task and thread. Samples of a task without a construct on the stack. */
    struct constructs_sums loose;
};

/* In constructs-walk.c. constructs_start adds the numbers that are no constructs.
   constructs_end frees everything except the parameters of the builder. */
void constructs_start(struct constructs_builder *build);
void constructs_end(struct constructs_builder *build);

/* Returns the cell of a construct and a thread. Threads have the same numbers as in
   the profile. The next number after them represents all unknown threads. */
struct constructs_cell *constructs_cell(struct constructs_builder *build,
                                        uint32_t construct, uint32_t thread);

/* Returns whether the source is a function that GCC created for a construct. */
bool constructs_is_one(const struct unit_source *source);

void constructs_walk(struct constructs_builder *build);

/* In constructs-jumps.c. */
struct constructs_jumps;

struct constructs_jumps *constructs_jumps_new(const struct profile *profile,
                                              const struct program *program);
void constructs_jumps_free(struct constructs_jumps *jumps);

/* Finds the next construct whose function may have jumped to ADDRESS of a module.
   There must be code with tables at ADDRESS. Set *NUMBER to 0 before the first call.
   Returns false if there are no more constructs. */
bool constructs_jumps_next(struct constructs_jumps *jumps, uint32_t module,
                           uint64_t address, size_t *number, const struct unit **unit,
                           const struct unit_source **source);

/* Finds the construct that a call of libgomp begins. ADDRESS is the last byte of the
   call, or the jump to libgomp. The function of the construct is the first argument
   of the call. Returns false if no construct begins there, or if it is unknown. */
bool constructs_jumps_begun(struct constructs_jumps *jumps, uint32_t module,
                            uint64_t address, const struct unit **unit,
                            const struct unit_source **source);

#endif
