/* SPDX-License-Identifier: MIT */
/* The files of the overflow log (overflow.h) hold the words that do not fit in the
   buffer of a shard. They are unnamed temporary files. The program may close any
   descriptor and may count its descriptors, so the runtime keeps none open: it maps
   each file and closes the descriptor at once. A mapped file cannot grow, so a shard
   has a list of files, each larger than the previous one. The space of a file is
   allocated before it is mapped: a full disk is then an error of the write and never a
   SIGBUS.

   Owns the name of the folder of these files. The start of the run (run.h) sets the
   folder. The overflow log (overflow.c) calls the other functions in the SIGPROF
   handler, and when the profile is written. All functions are async-signal-safe. */

#ifndef CCPROF_OVERFLOW_FILE_H
#define CCPROF_OVERFLOW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The capacity of the first file is FIRST words. Each later file is twice as large as
   the previous one, at most MOST words. All files together have 2 GB. */
#define CCPROF_OVERFLOW_FILE_FIRST ((uint64_t)1 << 17)
#define CCPROF_OVERFLOW_FILE_MOST  ((uint64_t)1 << 23)
#define CCPROF_OVERFLOW_FILES      38

/* The files of a shard. A struct of zeros is an empty list. Owns the mappings. */
struct ccprof_overflow_file {
    unsigned count;
    uint64_t size; /* capacity of all files in words */
    uint64_t *map[CCPROF_OVERFLOW_FILES];
};

/* Sets the folder of these files. The caller keeps FOLDER valid. If no file can be
   made in this folder, /tmp and /var/tmp are tried. Call this before the first write. */
void ccprof_overflow_file_place(const char *folder);

/* Writes COUNT words at POSITION (in words). Returns the number of words written,
   which is less than COUNT if no further file can be made. */
size_t ccprof_overflow_file_write(struct ccprof_overflow_file *file, const uint64_t *word,
                                  size_t count, uint64_t position);

/* Reads COUNT words from POSITION (in words). Returns false and sets errno if this
   is beyond the files' capacity. */
bool ccprof_overflow_file_read(const struct ccprof_overflow_file *file, uint64_t *word,
                               size_t count, uint64_t position);

/* Removes the files. */
void ccprof_overflow_file_close(struct ccprof_overflow_file *file);

#endif
