/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What matched functions are called in tables.  */

#ifndef MLPROF_MATCH_NAMES_H
#define MLPROF_MATCH_NAMES_H

#include "mlprof/base/sheet.h"
#include "mlprof/compare/match.h"

/* For each row of the match whether another one is shown alike; to be freed.  */
bool *match_names_alike(const struct match *match, const struct side *const *sides);

/* Puts the name of a row, with its file and line if WITH_LINE, into the last column.  */
void match_names_put(struct sheet *sheet, const struct match *match,
                     const struct side *const *sides, size_t row, bool with_line);

#endif
