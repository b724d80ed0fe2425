/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source files by the names in the tables, each read once and told of once.  */

#ifndef MLPROF_SOURCES_H
#define MLPROF_SOURCES_H

#include "mlprof/stacks.h"

/* A source file; one that cannot be read has no text.  */
struct sources_text {
    char *text; /* NULL: not there */
    size_t size;
    size_t *starts; /* of each line */
    size_t line_count, capacity;
    bool stale; /* it was told that the file is newer than the program */
};

/* Starts as all zero.  */
struct sources {
    struct intern paths;
    struct sources_text *texts; /* by the path's number */
    size_t count, capacity;
};

void sources_free(struct sources *sources);

/* The file of SOURCE, which has one.  A line on stderr, the first time, if it cannot be
   read, or if it was changed after the file at BUILT, the executable or shared object
   that the source is in.  Stays valid until the next call.  */
const struct sources_text *sources_get(struct sources *sources,
                                       const struct stacks_source *source,
                                       const char *built);

/* A line of a file as it is shown: tabs as blanks, control characters as \xHH; to be
   freed.  NULL if the file does not have it.  */
char *sources_line(const struct sources_text *text, uint32_t line);

#endif
