/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source files by the names in the tables, each read once and told of once.  */

#ifndef MLPROF_SOURCES_H
#define MLPROF_SOURCES_H

#include "mlprof/evaluate/stacks.h"

/* A source file; one that cannot be read has no text.  */
struct sources_text {
    char *text; /* NULL: not there */
    size_t size;
    size_t *starts; /* of each line */
    size_t line_count, capacity;
};

/* What a file was when it was compiled.  */
struct sources_compiled {
    const unsigned char *hash; /* CCPROF_HASH_SIZE bytes; NULL: unknown */
    bool several;              /* not the same for all that was compiled */
};

struct sources {
    struct intern paths;
    struct sources_text *texts; /* by the path's number */
    size_t count, capacity;
    struct intern compiled_paths;
    struct sources_compiled *compiled; /* by the path's number there */
    size_t compiled_count, compiled_capacity;
};

/* Fills SOURCES, which sources_free frees, with what PROGRAM tells of its files; lives as
   long as that.  */
void sources_open(struct sources *sources, const struct program *program);

void sources_free(struct sources *sources);

/* The file of SOURCE, which has one.  A line on stderr, the first time, if it cannot be
   read or is not what was compiled.  Stays valid until the next call.  */
const struct sources_text *sources_get(struct sources *sources,
                                       const struct identity_source *source);

/* A line of a file as it is shown: tabs as blanks, control characters as \xHH; to be
   freed.  NULL if the file does not have it.  */
char *sources_line(const struct sources_text *text, uint32_t line);

#endif
