/* SPDX-License-Identifier: MIT */
/* Owns nothing.  time: anybody; bound: where files are written, handlers included.

   Several processes have files in the folder: one thread of one of them at a time, which
   has locked it, looks through it.  A file that is gone by then is as well removed.  */

#define _GNU_SOURCE
#include <dirent.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/mman.h>

#include "rt/process/folder.h"
#include "rt/format.h"
#include "rt/os/pages.h"
#include "rt/os/sys.h"

#define FOLDER_ENDING     ".mlmon"
#define FOLDER_UNFINISHED ".tmp"

/* Digits of the time, in nanoseconds since 1970, from 2001 to 2286.  */
#define FOLDER_DIGITS 19

/* Seconds after which nobody is still writing a file.  */
#define FOLDER_STALE 3600

/* A file of so many seconds ahead was written by a clock that was wrong.  */
#define FOLDER_AHEAD 3600

/* So many are removed after each look through the folder; what is too much then goes with
   the next slices.  */
#define FOLDER_OLDEST 32
#define FOLDER_LOOKS  4

#define FOLDER_NAME 256

/* What the kernel writes (getdents64(2)).  */
struct folder_entry {
    uint64_t inode;
    int64_t next;
    unsigned short length;
    unsigned char type;
    char name[];
};

struct folder_file {
    uint64_t time; /* when it was written; less than of all others if nobody knows */
    uint64_t size; /* bytes that it takes */
    char name[FOLDER_NAME];
};

/* What a look has found.  The thread's stack may be small: pages of its own.  */
struct folder {
    int fd;
    const char *written; /* stays */
    unsigned user;
    uint64_t now;
    uint64_t after;  /* up to this time all that are there are others, */
    uint64_t others; /* which have so many bytes */
    _Alignas(8) char entries[8 << 10];
    struct folder_file oldest[FOLDER_OLDEST]; /* in ascending order */
    unsigned count;
    uint64_t sum; /* bytes of all */
};

static size_t folder_digits(const char *name, size_t end)
{
    size_t start = end;

    while (start > 0 && name[start - 1] >= '0' && name[start - 1] <= '9')
        start--;
    return end - start;
}

/* Where the ending begins, if the first END characters have it; 0: they do not.  */
static size_t folder_before(const char *name, size_t end, const char *ending)
{
    size_t length = strlen(ending);

    if (end <= length || memcmp(name + end - length, ending, length) != 0)
        return 0;
    return end - length;
}

/* Where the digits with a dot before them begin, that dot; 0: there are none.  */
static size_t folder_before_number(const char *name, size_t end)
{
    size_t start = end - folder_digits(name, end);

    return start == end || start < 2 || name[start - 1] != '.' ? 0 : start - 1;
}

uint64_t ccprof_folder_time(const char *name, bool *unfinished)
{
    size_t end = strlen(name), before = folder_before(name, end, FOLDER_UNFINISHED);
    uint64_t time = 0;

    *unfinished = before != 0;
    if (before && !(end = folder_before_number(name, before)))
        return 0;
    end = folder_before(name, end, FOLDER_ENDING);
    before = end ? folder_before_number(name, end) : 0;
    if (before == 0 || end - before - 1 != FOLDER_DIGITS ||
        folder_before_number(name, before) == 0)
        return 0;
    for (size_t i = before + 1; i < end; i++)
        time = time * 10 + (uint64_t)(name[i] - '0');
    return time;
}

static void folder_put(struct folder *folder, const char *name, uint64_t time,
                       uint64_t size)
{
    unsigned at = folder->count;

    if (time <= folder->after ||
        (at == FOLDER_OLDEST && folder->oldest[--at].time <= time))
        return;
    for (; at > 0 && folder->oldest[at - 1].time > time; at--)
        folder->oldest[at] = folder->oldest[at - 1];
    folder->oldest[at].time = time;
    folder->oldest[at].size = size;
    strcpy(folder->oldest[at].name, name);
    if (folder->count < FOLDER_OLDEST)
        folder->count++;
}

