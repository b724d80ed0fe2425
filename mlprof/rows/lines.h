/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up by line of functions: samples, executions, and the outcomes of decisions. For
   the listing, the views of branches and some formats.  */

#ifndef MLPROF_LINES_H
#define MLPROF_LINES_H

#include "mlprof/rows/rows.h"
#include "mlprof/flow/flowcounts.h"

/* A line of the file in which a function starts.  */
struct lines_line {
    uint32_t row, line; /* line 0: all code in other files or at unknown lines */
    uint64_t cur;       /* samples in this line */
    /* Samples in this line and in what the line called; each sample counts once.  */
    uint64_t stack;
    uint32_t module; /* a module that has code of this line */
    bool counted;    /* the executions of the line were counted */
    uint64_t count;
};

struct lines {
    struct lines_line *lines; /* by row, then line */
    size_t count, capacity;
};

/* Fills LINES, which lines_free frees, for the rows that are SELECTED.  */
void lines_count(struct lines *lines, const struct rows *rows, const bool *selected);

/* Adds how often the lines of functions that are SELECTED were executed, and makes the
   entries that are missing.  If a function has several flows their counts are summed.  */
void lines_add_counts(struct lines *lines, const struct flowcounts *counts,
                      const struct rows *rows, const bool *selected);

void lines_free(struct lines *lines);

/* Sets ENDS, by row: for each row that is SELECTED the last line of the function's own
   file at which the tables have a position of the function; otherwise 0.  */
void lines_ends(const struct program *program, const struct rows *rows,
                const bool *selected, uint32_t *ends);

/* Decisions: the condition of a loop or an `if', an operand of && or ||, or a `switch',
   and how often each outcome was taken.  */

struct decisions_outcome {
    char *label; /* as in the name of the branch: true, false, 3, 5..9, default */
    uint64_t count;
};

struct decision {
    const struct rows_row *function;
    const char *file; /* NULL: unknown */
    uint32_t line, column;
    /* Its number, from 1, among so many of the function at this place: a macro may have
       several.  */
    size_t nth, at_place;
    size_t first_outcome, outcome_count;
    uint64_t count; /* how often it was executed */
    size_t mostly;  /* the number of the likeliest outcome; of equals the first */
    uint64_t rarer; /* how often another outcome was taken */
    /* How often it was executed where mispredictions are counted, and mispredicted.  */
    uint64_t predicted, missed;
};

struct decisions {
    struct decision *list; /* by row, then line and column */
    size_t count, capacity;
    struct decisions_outcome *outcomes; /* those of a decision stand together */
    size_t outcome_count, outcome_capacity;
};

/* Fills DECISIONS, which decisions_free frees and which lives as long as FLOWS, for the
   rows that are SELECTED.  rows_find_flows must have set the rows of FLOWS.  If several
   compilations have a function, its decisions are added up place by place.  Several
   decisions at one place of a flow graph, for example from a macro, stay apart.  */
void decisions_find(struct decisions *decisions, const struct flowcounts *flows,
                    const struct rows *rows, const bool *selected);

/* Whether the decision's mispredictions are known: counted wherever it was decided.  */
static inline bool decisions_is_predicted(const struct decision *decision)
{
    return decision->count && decision->predicted == decision->count;
}

/* The outcome with LABEL; NULL: the decision has none.  */
const struct decisions_outcome *decisions_outcome(const struct decisions *decisions,
                                                  const struct decision *decision,
                                                  const char *label);

/* ` (2 of 3)' for the second of three decisions at one place, otherwise nothing; freed by
   free.  */
char *decisions_nth_text(const struct decision *decision);

void decisions_free(struct decisions *decisions);

#endif
