/* SPDX-License-Identifier: MIT */
/* Stores the words that find no room in a buffer in a file without a name, at its end,
   and reads them again.  The file is opened when the first words come.  The program may
   close its descriptor and open another file under the same number: then that file is
   left alone.  All functions are async-signal-safe.  */

#ifndef CCPROF_OVERFLOW_FILE_H
#define CCPROF_OVERFLOW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* All zeros is one without a file.  */
struct ccprof_overflow_file {
    bool open; /* fd is ours, as long as device and inode agree */
    int fd;
    dev_t device;
    ino_t inode;
};

/* Where they are kept: FOLDER (owned by the caller, lives on), or the usual folders
   for temporary files if that is not possible.  Before the first write.  */
void ccprof_overflow_file_place(const char *folder);

/* Whether there is a file and the program has left it alone.  */
bool ccprof_overflow_file_is_ours(const struct ccprof_overflow_file *file);

/* Writes COUNT words behind the first AT words.  Returns how many were written: 0 if
   there is no file to be had.  */
size_t ccprof_overflow_file_write(struct ccprof_overflow_file *file, const uint64_t *word,
                                  size_t count, uint64_t at);

/* Reads the COUNT words behind the first AT ones.  Returns false and sets errno if
   they are not there.  */
bool ccprof_overflow_file_read(const struct ccprof_overflow_file *file, uint64_t *word,
                               size_t count, uint64_t at);

void ccprof_overflow_file_close(struct ccprof_overflow_file *file);

#endif