static uint64_t folder_more(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Whether this process may remove it, and whether it is finished or nobody's any more. */
static bool folder_is_ours(const struct folder *folder, const struct stat *status,
                           bool unfinished)
{
    if (!S_ISREG(status->st_mode) || (folder->user && folder->user != status->st_uid))
        return false;
    return !unfinished ||
           (uint64_t)status->st_mtim.tv_sec + FOLDER_STALE <= folder->now / 1000000000;
}

/* The name tells that it is a data file; it is looked at before it is removed.  */
static void folder_see(struct folder *folder, const char *name)
{
    bool unfinished;
    uint64_t time = ccprof_folder_time(name, &unfinished), size;
    struct stat status;

    if (time == 0 || strlen(name) >= FOLDER_NAME ||
        syscall(SYS_newfstatat, folder->fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !folder_is_ours(folder, &status, unfinished))
        return;
    /* It may be as long as a line and take a page.  */
    size = folder_more((uint64_t)status.st_size, (uint64_t)status.st_blocks * 512);
    if (time > folder->now + FOLDER_AHEAD * UINT64_C(1000000000))
        time = (time - folder->now) / 1000;
    folder->sum += size;
    if (strcmp(name, folder->written) != 0)
        folder_put(folder, name, time, size);
}

static bool folder_look(struct folder *folder)
{
    long got;

    folder->count = 0;
    folder->sum = 0;
    if (syscall(SYS_lseek, folder->fd, 0, SEEK_SET) != 0)
        return false;
    while ((got = syscall(SYS_getdents64, folder->fd, folder->entries,
                          sizeof folder->entries)) > 0)
        for (long at = 0; at < got;) {
            const struct folder_entry *entry = (const void *)(folder->entries + at);
            folder_see(folder, entry->name);
            at += entry->length;
        }
    folder->sum -= folder->others < folder->sum ? folder->others : folder->sum;
    return got == 0;
}

/* Its first line tells that it is a data file.  Where the power failed there is a file of
   that name with nothing in it.  */
static bool folder_is_data(int fd, const char *name)
{
    static const char magic[] = CCPROF_MLMON_MAGIC " ";
    char head[sizeof magic - 1];
    ssize_t size;
    int file;

    file = ccprof_sys_open(fd, name,
                           O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
    if (file < 0)
        return false;
    size = ccprof_sys_pread(file, head, sizeof head, 0);
    ccprof_sys_close(file);
    return size == 0 ||
           (size == (ssize_t)sizeof head && memcmp(head, magic, sizeof head) == 0);
}

/* Returns whether it was removed; if not, it is one of the others.  */
static bool folder_remove(struct folder *folder, const struct folder_file *file)
{
    bool removed = folder_is_data(folder->fd, file->name) &&
                   syscall(SYS_unlinkat, folder->fd, file->name, 0) == 0;

    folder->sum -= file->size;
    if (!removed) {
        folder->others += file->size;
        folder->after = file->time;
    }
    return removed;
}

static bool folder_bound(struct folder *folder, uint64_t most)
{
    bool any = false;

    for (int look = 0; look < FOLDER_LOOKS; look++) {
        if (!folder_look(folder) || folder->count == 0)
            break;
        for (unsigned i = 0; i < folder->count && folder->sum > most; i++)
            any |= folder_remove(folder, &folder->oldest[i]);
        if (folder->sum <= most)
            break;
    }
    return any;
}

/* The child of a fork may have the descriptor, too: the lock would be its own.  */
bool ccprof_folder_bound(const char *path, const char *written, uint64_t most)
{
    int fd = ccprof_sys_open(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    struct folder *folder = fd < 0 ? NULL : ccprof_pages_map(sizeof *folder);
    bool any = false;

    if (folder && syscall(SYS_flock, fd, LOCK_EX | LOCK_NB) == 0) {
        folder->fd = fd;
        folder->written = written;
        folder->user = (unsigned)syscall(SYS_geteuid);
        folder->now = ccprof_sys_clock(CLOCK_REALTIME);
        any = folder_bound(folder, most);
        syscall(SYS_flock, fd, LOCK_UN);
    }
    if (folder)
        munmap(folder, sizeof *folder);
    if (fd >= 0)
        ccprof_sys_close(fd);
    return any;
}
