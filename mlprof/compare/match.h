/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matches the functions of several sides of a comparison. The sides may come from
   several builds or checkouts. Functions are matched by the rules of identity.h;
   sites and paths of memory by key and position, see runset.h. Also formats the
   names of matched functions for tables. */

#ifndef MLPROF_MATCH_H
#define MLPROF_MATCH_H

#include "mlprof/compare/runset.h"
#include "mlprof/columns/sheet.h"
#include "mlprof/view/source-files.h"

#define MATCH_NONE UINT32_MAX

struct match {
    /* By row, then by side: the number of the function in the side, or MATCH_NONE. */
    uint32_t *functions;
    size_t count; /* number of rows */
    size_t sides;
};

/* Fills MATCH from COUNT sides. Each function of each side is in exactly one row.
   Free MATCH with match_free. */
void match_find(struct match *match, const struct runset *const *sides, size_t count);

/* Returns the function of a row, taken from the last side that has it. */
const struct runset_function *
match_function(const struct match *match, const struct runset *const *sides, size_t row);

/* Returns for each function of a side its row, or MATCH_NONE, and sets *COUNT to the
   number of functions. The caller frees the array. */
uint32_t *match_rows(const struct match *match, size_t side, size_t *count);

void match_free(struct match *match);

/* Returns for each row of the match whether another row has the same name in views.
   The caller frees the array. */
bool *match_names_alike(const struct match *match, const struct runset *const *sides);

/* Gives the lines or expressions of COUNT sides from different builds keys that can be
   matched. A key has the name of the function, the text of the line from FILES, and
   the number of equal lines before it in the function. If the text of the file is
   missing for a side, the distance from the function's first line is used instead of
   the text and the number. */
void match_names_key_places(struct runset *const *sides, size_t count,
                            struct source_files *files);

/* Puts the name of a row into the last column. A function gets its file and line if
   WITH_LINE. Other rows with a place get it and, from FILES, their text. */
void match_names_put(struct sheet *sheet, const struct match *match,
                     const struct runset *const *sides, size_t row, bool with_line,
                     struct source_files *files);

/* Returns the source line of FUNCTION, which is a line or an expression, without
   indentation. Returns NULL if FUNCTION is another kind of row, or if FILES does not
   have the line. FILES may be NULL. The caller frees the text. */
char *match_names_text(struct source_files *files,
                       const struct runset_function *function);

#endif
