/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matches the functions of several sides of a comparison, which may be of several builds:
   by their names for the assembler and their files; those that are left, where there is
   only one of the name on each side, by their names alone, since files move.  Lines never
   tell: they change from build to build.  */

#ifndef MLPROF_MATCH_H
#define MLPROF_MATCH_H

#include "mlprof/compare/side.h"

#define MATCH_NONE UINT32_MAX

struct match {
    uint32_t *functions; /* by row, then side: its number there; MATCH_NONE: none */
    size_t count;        /* of rows */
    size_t sides;
};

/* Fills MATCH, which match_free frees; each function of each of COUNT sides is in one
 * row.
 */
void match_find(struct match *match, const struct side *const *sides, size_t count);

/* The function of a row, of the last side that has it.  */
const struct side_function *match_function(const struct match *match,
                                           const struct side *const *sides, size_t row);

void match_free(struct match *match);

#endif
