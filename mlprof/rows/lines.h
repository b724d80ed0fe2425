/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up samples, executions and outcomes of decisions by line of a function. For
   the listing, the views of branches, the page and some export formats. */

#ifndef MLPROF_LINES_H
#define MLPROF_LINES_H

#include "mlprof/rows/rows.h"
#include "mlprof/flow/flowcounts.h"

/* A line of the file in which a function starts. */
struct lines_line {
    uint32_t row, line; /* line 0: all code in other files or at unknown lines */
    uint64_t cur;       /* samples in this line */
    /* Samples in this line and in its callees. Each sample counts once. */
    uint64_t stack;
    uint32_t module; /* a module with code of this line */
    bool counted;    /* executions of the line were counted */
    uint64_t count;
};

struct lines {
    struct lines_line *lines; /* sorted by row, then line */
    size_t count, capacity;
};

/* Fills LINES for the SELECTED rows. The caller frees it with lines_free. */
void lines_count(struct lines *lines, const struct rows *rows, const bool *selected);

/* Adds how often the lines of SELECTED functions were executed. Missing lines are
   added. If a function has several flow graphs, their counts are added up. */
void lines_add_counts(struct lines *lines, const struct flowcounts *counts,
                      const struct rows *rows, const bool *selected);

void lines_free(struct lines *lines);

/* Sets ENDS, which is indexed by row. For a SELECTED row, it gets the last line in
   the function's own file at which the tables have a position of the function. For
   other rows, it gets 0. */
void lines_ends(const struct program *program, const struct rows *rows,
                const bool *selected, uint32_t *ends);

/* Decisions: conditions of loops and `if', operands of && and ||, and `switch', with
   the number of times that each outcome was taken. */

struct decisions_outcome {
    char *label; /* as in the name of the branch: true, false, 3, 5..9, default */
    uint64_t count;
};

struct decision {
    const struct rows_row *function;
    const char *file; /* NULL: unknown */
    uint32_t line, column;
    /* The number of the decision (from 1) among the AT_PLACE decisions of the function
       at this place. A macro may contain several decisions. */
    size_t nth, at_place;
    size_t first_outcome, outcome_count;
    uint64_t count; /* number of executions */
    size_t mostly;  /* number of the most frequent outcome; if equal, the first */
    uint64_t rarer; /* how often another outcome was taken */
    /* PREDICTED: executions in code whose mispredictions are counted. MISSED:
       mispredictions. */
    uint64_t predicted, missed;
};

struct decisions {
    struct decision *list; /* sorted by row, then line and column */
    size_t count, capacity;
    struct decisions_outcome *outcomes; /* grouped by decision */
    size_t outcome_count;
};

/* Fills DECISIONS for the SELECTED rows. DECISIONS is valid as long as FLOWS. The
   caller frees it with decisions_free. rows_find_flows must have set the rows of
   FLOWS. If several compilations have a function, its decisions are added up place by
   place. Several decisions at one place of a flow graph, for example from a macro,
   stay separate. */
void decisions_find(struct decisions *decisions, const struct flowcounts *flows,
                    const struct rows *rows, const bool *selected);

/* Returns whether all mispredictions of the decision are known. */
static inline bool decisions_is_predicted(const struct decision *decision)
{
    return decision->count && decision->predicted == decision->count;
}

/* Returns the outcome with LABEL, or NULL if the decision has no such outcome. */
const struct decisions_outcome *decisions_outcome(const struct decisions *decisions,
                                                  const struct decision *decision,
                                                  const char *label);

/* Returns ` (2 of 3)' for the second of three decisions at one place, otherwise "".
   The caller frees it. */
char *decisions_nth_text(const struct decision *decision);

void decisions_free(struct decisions *decisions);

#endif
