/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up, for each loop of a source function, what GCC did with the loop in each copy
   (program/remarked.h), with the samples of the copy. For groups/, the listing and the
   page. */

#ifndef MLPROF_VERDICTS_H
#define MLPROF_VERDICTS_H

#include "mlprof/base/buf.h"
#include "mlprof/rows/rows.h"

#define VERDICTS_NONE UINT32_MAX

/* A loop of a source function. A loop with the same head in several copies is one
   loop. */
struct verdicts_loop {
    uint32_t row;          /* of the function */
    uint32_t source;       /* a source of the stacks */
    const char *file;      /* path */
    uint32_t line, column; /* of its head; column 0: unknown */
    /* From the first position of any copy to the last one. */
    uint32_t first_line, first_column, last_line, last_column;
    uint32_t outer;      /* the loop around it in the same function, or VERDICTS_NONE */
    uint64_t cur;        /* samples in it, but not in a loop inside it */
    size_t first, count; /* its verdicts, those with most samples first */
};

/* What GCC did with the loop in some copies. */
struct verdicts_verdict {
    uint32_t loop;
    char *text;      /* remarked_verdict; NULL: unknown */
    char *messages;  /* remarked_messages of one of the copies; NULL: none */
    uint64_t cur;    /* samples in these copies of the loop */
    uint32_t copies; /* number of copies */
    /* Row of the compiled function with the copy that has most samples, MOST, or
       STACKS_NONE. */
    uint32_t into;
    uint64_t most;
};

/* Starts as all zero. */
struct verdicts {
    struct verdicts_loop *loops; /* sorted by row, file and head */
    size_t count, capacity;
    BUF_VECTOR(struct verdicts_verdict) list;
    /* By node of the stacks: the innermost loop around it in its own copy, or
       VERDICTS_NONE. */
    uint32_t *of_node;
};

/* Fills VERDICTS. The result is empty if the program has no remarks. The caller frees
   it with verdicts_free. The texts of files live as long as PROGRAM. */
void verdicts_fill(struct verdicts *verdicts, const struct rows *rows,
                   const struct program *program);

void verdicts_free(struct verdicts *verdicts);

/* Returns the verdict about LOOP in a few words. If copies differ, the words say in how
   many copies each verdict is true. Returns NULL if nothing is known. The caller frees
   it. */
char *verdicts_text(const struct verdicts *verdicts, const struct verdicts_loop *loop);

/* Returns GCC's messages about LOOP in all copies; NULL: none. The caller frees it. */
char *verdicts_messages(const struct verdicts *verdicts,
                        const struct verdicts_loop *loop);

#endif
