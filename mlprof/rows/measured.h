/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the amounts of rows: for each measure and part a column with an amount for each
   row. rows.c, amounts.c and groups/ fill the columns. Later rooms read them with the
   functions of rows.h, which take a row. A comparison makes columns of other things,
   such as the nodes of a tree. */

#ifndef MLPROF_MEASURED_H
#define MLPROF_MEASURED_H

#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/measure/measure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which part of a measure belongs to a row. */
enum measured_part {
    MEASURED_SELF,     /* the row was the innermost; without the branches of a function */
    MEASURED_TOTAL,    /* the row was anywhere on the stack */
    MEASURED_WITHIN,   /* of lines, expressions and loops: with code inlined there */
    MEASURED_BRANCHES, /* of a function: the branches that are rows of their own */
    MEASURED_PARTS
};

/* In a column: the row's amount is not known. */
#define MEASURED_UNKNOWN UINT64_MAX

struct measured_column {
    const struct measure *measure;
    enum measured_part part;
    bool blocks;       /* a number of blocks instead of an amount in the measure's unit */
    uint64_t *amounts; /* by number of the row */
    /* Of estimates from sampled blocks, by number of the row, including branches. NULL:
       the amounts were counted. */
    struct statistics_error *errors;
};

struct measured {
    /* The first MEASURED_PARTS columns are the parts of this measure. */
    const struct measure *shown;
    /* The measure of memory that has blocks, too; NULL: none. */
    const struct measure *memory;
    BUF_VECTOR(struct measured_column) columns;
    size_t count, capacity; /* number of rows */
    uint64_t sample; /* bytes per sample of the heap (struct heapdata); 0: counted */
};

struct measured_value {
    bool known;
    uint64_t amount; /* 0 unless known */
};

/* Returns columns for COUNT rows with amounts of 0. MEMORY may be NULL, and SHOWN, too,
   if all measures are added later. Freed by measured_free. */
struct measured *measured_new(const struct measure *shown, const struct measure *memory,
                              size_t count);

/* Returns a copy in which the amounts of branches belong to their functions. */
struct measured *measured_with_branches(const struct measured *measured);

void measured_free(struct measured *measured);

/* Sets the number of rows to at least COUNT. Columns may move. */
void measured_grow(struct measured *measured, size_t count);

/* Returns the amounts of a column by number of the row. The column is added if it is
   missing. The result is valid until measured_grow. */
uint64_t *measured_amounts(struct measured *measured, const struct measure *measure,
                           enum measured_part part, bool blocks);

/* Returns the amount of row NUMBER. If there is no such column, it is not known.
   MEASURED may be NULL: nothing was measured, MEASURE is NULL, and the amount is 0. */
struct measured_value measured_get(const struct measured *measured, uint32_t number,
                                   const struct measure *measure, enum measured_part part,
                                   bool blocks);

/* Returns whether there is a column. */
bool measured_has(const struct measured *measured, const struct measure *measure,
                  enum measured_part part, bool blocks);

/* Returns a column, which is added if it is missing. Valid until another column is
   added. */
struct measured_column *measured_column(struct measured *measured,
                                        const struct measure *measure,
                                        enum measured_part part, bool blocks);

/* Returns an amount; of MEASURED_SELF including branches. 0 if it is not known. */
uint64_t measured_whole(const struct measured *measured, uint32_t number,
                        const struct measure *measure, enum measured_part part,
                        bool blocks);

/* Returns the 95 % confidence interval of measured_whole for a measure of the heap. */
struct statistics_interval measured_interval(const struct measured *measured,
                                             uint32_t number,
                                             const struct measure *measure,
                                             enum measured_part part, bool blocks);

/* Adds the known amounts and the errors of NUMBER_FROM in FROM to those of NUMBER. */
void measured_add(struct measured *measured, uint32_t number, const struct measured *from,
                  uint32_t number_from);

/* Adds the total amounts of CALLEE to those of CALLER. */
void measured_add_called(struct measured *measured, uint32_t caller, uint32_t callee);

/* Replaces each total amount by the amount of the row itself. */
void measured_stand_alone(struct measured *measured);

#endif
