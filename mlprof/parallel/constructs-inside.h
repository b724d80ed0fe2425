/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of this room.  libgomp.c recognizes the code of libgomp, GCC's
   library of OpenMP: which addresses are in it, where its calls lead, and which of them
   wait at the end of a construct.  constructs-walk.c walks over the tree of the profile
   and adds up samples; constructs-jumps.c finds calls in tail position for it;
   constructs.c divides the waiting at ends among constructs, and makes rows.  */

#ifndef MLPROF_CONSTRUCTS_INSIDE_H
#define MLPROF_CONSTRUCTS_INSIDE_H

#include "mlprof/base/buf.h"
#include "mlprof/parallel/constructs.h"
#include "mlprof/profile/profile.h"
#include "mlprof/program/program.h"

struct libgomp;

/* PROFILE and PROGRAM must live as long as the result.  */
struct libgomp *libgomp_new(const struct profile *profile, const struct program *program);

/* LIBRARY may be NULL.  */
void libgomp_free(struct libgomp *library);

/* Whether a point of the profile that has no tables is in the library: in libgomp.so or,
   if the executable was linked with libgomp.a, in a function that has a symbol of
   libgomp.  */
bool libgomp_has(struct libgomp *library, const struct profile_node *node);

/* Whether a point of the library is in a function that runs a parallel construct, for
   example GOMP_parallel, by its symbol.  */
bool libgomp_runs_parallel(struct libgomp *library, const struct profile_node *node);

/* Whether a point of the library is in a function with another symbol.  Functions to
   which the library has jumped have no symbol.  */
bool libgomp_does_other(struct libgomp *library, const struct profile_node *node);

/* Tells LIBRARY that the call at a point runs the functions of constructs in a thread
   that libgomp made.  The next call behind it waits for the other threads (GCC:
   libgomp/team.c, gomp_thread_start), and LIBRARY learns where it leads.  */
void libgomp_learn(struct libgomp *library, const struct profile_node *node);

/* Whether anything was learnt: not unless the library's file is there, and for a known
   processor.  */
bool libgomp_has_learnt(const struct libgomp *library);

/* Whether the library's call at a point waits at the end of a construct: it leads to an
   address that was learnt.  */
bool libgomp_ends(struct libgomp *library, const struct profile_node *node);

#define CONSTRUCTS_NONE UINT32_MAX

/* These numbers stand for no construct; real constructs follow.  */
enum { OUTSIDE, UNKNOWN, ENDS, IDLE, CONSTRUCTS_FIRST };

struct construct {
    struct identity_source source;
    bool parallel;      /* several threads were seen in it; otherwise it is a task */
    bool unsure;        /* samples of UNKNOWN may belong to this construct */
    double duration;    /* samples of the threads that began it, until it ended */
    double outer;       /* the part of DURATION in which it was in no other construct */
    double made;        /* samples of the other threads, in it and at its end */
    unsigned beginners; /* number of threads that began it */
};

/* The samples of one thread in one construct.  */
struct constructs_cell {
    double work, inside, end;
    double begun;  /* for a thread that began the construct: samples until it ended */
    double waited; /* for a thread that libgomp made: its part of END */
    /* For a thread that libgomp made: all samples but those of waiting at the end.  */
    double within;
};

/* Sums whose key is two numbers.  */
struct constructs_sums {
    struct index index;
    double *sums;
    size_t capacity;
};

struct constructs_builder {
    const struct profile *profile;
    const struct program *program;
    struct libgomp *library;
    /* Numbers the constructs; CONSTRUCTS_FIRST is to be added.  */
    struct identity identity;
    struct construct *list;
    size_t count, capacity;
    struct index cell_index; /* key: construct, thread; the number of the cell */
    struct constructs_cell *cells;
    size_t cell_capacity;
    /* Key: thread, 0; samples at ends of constructs that are not on the stack.  */
    struct constructs_sums ends;
    struct constructs_sums parents; /* key: task, construct in which it was seen */
    /* Key: task, thread; samples of a task with no construct on the stack.  */
    struct constructs_sums loose;
};

/* In constructs-walk.c. constructs_start adds what stands for no construct;
   constructs_end frees all but what was given.  */
void constructs_start(struct constructs_builder *build);
void constructs_end(struct constructs_builder *build);

/* The cell of a construct and a thread.  Threads have the profile's numbers; the next
   number stands for all unknown threads.  */
struct constructs_cell *constructs_cell(struct constructs_builder *build,
                                        uint32_t construct, uint32_t thread);

/* Whether the source is the function that GCC made of a construct.  */
bool constructs_is_one(const struct unit_source *source);

void constructs_walk(struct constructs_builder *build);

/* In constructs-jumps.c.  */
struct constructs_jumps;

struct constructs_jumps *constructs_jumps_new(const struct profile *profile,
                                              const struct program *program);
void constructs_jumps_free(struct constructs_jumps *jumps);

/* The next construct whose function may have jumped to the code with tables at ADDRESS of
   a module.  *NUMBER starts as 0.  False if there are no more.  */
bool constructs_jumps_next(struct constructs_jumps *jumps, uint32_t module,
                           uint64_t address, size_t *number, const struct unit **unit,
                           const struct unit_source **source);

/* Finds the construct that the program begins by the call of libgomp whose last byte is
   at ADDRESS of a module, or by the jump there: its function is the first argument.
   False if no construct is begun, or if it is not known which.  */
bool constructs_jumps_begun(struct constructs_jumps *jumps, uint32_t module,
                            uint64_t address, const struct unit **unit,
                            const struct unit_source **source);

#endif
