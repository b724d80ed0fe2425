/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaves out indentation of source text that a terminal has no room for, for the listing:
   what all lines of a piece have, and if lines do not fit, half of each tab, where tabs
   alone indent.  */

#ifndef MLPROF_INDENTATION_H
#define MLPROF_INDENTATION_H

#include "mlprof/view/source-files.h"

/* Starts as all zero: nothing is left out.  */
struct indentation {
    size_t common; /* columns that all lines have */
    bool narrow;   /* tabs are narrow */
};

/* What is left out of the lines FIRST to LAST of TEXT, of those that it has, on a
   terminal with ROOM columns for one.  */
struct indentation indentation_find(const struct source_files_text *text, uint32_t first,
                                    uint32_t last, size_t room);

/* The line (source_files_line) without that; to be freed.  NULL if there is none.  */
char *indentation_line(const struct indentation *indentation,
                       const struct source_files_text *text, uint32_t line);

#endif
