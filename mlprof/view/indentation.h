/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Removes indentation from source text if a terminal has no room for it, for the listing:
   first the indentation that all lines of a piece have; then, if lines still do not fit
   and only tabs indent, half of each tab.  */

#ifndef MLPROF_INDENTATION_H
#define MLPROF_INDENTATION_H

#include "mlprof/view/source-files.h"

/* All zero: nothing is removed.  */
struct indentation {
    size_t common; /* columns that all lines have in front */
    bool narrow;   /* tabs are half as wide */
};

/* The indentation to be removed from the lines FIRST to LAST of TEXT, as far as they
   exist, on a terminal with ROOM columns for a line.  */
struct indentation indentation_find(const struct source_files_text *text, uint32_t first,
                                    uint32_t last, size_t room);

/* The line (source_files_line) without this indentation; to be freed.  NULL if there is
   no such line.  */
char *indentation_line(const struct indentation *indentation,
                       const struct source_files_text *text, uint32_t line);

#endif
