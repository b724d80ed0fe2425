/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads source files by the names in the tables, each once, for the listing, the page and
   exports, and warns of each once.  Their text is shown if they are what was compiled, by
   their MD5, or if the user allows it (source-paths.h).  */

#ifndef MLPROF_SOURCE_FILES_H
#define MLPROF_SOURCE_FILES_H

#include "mlprof/base/source-paths.h"
#include "mlprof/stacks/stacks.h"

/* A source file; one that cannot be read, or is not to be shown, has no text.  */
struct source_files_text {
    char *text;
    char *withheld; /* where the file is that is not shown; NULL: there is none */
    size_t size;
    size_t *starts; /* of each line */
    size_t line_count, capacity;
};

/* A file as it was when it was compiled.  */
struct source_files_compiled {
    const unsigned char *hash; /* CCPROF_HASH_SIZE bytes; NULL: unknown */
    bool several;              /* not the same for all that was compiled */
};

struct source_files {
    const struct source_paths *where;
    struct intern paths;
    struct source_files_text *texts; /* by the path's number */
    size_t count, capacity;
    struct intern compiled_paths;
    struct source_files_compiled *compiled; /* by the path's number there */
    size_t compiled_count, compiled_capacity;
    uint64_t read; /* bytes of all files */
};

/* Fills FILES, which source_files_free frees, with what PROGRAM tells of its files, and
   WHERE of those that have moved; lives as long as these.  */
void source_files_open(struct source_files *files, const struct program *program,
                       const struct source_paths *where);

void source_files_free(struct source_files *files);

/* The file of SOURCE, which has one.  A line on stderr, the first time, if it cannot be
   read or is not known to be what was compiled.  Stays valid until the next call.  */
const struct source_files_text *source_files_get(struct source_files *files,
                                                 const struct identity_source *source);

/* A line of a file as it is shown: tabs as blanks, control characters as \xHH; to be
   freed.  NULL if the file does not have it.  */
char *source_files_line(const struct source_files_text *text, uint32_t line);

#endif
