/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What GCC did with the loops of each copy. Joins the tables of remarks
   (tables/remarktable.h) with the functions of the program, and puts GCC's messages into
   a few words. Used by rows/verdicts.c. */

#ifndef MLPROF_REMARKED_H
#define MLPROF_REMARKED_H

#include "mlprof/program/program.h"
#include "mlprof/tables/remarktable.h"

#define REMARKED_NONE UINT32_MAX

/* A loop of a function. */
struct remarked_loop {
    const struct remarktable_loop *table;
    uint32_t copy;  /* number in the tables' function */
    uint32_t outer; /* number in the list of the loop around it, or REMARKED_NONE */
    bool inner;     /* no loop is inside it */
};

/* The loops of the copies that have code. Outer loops come before inner ones. */
struct remarked_function {
    const struct remarktable *table;
    const struct unit *unit;
    struct remarked_loop *loops;
    size_t count;
};

struct remarked;

/* PROGRAM must live as long as the result. */
struct remarked *remarked_new(const struct program *program);

/* REMARKS may be NULL. */
void remarked_free(struct remarked *remarks);

/* Returns whether a module has remarks. */
bool remarked_any(const struct program *program);

/* Returns the loops of a function, given by its number in the tables of MODULE; NULL if
   it has none. The result lives as long as REMARKS. */
const struct remarked_function *remarked_of(struct remarked *remarks, uint32_t module,
                                            uint32_t function);

/* Returns the number of the innermost loop in COPY around the position, or REMARKED_NONE.
   FILE may be NULL. COLUMN 0: unknown. */
uint32_t remarked_at(const struct remarked_function *function, uint32_t copy,
                     const char *file, uint32_t line, uint32_t column);

/* Returns in a few words what GCC did with the loop: `vectorised by 16 bytes, unrolled
   by 4'. Returns NULL if nothing is known. The caller frees it. */
char *remarked_verdict(const struct remarked_function *function,
                       const struct remarked_loop *loop);

/* Returns GCC's messages about the loop, separated by "; ". Returns NULL if there are
   none. The caller frees it. */
char *remarked_messages(const struct remarked_function *function,
                        const struct remarked_loop *loop);

#endif
