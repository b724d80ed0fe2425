/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matches the functions of several sides of a comparison, which may be of several builds
   or checkouts, by the rules of identity.h.  Of allocations it goes by key and by where
   they are within their functions.  And names matched functions in tables.  */

#ifndef MLPROF_MATCH_H
#define MLPROF_MATCH_H

#include "mlprof/compare/runset.h"
#include "mlprof/columns/sheet.h"
#include "mlprof/view/source-files.h"

#define MATCH_NONE UINT32_MAX

struct match {
    /* By row, then side: the number of the function in the side, or MATCH_NONE.  */
    uint32_t *functions;
    size_t count; /* number of rows */
    size_t sides;
};

/* Fills MATCH, which match_free frees.  Each function of each of COUNT sides is in one
   row.  */
void match_find(struct match *match, const struct runset *const *sides, size_t count);

/* The function of a row in the last side that has it.  */
const struct runset_function *
match_function(const struct match *match, const struct runset *const *sides, size_t row);

/* By function of a side, its row, or MATCH_NONE; to be freed.  COUNT becomes the number
   of functions.  */
uint32_t *match_rows(const struct match *match, size_t side, size_t *count);

void match_free(struct match *match);

/* By row of the match: whether another row has the same name in views; to be freed.  */
bool *match_names_alike(const struct match *match, const struct runset *const *sides);

/* Gives the lines or expressions of COUNT sides, which are of several builds, other keys:
   the name of their function, the text of the line from FILES, and how many lines with
   that text are before it in the function; or, if a side lacks the text of that file, how
   far the line is from the function's beginning.  */
void match_names_key_places(struct runset *const *sides, size_t count,
                            struct source_files *files);

/* Puts the name of a row into the last column: of a function with file and line if
   WITH_LINE; of a line or an expression with its place and its text from FILES;
   of allocations with the position of the call.  */
void match_names_put(struct sheet *sheet, const struct match *match,
                     const struct runset *const *sides, size_t row, bool with_line,
                     struct source_files *files);

/* The source line on which FUNCTION, a row of a line or of an expression, stands, without
   indentation; NULL if FUNCTION is another row, or if the line is not in FILES, which may
   be NULL.  To be freed.  */
char *match_names_text(struct source_files *files,
                       const struct runset_function *function);

#endif
