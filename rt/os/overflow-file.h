/* SPDX-License-Identifier: MIT */
/* Appends words that find no room in a buffer to a file without a name, and reads them
   again, for the overflow log.  The first write opens the file.  If the program closes
   the file's descriptor and opens another file under the same number, the program's file
   is left alone.  All functions are async-signal-safe.  */

#ifndef CCPROF_OVERFLOW_FILE_H
#define CCPROF_OVERFLOW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A file of zeros has not been opened.  */
struct ccprof_overflow_file {
    bool open; /* fd is ours while its device and inode are these */
    int fd;
    dev_t device;
    ino_t inode;
};

/* Tells where the files are made: in FOLDER, which the caller owns and keeps, or in the
   usual folders for temporary files if FOLDER refuses.  Call this before the first
   write.  */
void ccprof_overflow_file_place(const char *folder);

/* Returns whether the file is open and the program has left its descriptor alone.  */
bool ccprof_overflow_file_is_ours(const struct ccprof_overflow_file *file);

/* Writes COUNT words behind the first AT words.  Returns how many words were written: 0
   if no file can be opened.  */
size_t ccprof_overflow_file_write(struct ccprof_overflow_file *file, const uint64_t *word,
                                  size_t count, uint64_t at);

/* Reads the COUNT words behind the first AT words.  Returns false, with errno set, if the
   file has fewer.  */
bool ccprof_overflow_file_read(const struct ccprof_overflow_file *file, uint64_t *word,
                               size_t count, uint64_t at);

void ccprof_overflow_file_close(struct ccprof_overflow_file *file);

#endif
