/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files constructs*.c share: constructs-sums.c holds it, constructs-walk.c goes
   over the tree of the profile and fills the sums, constructs-jumps.c tells it of calls
   in tail position, constructs-ends.c says whose the waiting at ends was, constructs.c
   makes rows.  */

#ifndef MLPROF_CONSTRUCTS_INSIDE_H
#define MLPROF_CONSTRUCTS_INSIDE_H

#include "mlprof/base/buf.h"
#include "mlprof/parallel/constructs.h"
#include "mlprof/parallel/libgomp.h"

#define CONSTRUCTS_NONE UINT32_MAX

/* Those that are none stand before all others, each under its number here.  */
enum { OUTSIDE, UNKNOWN, ENDS, IDLE, CONSTRUCTS_FIRST };

struct construct {
    struct identity_source source;
    bool parallel;      /* seen to be run by several threads; otherwise it is a task */
    bool unsure;        /* what is of UNKNOWN may be of this one, or of others */
    double duration;    /* samples of the threads that began it, until it had ended */
    double outer;       /* of them, those where it was in no other one */
    double made;        /* samples of the other threads in it and at its end */
    unsigned beginners; /* threads that began it */
};

/* What one thread has of a construct, in samples.  */
struct constructs_cell {
    double work, inside, end;
    double begun;  /* of a thread that has begun it: until it had ended */
    double waited; /* of END, what is of a thread that libgomp has made */
    double within; /* of a thread that libgomp has made: all that it did in it, without
                      waiting at the end */
};

/* Sums by two numbers.  */
struct constructs_sums {
    struct index index;
    double *sums;
    size_t capacity;
};

/* Adds COUNT to the sum of A and B.  */
void constructs_add(struct constructs_sums *sums, uint32_t a, uint32_t b, double count);

struct constructs_builder {
    const struct profile *profile;
    const struct program *program;
    struct libgomp *library;
    struct identity identity; /* numbers constructs, less CONSTRUCTS_FIRST */
    struct construct *list;
    size_t count, capacity;
    struct index cell_index; /* construct, thread: number of the cell */
    struct constructs_cell *cells;
    size_t cell_capacity;
    struct constructs_sums ends; /* thread, 0: at ends of constructs not on the stack */
    struct constructs_sums parents; /* task, construct that it was seen in */
    struct constructs_sums loose;   /* task, thread: where that is not on the stack */
};

/* constructs-sums.c.  Adds those that are no constructs; frees all but what was given. */
void constructs_start(struct constructs_builder *build);
void constructs_end(struct constructs_builder *build);

/* Threads are the profile's; one more stands for those that are not known.  */
struct constructs_cell *constructs_cell(struct constructs_builder *build,
                                        uint32_t construct, uint32_t thread);

/* The number of the construct that a source is; CONSTRUCTS_NONE: it is none.  */
uint32_t constructs_number(struct constructs_builder *build, const struct unit *unit,
                           const struct unit_source *source);

/* Whether the source is the function that GCC has made of a construct.  */
bool constructs_is_one(const struct unit_source *source);

/* constructs-walk.c */
void constructs_walk(struct constructs_builder *build);

/* constructs-ends.c.  Gives what the profile's threads have at ends to constructs.  */
void constructs_share_ends(struct constructs_builder *build);

/* constructs-jumps.c */
struct constructs_jumps;

struct constructs_jumps *constructs_jumps_new(const struct profile *profile,
                                              const struct program *program);
void constructs_jumps_free(struct constructs_jumps *jumps);

/* The next of the constructs whose functions may have jumped to code with tables at
   ADDRESS of a module; *NUMBER starts as 0.  False: there are no more.  */
bool constructs_jumps_next(struct constructs_jumps *jumps, uint32_t module,
                           uint64_t address, size_t *number, const struct unit **unit,
                           const struct unit_source **source);

/* Which construct the program begins by the call of libgomp that ADDRESS of a module is
   the last byte of, or by the jump there: the one whose function is the first argument.
   False: none, or it is not known.  */
bool constructs_jumps_begun(struct constructs_jumps *jumps, uint32_t module,
                            uint64_t address, const struct unit **unit,
                            const struct unit_source **source);

#endif
