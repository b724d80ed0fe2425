/* SPDX-License-Identifier: MIT */
/* Opens, reads and closes files, and checks that a descriptor still refers to the same
   file.  Owns the name of the folder for overflow files.  Any thread may call these
   functions, and so may signal handlers.  The functions for one overflow log are
   called only by rt/samples/overflow.c: in the SIGPROF handler, and when the profile
   is written.  */

#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>

#include "rt/os/file.h"
#include "rt/os/lock.h"
#include "rt/os/sys.h"

#define FILE_STREAMS (STDERR_FILENO + 1)

/* If the program has closed some of its standard streams, opens "/" under their
   numbers.  Otherwise the next file opened would get such a number, to which another
   thread of the program may be writing.  With O_PATH, writes fail as if the streams
   were still closed.  Returns the number of descriptors opened; 0 if no other
   descriptor is free.  */
static unsigned file_occupy_streams(struct ccprof_file occupied[FILE_STREAMS])
{
    unsigned count = 0;
    int fd = -1;

    while (count < FILE_STREAMS) {
        fd = ccprof_sys_open(AT_FDCWD, "/", O_PATH | O_CLOEXEC, 0);
        if (fd < 0 || fd >= FILE_STREAMS)
            break;
        occupied[count++] = ccprof_file_at(fd);
    }
    if (fd >= FILE_STREAMS)
        ccprof_sys_close(fd);
    /* No descriptor is left for the file itself: close these descriptors, so that the
       file can have one of them.  */
    while (fd < 0 && count > 0)
        ccprof_file_close(&occupied[--count]);
    return count;
}

bool ccprof_file_open(struct ccprof_file *file, int folder, const char *path, int flags,
                      mode_t mode)
{
    struct ccprof_file occupied[FILE_STREAMS];
    unsigned count = file_occupy_streams(occupied);
    int fd = ccprof_sys_open(folder, path, flags | O_CLOEXEC, mode);
    int error = errno;

    *file = fd >= 0 ? ccprof_file_at(fd) : (struct ccprof_file){.fd = -1};
    while (count > 0)
        ccprof_file_close(&occupied[--count]);
    if (fd < 0)
        errno = error;
    return file->fd >= 0;
}

int ccprof_file_close(struct ccprof_file *file)
{
    int result = ccprof_file_is_open(file) ? ccprof_sys_close(file->fd) : -1;

    file->fd = -1;
    return result;
}

ssize_t ccprof_file_start(int folder, const char *path, int flags, void *to, size_t size)
{
    struct ccprof_file file;
    size_t done = 0;
    ssize_t got;

    if (!ccprof_file_open(&file, folder, path, flags, 0))
        return -1;
    do {
        got = ccprof_file_read(&file, (char *)to + done, size - done, (off_t)done);
        if (got > 0)
            done += (size_t)got;
    } while (got > 0 && done < size);
    ccprof_file_close(&file);
    return got < 0 && done == 0 ? -1 : (ssize_t)done;
}

static const char *overflow_file_folder;

void ccprof_overflow_file_place(const char *folder)
{
    overflow_file_folder = folder;
}

/* Returns the capacity of file NUMBER in words.  */
static uint64_t overflow_file_words(unsigned number)
{
    uint64_t words = CCPROF_OVERFLOW_FILE_FIRST << (number < 32 ? number : 32);
    return words < CCPROF_OVERFLOW_FILE_MOST ? words : CCPROF_OVERFLOW_FILE_MOST;
}

/* Allocates the file's space by writing zeros, for file systems that do not support
   fallocate.  */
static bool overflow_file_fill(int fd, uint64_t size)
{
    static const char zeros[1 << 12];
    uint64_t done = 0;

    while (done < size) {
        ssize_t n = ccprof_sys_pwrite(fd, zeros, sizeof zeros, (off_t)done);
        if (n <= 0)
            return false;
        done += (uint64_t)n;
    }
    return true;
}

static uint64_t *overflow_file_map(int fd, uint64_t size)
{
    long at;

    if (syscall(SYS_fallocate, fd, 0, (off_t)0, (off_t)size) != 0 &&
        (errno != EOPNOTSUPP || !overflow_file_fill(fd, size)))
        return NULL;
    at = syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return at == -1 ? NULL : (uint64_t *)at;
}

/* Closes FD only if it is still the file MADE: another thread may have closed the
   descriptor and opened its own file under the same number.  */
static void overflow_file_close_number(int fd, const struct stat *made)
{
    struct stat now;

    if (ccprof_sys_fstat(fd, &now) == 0 && now.st_dev == made->st_dev &&
        now.st_ino == made->st_ino)
        ccprof_sys_close(fd);
}

static uint64_t *overflow_file_make(uint64_t size)
{
    const int flags = O_TMPFILE | O_RDWR | O_CLOEXEC;
    const char *const folders[] = {overflow_file_folder, "/tmp", "/var/tmp"};
    uint64_t *map = NULL;

    for (unsigned i = 0; !map && i < sizeof folders / sizeof *folders; i++) {
        struct stat made;
        int fd = folders[i] ? ccprof_sys_open(AT_FDCWD, folders[i], flags, 0600) : -1;
        if (fd < 0 || ccprof_sys_fstat(fd, &made) != 0)
            continue;
        map = overflow_file_map(fd, size);
        overflow_file_close_number(fd, &made);
    }
    return map;
}

/* Makes files until their total capacity is WORDS words, or until that fails.  */
static void overflow_file_grow(struct ccprof_overflow_file *file, uint64_t words)
{
    while (file->size < words && file->count < CCPROF_OVERFLOW_FILES) {
        uint64_t more = overflow_file_words(file->count);
        uint64_t *map = overflow_file_make(more * sizeof *map);
        if (!map)
            break;
        file->map[file->count++] = map;
        file->size += more;
    }
}

/* Returns the address of word AT.  Sets *RUN to the number of words from there to the
   end of the same file.  */
static uint64_t *overflow_file_word(const struct ccprof_overflow_file *file, uint64_t at,
                                    uint64_t *run)
{
    unsigned number = 0;

    while (at >= overflow_file_words(number))
        at -= overflow_file_words(number++);
    *run = overflow_file_words(number) - at;
    return &file->map[number][at];
}

size_t ccprof_overflow_file_write(struct ccprof_overflow_file *file, const uint64_t *word,
                                  size_t count, uint64_t at)
{
    size_t done = 0;
    struct ccprof_blocked blocked;

    ccprof_blocked_begin(&blocked);
    ccprof_blocked_write(&blocked);
    overflow_file_grow(file, at + count);
    while (done < count && at + done < file->size) {
        uint64_t run, *to = overflow_file_word(file, at + done, &run);
        if (run > count - done)
            run = count - done;
        memcpy(to, word + done, run * sizeof *to);
        done += run;
    }
    ccprof_blocked_end(&blocked);
    return done;
}

bool ccprof_overflow_file_read(const struct ccprof_overflow_file *file, uint64_t *word,
                               size_t count, uint64_t at)
{
    if (at + count > file->size) {
        errno = EIO;
        return false;
    }
    for (size_t done = 0; done < count;) {
        uint64_t run, *from = overflow_file_word(file, at + done, &run);
        if (run > count - done)
            run = count - done;
        memcpy(word + done, from, run * sizeof *from);
        done += run;
    }
    return true;
}

void ccprof_overflow_file_close(struct ccprof_overflow_file *file)
{
    for (unsigned i = 0; i < file->count; i++)
        syscall(SYS_munmap, file->map[i], overflow_file_words(i) * sizeof **file->map);
    file->count = 0;
    file->size = 0;
}
