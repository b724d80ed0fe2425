/* SPDX-License-Identifier: MIT */
/* Makes and maps the files of the overflow log, and copies words to and from them. */

#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "rt/samples/overflow-file.h"
#include "rt/os/lock.h"
#include "rt/os/sys.h"

static const char *overflow_file_folder;

void ccprof_overflow_file_place(const char *folder)
{
    overflow_file_folder = folder;
}

/* Returns the capacity of file NUMBER in words. */
static uint64_t overflow_file_words(unsigned number)
{
    uint64_t words = CCPROF_OVERFLOW_FILE_FIRST << (number < 32 ? number : 32);
    return words < CCPROF_OVERFLOW_FILE_MOST ? words : CCPROF_OVERFLOW_FILE_MOST;
}

/* Allocates the file's space by writing zeros, for file systems that do not support
   fallocate. */
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
    long address;

    if (syscall(SYS_fallocate, fd, 0, (off_t)0, (off_t)size) != 0 &&
        (errno != EOPNOTSUPP || !overflow_file_fill(fd, size)))
        return NULL;
    address = syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return address == -1 ? NULL : (uint64_t *)address;
}

/* Closes FD only if it is still the file MADE: another thread may have closed the
   descriptor and opened its own file under the same number. */
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

/* Makes files until their total capacity is WORDS words, or until that fails. */
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

/* Returns the address of the word at POSITION. Sets *RUN to the number of words from
   there to the end of the same file. */
static uint64_t *overflow_file_word(const struct ccprof_overflow_file *file,
                                    uint64_t position, uint64_t *run)
{
    unsigned number = 0;

    while (position >= overflow_file_words(number))
        position -= overflow_file_words(number++);
    *run = overflow_file_words(number) - position;
    return &file->map[number][position];
}

size_t ccprof_overflow_file_write(struct ccprof_overflow_file *file, const uint64_t *word,
                                  size_t count, uint64_t position)
{
    size_t done = 0;
    struct ccprof_blocked blocked;

    ccprof_blocked_begin(&blocked);
    ccprof_blocked_write(&blocked);
    overflow_file_grow(file, position + count);
    while (done < count && position + done < file->size) {
        uint64_t run, *to = overflow_file_word(file, position + done, &run);
        if (run > count - done)
            run = count - done;
        memcpy(to, word + done, run * sizeof *to);
        done += run;
    }
    ccprof_blocked_end(&blocked);
    return done;
}

bool ccprof_overflow_file_read(const struct ccprof_overflow_file *file, uint64_t *word,
                               size_t count, uint64_t position)
{
    if (position + count > file->size) {
        errno = EIO;
        return false;
    }
    for (size_t done = 0; done < count;) {
        uint64_t run, *from = overflow_file_word(file, position + done, &run);
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
