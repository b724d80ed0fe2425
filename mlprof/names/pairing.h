/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs the functions of a build with those of another one, for merged builds
   and for comparisons (compare/match.h).

   Files are paired first: those with the same path; of the rest those whose paths end
   with the most components alike, which are the folders below the roots of two checkouts.
   A file that could be one of several is left alone.  Then functions are paired by key
   and file; several that have both alike, in their order.  Of the rest, since functions
   move to other files, those whose key only one function has on each side.  Lines do not
   matter.  */

#ifndef MLPROF_PAIRING_H
#define MLPROF_PAIRING_H

#include "mlprof/base/intern.h"
#include "mlprof/tables/tables.h"

#define PAIRING_NONE UINT32_MAX

/* A function: numbers of texts.  */
struct pairing_item {
    uint32_t key;
    uint32_t path; /* of its file; PAIRING_NONE: unknown */
};

/* Sets SAME, by number in HERE, to the number in BEFORE of the same function, or to
   PAIRING_NONE.  Changes the paths in HERE to those of the same files in BEFORE.  Both
   lists are in the order of lines.  */
void pairing_find(struct intern *texts, const struct pairing_item *before,
                  size_t before_count, struct pairing_item *here, size_t count,
                  uint32_t *same);

/* Sets, in each source of the COUNT builds, the source of an earlier build that it is
   (identity_of).  To be called before the tables are asked for functions.  BUILDS must
   live as long as their sources; tables may be bare.  */
void pairing_merge_builds(struct tables *const *builds, size_t count);

#endif
