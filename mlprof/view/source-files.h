/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads source files by their names in the tables, for the listing, the page and
   exports. Reads each file once, and warns about it at most once. The text is shown
   if its MD5 is that of the compiled file, or if the user allows it (base/path.h). */

#ifndef MLPROF_SOURCE_FILES_H
#define MLPROF_SOURCE_FILES_H

#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/stacks/stacks.h"

/* A source file. Its text is NULL if the file cannot be read or must not be shown. */
struct source_files_text {
    char *text;
    char *withheld; /* path of a file that must not be shown, or NULL */
    size_t size;
    size_t *starts; /* offset of each line */
    size_t line_count, capacity;
};

/* The content of a file when it was compiled. */
struct source_files_compiled {
    bool known; /* HASH is known */
    unsigned char hash[CCPROF_HASH_SIZE];
    bool several; /* compilations saw different contents */
};

struct source_files {
    const struct source_paths *where;
    struct intern paths;
    struct source_files_text *texts; /* indexed by number of the path in PATHS */
    size_t count, capacity;
    struct intern compiled_paths;
    /* By number of the path in COMPILED_PATHS. */
    BUF_VECTOR(struct source_files_compiled) compiled;
    uint64_t read; /* total size of the files read, in bytes */
};

/* Fills FILES with the hashes of PROGRAM's source files. WHERE says which source
   files have moved, and must live as long as FILES. source_files_free frees FILES. */
void source_files_open(struct source_files *files, const struct program *program,
                       const struct source_paths *where);

/* Adds the hashes of PROGRAM's source files to FILES. FILES may be all zero except
   for WHERE. */
void source_files_add(struct source_files *files, const struct program *program);

void source_files_free(struct source_files *files);

/* Returns the file with the path PATH (mlprof/base/sourcefile.h). On the first call
   for a file, prints a line on stderr if the file cannot be read, or if it may
   differ from the compiled file. The result is valid until the next call. */
const struct source_files_text *source_files_get(struct source_files *files,
                                                 const char *path);

/* Returns a line as it is shown: tabs become blanks, control characters \xHH. The
   caller frees it. Returns NULL if the file has no such line. */
char *source_files_line(const struct source_files_text *text, uint32_t line);

/* The indentation that is removed from source lines if the terminal is too narrow.
   First the common indentation of the lines is removed. If lines are still too long
   and only tabs indent, each tab becomes half as wide. All zero: nothing is removed. */
struct indentation {
    size_t common; /* columns of indentation common to all lines */
    bool narrow;   /* tabs are half as wide */
};

/* Returns the indentation to remove from lines FIRST to LAST of TEXT on a terminal
   with ROOM columns for a line. Lines that do not exist are ignored. */
struct indentation source_files_indentation(const struct source_files_text *text,
                                            uint32_t first, uint32_t last, size_t room);

/* Returns a line like source_files_line, but without INDENTATION. The caller frees
   the text. Returns NULL if there is no such line. */
char *source_files_indented(const struct indentation *indentation,
                            const struct source_files_text *text, uint32_t line);

#endif
