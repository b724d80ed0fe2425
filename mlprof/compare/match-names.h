/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names matched functions in tables.  */

#ifndef MLPROF_MATCH_NAMES_H
#define MLPROF_MATCH_NAMES_H

#include "mlprof/base/sheet.h"
#include "mlprof/compare/match.h"
#include "mlprof/view/source-files.h"

/* By row of the match: whether another row has the same name in views; to be freed.  */
bool *match_names_alike(const struct match *match, const struct side *const *sides);

/* Gives the lines or expressions of COUNT sides, which are of several builds, other keys:
   the name of their function, the text of the line from FILES, and how many lines with
   that text are before it in the function; or, if a side lacks the text of that file, how
   far the line is from the function's beginning.  */
void match_names_key_places(struct side *const *sides, size_t count,
                            struct source_files *files);

/* Puts the name of a row into the last column: of a function with file and line if
   WITH_LINE; of a line or an expression with its place and its text from FILES;
   of allocations with the position of the call.  */
void match_names_put(struct sheet *sheet, const struct match *match,
                     const struct side *const *sides, size_t row, bool with_line,
                     struct source_files *files);

/* The source line on which FUNCTION, a row of a line or of an expression, stands, without
   indentation; NULL if FUNCTION is another row, or if the line is not in FILES, which may
   be NULL.  To be freed.  */
char *match_names_text(struct source_files *files, const struct side_function *function);

#endif
