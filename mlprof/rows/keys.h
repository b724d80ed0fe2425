/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of the keys of rows, with everything that options, tables and the page need to
   know of a key. Callers read the fields of an entry. How the rows of a key are made is
   in groups/grouping-keys.c. */

#ifndef MLPROF_KEYS_H
#define MLPROF_KEYS_H

#include "mlprof/stacks/stacks.h"

/* What a row stands for: a function, or another kind from groups/grouping.h. */
enum rows_key {
    ROWS_FUNCTIONS,
    ROWS_COPIES,
    ROWS_LINES,
    ROWS_EXPRESSIONS,
    ROWS_LOOPS,
    ROWS_FILES,
    ROWS_MODULES,
    ROWS_PHASES,
    ROWS_THREADS,
    ROWS_PROCESSES,
    ROWS_PARALLELISM,
    ROWS_RANKS,
    ROWS_MPI,
    /* Of allocated memory: */
    ROWS_TYPES, /* types of blocks */
    ROWS_SITES, /* the calls that allocate */
    ROWS_PATHS, /* the innermost calls outside of libraries that led to allocations */
    /* Of waits: */
    ROWS_REASONS,
    ROWS_LOCKS, /* what threads waited for */
    ROWS_KEYS
};

/* What the nodes of a row have in common. If the row also depends on the frames around
   the node, only the node itself determines it. The nodes of functions and ranks are not
   compared: one node can have samples of several ranks. */
enum rows_alike { ROWS_NOT_ALIKE, ROWS_SAME_COPY, ROWS_SAME_POINT, ROWS_SAME_NODE };

struct rows_key_entry {
    const char *word;      /* the value of -by */
    const char *noun;      /* the heading of the rows' names */
    const char *plural;    /* the name of the rows in the page's data */
    enum stacks_what what; /* the kind of the frames that belong to a row */
    enum rows_alike alike; /* how the page finds the row of a node */
    bool placed;           /* rows have a place in the source or in the program */
    bool counted;          /* rows have counts of calls or of executions */
    bool executed;         /* rows are code that is executed instead of called */
    bool memory;           /* rows divide allocated memory, and nothing else */
    bool waits;            /* rows divide waits, and nothing else */
    bool compared;         /* the rows of runs can be matched by name and place */
    bool heap;             /* blocks can have such rows; their stacks suffice */
};

/* By key, in the order of -by. */
extern const struct rows_key_entry rows_keys[ROWS_KEYS];

/* Returns the values of -by in braces. Freed by free. */
char *rows_key_words(void);

/* Returns the values of -by that blocks can have or, with COMPARED, that a comparison can
   have, as a list in a sentence. Freed by free. */
char *rows_key_list(bool compared);

#endif
