/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names matched functions in tables.  */

#ifndef MLPROF_MATCH_NAMES_H
#define MLPROF_MATCH_NAMES_H

#include "mlprof/base/sheet.h"
#include "mlprof/compare/match.h"

/* By row of the match: whether another row has the same name in views; to be freed.  */
bool *match_names_alike(const struct match *match, const struct side *const *sides);

/* Puts the name of a row into the last column, with file and line if WITH_LINE.  */
void match_names_put(struct sheet *sheet, const struct match *match,
                     const struct side *const *sides, size_t row, bool with_line);

#endif
