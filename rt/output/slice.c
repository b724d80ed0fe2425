/* SPDX-License-Identifier: MIT */
/* Owns the totals of earlier slices, and their number.

   Several processes may write slices into the same folder. A process searches the
   folder only while it has the folder locked. A file that has disappeared meanwhile
   counts as removed. */

#define _GNU_SOURCE
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <time.h>

#include "rt/output/slice.h"
#include "rt/format.h"
#include "rt/os/file.h"
#include "rt/os/memory.h"
#include "rt/os/sys.h"

/* Sums over all slices so far. */
static struct {
    uint64_t cpu, wall, waits, threads, interrupted, late, excess, uncounted;
    struct ccprof_heap_slice heap;
    int error; /* errno value of the last slice; 0: no error */
} slice;

/* Returns the difference, but never a negative one: the clocks of two processors
   differ a little, so a later reading may be lower. */
static uint64_t slice_difference(uint64_t all, uint64_t earlier)
{
    return all > earlier ? all - earlier : 0;
}

void ccprof_slice_totals(struct ccprof_mlmon *mlmon)
{
    mlmon->cpu = slice_difference(mlmon->cpu, slice.cpu);
    mlmon->wall = slice_difference(mlmon->wall, slice.wall);
    mlmon->waits = slice_difference(mlmon->waits, slice.waits);
    mlmon->threads = slice_difference(mlmon->threads, slice.threads);
    mlmon->interrupted = slice_difference(mlmon->interrupted, slice.interrupted);
    mlmon->late = slice_difference(mlmon->late, slice.late);
    mlmon->excess = slice_difference(mlmon->excess, slice.excess);
    mlmon->uncounted = slice_difference(mlmon->uncounted, slice.uncounted);
}

void ccprof_slice_done(const struct ccprof_mlmon *mlmon)
{
    slice.cpu += mlmon->cpu;
    slice.wall += mlmon->wall;
    slice.waits += mlmon->waits;
    slice.threads += mlmon->threads;
    slice.interrupted += mlmon->interrupted;
    slice.late += mlmon->late;
    slice.excess += mlmon->excess;
    slice.uncounted += mlmon->uncounted;
    slice.heap.number++;
    slice.error = 0;
    ccprof_heap_slice_written();
}

bool ccprof_slice_is_new_error(int error)
{
    bool is_new = slice.error != error;

    slice.error = error;
    return is_new;
}

void ccprof_slice_start(void)
{
    slice.cpu = slice.wall = slice.waits = slice.threads = 0;
    slice.interrupted = slice.late = slice.excess = slice.uncounted = 0;
    slice.error = 0;
    slice.heap = (struct ccprof_heap_slice){.process = (uint64_t)ccprof_sys_getpid(),
                                            .time = ccprof_sys_clock(CLOCK_REALTIME)};
    ccprof_heap_slice_written();
}

uint64_t ccprof_slice_epoch(void)
{
    return slice.heap.time;
}

const struct ccprof_heap_slice *ccprof_slice_heap(bool next)
{
    slice.heap.next = next;
    return &slice.heap;
}

#define FOLDER_ENDING     ".mlmon"
#define FOLDER_UNFINISHED ".tmp"

/* Number of digits of a time in nanoseconds since 1970, from 2001 to 2286. */
#define FOLDER_DIGITS 19

/* Age in seconds after which an unfinished file is no longer being written. */
#define FOLDER_STALE 3600

/* A file time that is more than this number of seconds in the future comes from a
   wrong clock. */
#define FOLDER_AHEAD 3600

/* Maximum number of files removed after one search of the folder, and maximum number
   of searches in one call. Later slices remove the remaining files. */
#define FOLDER_OLDEST   32
#define FOLDER_SEARCHES 4

#define FOLDER_NAME 256

/* A record of getdents64(2). */
struct folder_entry {
    uint64_t inode;
    int64_t next;
    unsigned short length;
    unsigned char type;
    char name[];
};

struct folder_file {
    /* The time in the file's name. If it is from a wrong clock, a low value, so that
       the file is removed first. */
    uint64_t time;
    uint64_t size; /* bytes on the disk */
    char name[FOLDER_NAME];
};

/* A search of the folder and its result. It has its own pages, since the thread's
   stack may be small. */
struct folder {
    int fd;
    const char *kept_name; /* name of a file that must not be removed */
    unsigned user;
    uint64_t now;
    uint64_t
        skipped_until; /* files up to this time could not be removed and are skipped */
    uint64_t skipped_bytes; /* bytes of the skipped files */
    _Alignas(8) char entries[8 << 10];
    struct folder_file oldest[FOLDER_OLDEST]; /* in ascending order of time */
    unsigned count;
    uint64_t sum; /* bytes of all files, without the skipped files */
};

static size_t folder_digits(const char *name, size_t end)
{
    size_t start = end;

    while (start > 0 && name[start - 1] >= '0' && name[start - 1] <= '9')
        start--;
    return end - start;
}

/* If the first END characters of NAME end with ENDING, returns the position of ENDING,
   otherwise 0. */
static size_t folder_ending_start(const char *name, size_t end, const char *ending)
{
    size_t length = strlen(ending);

    if (end <= length || memcmp(name + end - length, ending, length) != 0)
        return 0;
    return end - length;
}

/* If the first END characters of NAME end with a dot and digits, returns the position
   of the dot, otherwise 0. */
static size_t folder_number_start(const char *name, size_t end)
{
    size_t start = end - folder_digits(name, end);

    return start == end || start < 2 || name[start - 1] != '.' ? 0 : start - 1;
}

