/* SPDX-License-Identifier: MIT */
/* Keeps words that find no room in a buffer in files without a name, for the overflow
   log. The program may close any descriptor and may count them, so the process owns none:
   each file is mapped and its descriptor closed at once.  A mapped file cannot grow, so a
   log is a list of files, each larger than the one before.  The space of a file is
   allocated before it is mapped, so a full disk is an error of write and never a SIGBUS.
   All functions are async-signal-safe.  */

#ifndef CCPROF_OVERFLOW_FILE_H
#define CCPROF_OVERFLOW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first file has this many words, each of the next ones twice as many, up to the
   most; all files together have 2 GB.  */
#define CCPROF_OVERFLOW_FILE_FIRST ((uint64_t)1 << 17)
#define CCPROF_OVERFLOW_FILE_MOST  ((uint64_t)1 << 23)
#define CCPROF_OVERFLOW_FILES      38

/* The files of a log.  All zeros is an empty list.  The mappings belong to it.  */
struct ccprof_overflow_file {
    unsigned count;
    uint64_t size; /* words that the files have room for */
    uint64_t *map[CCPROF_OVERFLOW_FILES];
};

/* Tells where the files are made: in FOLDER, which the caller owns and keeps, or in the
   usual folders for temporary files if FOLDER refuses.  Call this before the first
   write.  */
void ccprof_overflow_file_place(const char *folder);

/* Writes COUNT words behind the first AT words.  Returns how many words were written:
   fewer if no further file can be made.  */
size_t ccprof_overflow_file_write(struct ccprof_overflow_file *file, const uint64_t *word,
                                  size_t count, uint64_t at);

/* Reads the COUNT words behind the first AT words.  Returns false, with errno set, if the
   files have no room for so many.  */
bool ccprof_overflow_file_read(const struct ccprof_overflow_file *file, uint64_t *word,
                               size_t count, uint64_t at);

/* Removes the files.  */
void ccprof_overflow_file_close(struct ccprof_overflow_file *file);

#endif
