/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads source files by the names in the tables, each once, for the listing, the page and
   exports; warns of each once.  The text is shown if its MD5 is that of the file that was
   compiled, or if the user allows it (base/path.h).  */

#ifndef MLPROF_SOURCE_FILES_H
#define MLPROF_SOURCE_FILES_H

#include "mlprof/base/path.h"
#include "mlprof/stacks/stacks.h"

/* A source file.  If it cannot be read or must not be shown, it has no text.  */
struct source_files_text {
    char *text;
    char *withheld; /* path of a file that must not be shown; NULL: there is none */
    size_t size;
    size_t *starts; /* by line: where it starts */
    size_t line_count, capacity;
};

/* A file as it was when it was compiled.  */
struct source_files_compiled {
    bool known; /* the hash is */
    unsigned char hash[CCPROF_HASH_SIZE];
    bool several; /* compilations have seen different contents */
};

struct source_files {
    const struct source_paths *where;
    struct intern paths;
    struct source_files_text *texts; /* by number of the path */
    size_t count, capacity;
    struct intern compiled_paths;
    struct source_files_compiled *compiled; /* by number of the path in COMPILED_PATHS */
    size_t compiled_count, compiled_capacity;
    uint64_t read; /* bytes of all files */
};

/* Fills FILES, which source_files_free frees, with what PROGRAM tells of its files, and
   WHERE of those that have moved; lives as long as WHERE.  */
void source_files_open(struct source_files *files, const struct program *program,
                       const struct source_paths *where);

/* Adds what PROGRAM tells to FILES, which may be all zero but for WHERE.  */
void source_files_add(struct source_files *files, const struct program *program);

void source_files_free(struct source_files *files);

/* The file of SOURCE, whose file must be known.  The first time, prints a line on stderr
   if the file cannot be read, or is not known to be what was compiled.  Valid until the
   next call.  */
const struct source_files_text *source_files_get(struct source_files *files,
                                                 const struct identity_source *source);

/* A line as it is shown, to be freed: tabs become blanks, control characters \xHH.  NULL
   if the file has no such line.  */
char *source_files_line(const struct source_files_text *text, uint32_t line);

/* The indentation that is removed from source text if a terminal has no room for it:
   first what all lines of a piece have; then, if lines still do not fit and only tabs
   indent, half of each tab.  All zero: nothing is removed.  */
struct indentation {
    size_t common; /* columns that all lines have in front */
    bool narrow;   /* tabs are half as wide */
};

/* The indentation to be removed from the lines FIRST to LAST of TEXT, as far as they
   exist, on a terminal with ROOM columns for a line.  */
struct indentation source_files_indentation(const struct source_files_text *text,
                                            uint32_t first, uint32_t last, size_t room);

/* The line (source_files_line) without this indentation; to be freed.  NULL if there is
   no such line.  */
char *source_files_indented(const struct indentation *indentation,
                            const struct source_files_text *text, uint32_t line);

#endif
