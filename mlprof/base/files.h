/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens, reads and writes whole files, compresses them, and puts files that are not C
   into the program.  */

#ifndef MLPROF_FILES_H
#define MLPROF_FILES_H

#include "mlprof/base/fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of a file that the user has not named: its name comes from a table, a data
   file or a folder.  */
enum regular_state {
    REGULAR_IS,     /* a regular file, which is open */
    REGULAR_CANNOT, /* the file cannot be opened; errno says why */
    REGULAR_FOLDER,
    REGULAR_OTHER, /* a pipe, a device, a socket: opening it may have effects */
    /* A file without bytes.  The kernel's own files have no size, and some of them never
       end, or lose what is read.  */
    REGULAR_EMPTY,
};

struct regular {
    int descriptor; /* the caller closes it */
    uint64_t size;
};

/* Opens the file at PATH for reading, without waiting for anything.  FILE is set if it is
   a regular file with a size; otherwise nothing is open.  */
enum regular_state regular_open(const char *path, struct regular *file);

/* The description of STATE, which is not REGULAR_IS; valid until the next text of
   errno.  */
const char *regular_describe(enum regular_state state);

/* The content of the file at PATH, which the user has named, with a NUL behind it; to be
   freed.  NULL and FAULT if it cannot be read.  If START is not NULL and the file does
   not begin with START, or if it has a NUL, only a part is read: it is not what the
   caller looks for, and may be endless.  */
char *content_read(const char *path, const char *start, size_t *size,
                   struct fault *fault);

/* Like content_read, for a file that the user has not named: at most the first MOST
   bytes, and only of a regular file.  FAULT_FORMAT if it is no regular file.  */
char *content_read_found(const char *path, const char *start, size_t most, size_t *size,
                         struct fault *fault);

/* Like content_read, for a regular FILE that is open, of which as much as its size is
   read.  FILE is closed.  */
char *content_read_regular(const struct regular *file, const char *path,
                           const char *start, size_t *size, struct fault *fault);

/* Whether PATH is `-', which means standard output.  */
bool save_is_output(const char *path);

/* Writes SIZE bytes of TEXT to the file at PATH, which the user has named: a symbolic
   link is followed, and a pipe or a device is written to.  False and FAULT if that is not
   possible.  */
bool save_file(const char *path, const char *text, size_t size, struct fault *fault);

/* Writes SIZE bytes of TEXT to the file at PATH, whose last component mlprof has made up.
   Somebody else may have put a symbolic link there, so the text goes to a new file in the
   same folder, which is renamed to PATH.  A regular file at PATH is replaced; its owner
   and its permissions are kept.  False and FAULT if anything else is there, or if the
   file cannot be written; nothing has changed then.  */
bool save_made_up(const char *path, const char *text, size_t size, struct fault *fault);

/* Whether a file is to be compressed: PATH ends in .gz.  */
bool gzip_is_wanted(const char *path);

/* SIZE bytes of TEXT, compressed; to be freed.  *LENGTH is set to their number.  */
char *gzip_compress(const char *text, size_t size, size_t *length);

/* Puts FILE into the program.  Defines the symbols NAME, a text that ends in a NUL, and
   NAME_end, its NUL.  The assembler looks for FILE below the top of the sources and below
   the build folder.  mlprof.mk lists the modules that use this in MLPROF_EMBEDS.  */
#define EMBED(name, file)                                                                \
    __asm__(".pushsection .rodata\n"                                                     \
            ".globl " name "\n" name ":\n.incbin \"" file "\"\n"                         \
            ".globl " name "_end\n" name "_end:\n.byte 0\n"                              \
            ".popsection\n")

#endif
