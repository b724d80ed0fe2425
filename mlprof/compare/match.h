/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matches the functions of several sides of a comparison, which may be of several builds
   or checkouts, by the rules of pairing.h.  Of allocations it goes by key and by where
   they are within their functions.  */

#ifndef MLPROF_MATCH_H
#define MLPROF_MATCH_H

#include "mlprof/compare/side.h"

#define MATCH_NONE UINT32_MAX

struct match {
    /* By row, then side: the number of the function in the side, or MATCH_NONE.  */
    uint32_t *functions;
    size_t count; /* number of rows */
    size_t sides;
};

/* Fills MATCH, which match_free frees.  Each function of each of COUNT sides is in one
   row.  */
void match_find(struct match *match, const struct side *const *sides, size_t count);

/* The function of a row in the last side that has it.  */
const struct side_function *match_function(const struct match *match,
                                           const struct side *const *sides, size_t row);

/* By function of a side, its row, or MATCH_NONE; to be freed.  COUNT becomes the number
   of functions.  */
uint32_t *match_rows(const struct match *match, size_t side, size_t *count);

void match_free(struct match *match);

#endif