uint64_t ccprof_slice_file_time(const char *name, bool *unfinished)
{
    size_t end = strlen(name), before = folder_ending_start(name, end, FOLDER_UNFINISHED);
    uint64_t time = 0;

    *unfinished = before != 0;
    if (before && !(end = folder_number_start(name, before)))
        return 0;
    end = folder_ending_start(name, end, FOLDER_ENDING);
    before = end ? folder_number_start(name, end) : 0;
    if (before == 0 || end - before - 1 != FOLDER_DIGITS ||
        folder_number_start(name, before) == 0)
        return 0;
    for (size_t i = before + 1; i < end; i++)
        time = time * 10 + (uint64_t)(name[i] - '0');
    return time;
}

static void folder_insert(struct folder *folder, const char *name, uint64_t time,
                          uint64_t size)
{
    unsigned index = folder->count;

    if (time <= folder->skipped_until ||
        (index == FOLDER_OLDEST && folder->oldest[--index].time <= time))
        return;
    for (; index > 0 && folder->oldest[index - 1].time > time; index--)
        folder->oldest[index] = folder->oldest[index - 1];
    folder->oldest[index].time = time;
    folder->oldest[index].size = size;
    strcpy(folder->oldest[index].name, name);
    if (folder->count < FOLDER_OLDEST)
        folder->count++;
}

static uint64_t folder_larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Returns whether this process may remove the file: it belongs to the user, and it is
   finished or abandoned. */
static bool folder_may_remove(const struct folder *folder, const struct stat *status,
                              bool unfinished)
{
    if (!S_ISREG(status->st_mode) || (folder->user && folder->user != status->st_uid))
        return false;
    return !unfinished ||
           (uint64_t)status->st_mtim.tv_sec + FOLDER_STALE <= folder->now / 1000000000;
}

/* Adds the file if its name is the name of a data file. Its content is checked before
   it is removed. */
static void folder_add(struct folder *folder, const char *name)
{
    bool unfinished;
    uint64_t time = ccprof_slice_file_time(name, &unfinished), size;
    struct stat status;

    if (time == 0 || strlen(name) >= FOLDER_NAME ||
        syscall(SYS_newfstatat, folder->fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !folder_may_remove(folder, &status, unfinished))
        return;
    /* A file occupies whole blocks, even if it is very short. */
    size = folder_larger((uint64_t)status.st_size, (uint64_t)status.st_blocks * 512);
    if (time > folder->now + FOLDER_AHEAD * UINT64_C(1000000000))
        time = (time - folder->now) / 1000;
    folder->sum += size;
    if (strcmp(name, folder->kept_name) != 0)
        folder_insert(folder, name, time, size);
}

static bool folder_search(struct folder *folder)
{
    long got;

    folder->count = 0;
    folder->sum = 0;
    if (syscall(SYS_lseek, folder->fd, 0, SEEK_SET) != 0)
        return false;
    while ((got = syscall(SYS_getdents64, folder->fd, folder->entries,
                          sizeof folder->entries)) > 0)
        for (long offset = 0; offset < got;) {
            const struct folder_entry *entry = (const void *)(folder->entries + offset);
            folder_add(folder, entry->name);
            offset += entry->length;
        }
    folder->sum -=
        folder->skipped_bytes < folder->sum ? folder->skipped_bytes : folder->sum;
    return got == 0;
}

/* Returns whether the file starts like a data file, or is empty, which can happen
   after a power failure. */
static bool folder_is_data(int fd, const char *name)
{
    static const char magic[] = CCPROF_MLMON_MAGIC " ";
    char head[sizeof magic - 1];
    const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    ssize_t size = ccprof_file_start(fd, name, flags, head, sizeof head);

    return size == 0 ||
           (size == (ssize_t)sizeof head && memcmp(head, magic, sizeof head) == 0);
}

/* Removes the file and returns true. If that fails, the file is skipped from now on. */
static bool folder_remove(struct folder *folder, const struct folder_file *file)
{
    bool removed = folder_is_data(folder->fd, file->name) &&
                   syscall(SYS_unlinkat, folder->fd, file->name, 0) == 0;

    folder->sum -= file->size;
    if (!removed) {
        folder->skipped_bytes += file->size;
        folder->skipped_until = file->time;
    }
    return removed;
}

static bool folder_limit(struct folder *folder, uint64_t most)
{
    bool any = false;

    for (int search = 0; search < FOLDER_SEARCHES; search++) {
        if (!folder_search(folder) || folder->count == 0)
            break;
        for (unsigned i = 0; i < folder->count && folder->sum > most; i++)
            any |= folder_remove(folder, &folder->oldest[i]);
        if (folder->sum <= most)
            break;
    }
    return any;
}

/* Unlocks the folder explicitly: the child of a fork may have a copy of the
   descriptor, which would keep the lock. */
bool ccprof_slice_limit_folder(const char *path, const char *kept_name, uint64_t most)
{
    struct ccprof_file file;
    bool there = ccprof_file_open(&file, AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);
    struct folder *folder = there ? ccprof_pages_map(sizeof *folder) : NULL;
    bool any = false;

    if (folder && syscall(SYS_flock, file.fd, LOCK_EX | LOCK_NB) == 0) {
        folder->fd = file.fd;
        folder->kept_name = kept_name;
        folder->user = (unsigned)syscall(SYS_geteuid);
        folder->now = ccprof_sys_clock(CLOCK_REALTIME);
        any = folder_limit(folder, most);
        syscall(SYS_flock, file.fd, LOCK_UN);
    }
    if (folder)
        munmap(folder, sizeof *folder);
    if (there)
        ccprof_file_close(&file);
    return any;
}
