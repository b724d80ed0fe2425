/* SPDX-License-Identifier: MIT */
/* Opens data files and gives them their names. Owns the name of the temporary file,
   the identity of earlier files, and the new name of another program's profile.
   Called by mlmon.c and write.c in any thread, also in handlers of fatal signals. The
   constructor and the child of a fork call start. */

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "rt/output/datafile.h"
#include "rt/format.h"
#include "rt/os/file.h"
#include "rt/os/proc.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"

/* Number of attempts to find a name for the temporary file. */
#define OPEN_TRIES 4

/* Static, since the thread's stack may be small. Only one thread writes at a time. */
static char temporary_name[PATH_MAX];

static int open_name(const char *path, uint64_t number)
{
    struct ccprof_text text;

    ccprof_text_open(&text, temporary_name, sizeof temporary_name, NULL);
    ccprof_text_string(&text, path);
    ccprof_text_char(&text, '.');
    ccprof_text_decimal(&text, number);
    ccprof_text_string(&text, ".tmp");
    return ccprof_text_end(&text);
}

/* Empties a new file: if its descriptor has the number of a standard stream that the
   program closed, other threads may have written to it. A file that is already empty
   is not truncated, since ext4 waits for the disk when a truncated file is closed. */
static void open_truncate(const struct ccprof_file *file)
{
    struct stat status;

    if (ccprof_sys_fstat(file->fd, &status) == 0 && status.st_size == 0)
        return;
    syscall(SYS_ftruncate, file->fd, 0);
    syscall(SYS_lseek, file->fd, 0, SEEK_SET);
}

/* Opens a new temporary file. If a file with this name exists, a killed process with
   the same number left it, and it is removed. If it cannot be removed, later attempts
   use the time in the name instead of the process number. Fails if a file with the
   name exists at each attempt. */
static bool open_new(struct ccprof_file *file, const char *path, const char **wrong)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL;
    uint64_t number = (uint64_t)ccprof_sys_getpid();

    for (int try = 0; try < OPEN_TRIES; try++) {
        errno = open_name(path, number);
        if (errno)
            return false;
        if (ccprof_file_open(file, AT_FDCWD, temporary_name, flags, 0666)) {
            open_truncate(file);
            return true;
        }
        if (errno != EEXIST)
            return false;
        if (ccprof_sys_unlink(temporary_name) != 0)
            number = ccprof_sys_clock(CLOCK_REALTIME);
        errno = EEXIST;
    }
    *wrong = temporary_name;
    return false;
}

/* Returns 0 if a file may replace the symbolic link, otherwise an errno value. A link
   into /proc, such as /dev/stdout, may not be replaced: it refers to a file that the
   process has open. */
static int open_check_link(const char *path)
{
    static const char proc[] = "/proc/";
    char to[sizeof proc - 1];
    struct stat there;
    ssize_t length = ccprof_sys_readlink(path, to, sizeof to);

    if (length == sizeof to && memcmp(to, proc, sizeof to) == 0)
        return CCPROF_DATAFILE_REFUSED;
    if (ccprof_sys_stat(path, &there) != 0 || S_ISREG(there.st_mode))
        return 0;
    return S_ISDIR(there.st_mode) ? EISDIR : CCPROF_DATAFILE_REFUSED;
}

/* Returns whether the file is a pipe of this user or of root. If the pipe belonged to
   another user, that user could read the profile. */
static bool open_is_pipe(const struct stat *status)
{
    return S_ISFIFO(status->st_mode) &&
           (status->st_uid == 0 || status->st_uid == (uid_t)syscall(SYS_geteuid));
}

/* Opens PATH, which was a pipe, and checks that the opened file is still a pipe. */
static bool open_pipe(struct ccprof_file *file, const char *path)
{
    const int flags = O_WRONLY | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW;
    struct stat status;

    if (!ccprof_file_open(file, AT_FDCWD, path, flags, 0))
        return false;
    if (ccprof_sys_fstat(file->fd, &status) != 0 || !open_is_pipe(&status)) {
        ccprof_file_close(file);
        errno = CCPROF_DATAFILE_REFUSED;
        return false;
    }
    ccprof_sys_fcntl(file->fd, F_SETFL, 0);
    return true;
}

/* Returns 0 if a file may replace the file at PATH, otherwise an errno value. */
static int open_check(const char *path, const struct stat *there)
{
    switch (there->st_mode & S_IFMT) {
    case S_IFREG:
        return 0;
    case S_IFLNK:
        return open_check_link(path);
    case S_IFDIR:
        return EISDIR;
    default:
        return CCPROF_DATAFILE_REFUSED;
    }
}

bool ccprof_datafile_open(struct ccprof_file *file, const char *path,
                          const char **temporary, const char **wrong)
{
    struct stat there;

    *temporary = NULL;
    *wrong = path;
    if (syscall(SYS_newfstatat, AT_FDCWD, path, &there, AT_SYMLINK_NOFOLLOW) == 0) {
        if (open_is_pipe(&there))
            return open_pipe(file, path);
        errno = open_check(path, &there);
        if (errno)
            return false;
    }
    *temporary = temporary_name;
    return open_new(file, path, wrong);
}

#define SECOND UINT64_C(1000000000)

static struct {
    uint64_t start, boot; /* start of the process on two clocks */
    struct {
        uint64_t name;    /* hash of the name */
        struct stat file; /* inode 0: no such file existed */
    } there[2];
    struct stat last_written; /* file written last; inode 0: none */
} owner;

/* FNV-1a. */
static uint64_t owner_hash(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return hash;
}

void ccprof_datafile_remember(const char *path, const char *aside)
{
    const char *const names[] = {path, aside};

    /* The coarse clock is not sufficient: since Linux 6.13, file times may be ahead of
       it. */
    owner.start = ccprof_sys_clock(CLOCK_REALTIME);
    owner.boot = ccprof_sys_clock(CLOCK_BOOTTIME);
    for (int i = 0; i < 2; i++) {
        owner.there[i].name = owner_hash(names[i]);
        if (ccprof_sys_stat(names[i], &owner.there[i].file) != 0)
            owner.there[i].file.st_ino = 0;
    }
    owner.last_written.st_ino = 0;
}

/* Compares the time as well as the inode: a new file may get the inode of a removed
   file. */
static bool owner_is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

void ccprof_datafile_wrote(const char *path, const char *own_path)
{
    struct stat written, status;

    if (ccprof_sys_stat(path, &written) == 0 &&
        (path == own_path || (ccprof_sys_stat(own_path, &status) == 0 &&
                              owner_is_same_file(&written, &status))))
        owner.last_written = written;
}

/* Reads the first SIZE - 1 bytes of the file as a string. */
static bool owner_read(const char *path, char *buffer, size_t size)
{
    const int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW;
    ssize_t got = ccprof_file_start(AT_FDCWD, path, flags, buffer, size - 1);

    buffer[got > 0 ? got : 0] = '\0';
    return got > 0;
}

/* Ends TEXT at its first C. Returns the rest after C, or null if TEXT has no C. */
static char *owner_split(char *text, char c)
{
    char *separator = strchr(text, c);

    if (!separator)
        return NULL;
    *separator = '\0';
    return separator + 1;
}

/* Finds the build ID and path of the executable in the head of a data file. */
static bool owner_find(char *head, struct ccprof_datafile_program *found)
{
    static const char magic[] = CCPROF_MLMON_MAGIC " ", module[] = "\nmodule 0 ";
    char *id, *bias, *path;

    if (strncmp(head, magic, sizeof magic - 1) != 0)
        return false;
    id = strstr(head, module);
    if (!id)
        return false;
    id += sizeof module - 1;
    bias = owner_split(id, ' ');
    path = bias ? owner_split(bias, ' ') : NULL;
    *found = (struct ccprof_datafile_program){id, path};
    return path && owner_split(path, '\n');
}

bool ccprof_datafile_program_of(const struct ccprof_module *module, char *buffer,
                                size_t size, struct ccprof_datafile_program *program)
{
    struct ccprof_text text;

    ccprof_text_open(&text, buffer, size, NULL);
    ccprof_text_bytes(&text, module->id, module->id_size);
    if (module->id_size == 0)
        ccprof_text_char(&text, '-');
    ccprof_text_char(&text, '\0');
    program->id = buffer;
    program->path = buffer + text.used;
    ccprof_text_path(&text, module->path ? module->path : "");
    return ccprof_text_end(&text) == 0;
}

static bool owner_is_same_program(const struct ccprof_datafile_program *a,
                                  const struct ccprof_datafile_program *b)
{
    return (*a->id != '-' && strcmp(a->id, b->id) == 0) || strcmp(a->path, b->path) == 0;
}

/* Returns whether the file was written while this process was running. The run time
   is counted both from the start and back from the current time, since the clock may
   have been set in between. Without a readable clock the answer is true. NOW is read
   last: if the process is interrupted between the two clocks, an old file must not
   look new. */
static bool owner_is_in_run_time(const struct stat *status)
{
    uint64_t time =
        (uint64_t)status->st_mtim.tv_sec * SECOND + (uint64_t)status->st_mtim.tv_nsec;
    uint64_t ran = ccprof_sys_clock(CLOCK_BOOTTIME) - owner.boot;
    uint64_t now = ccprof_sys_clock(CLOCK_REALTIME);

    return now == 0 || time - owner.start - 1 < ran || now - time < ran;
}

/* Returns whether the file, a profile of this program, was written while this process
   was running. */
static bool owner_wrote_during_run(const char *name, const struct stat *status)
{
    bool known = false;

    for (int i = 0; i < 2; i++) {
        if (owner_is_same_file(&owner.there[i].file, status))
            return false;
        known = known || owner.there[i].name == owner_hash(name);
    }
    return known || owner_is_in_run_time(status);
}

enum ccprof_datafile_owner
ccprof_datafile_owner(const char *path, const char *name,
                      const struct ccprof_datafile_program *self, char *buffer,
                      size_t size, struct ccprof_datafile_program *found)
{
    struct stat status;

    if (ccprof_sys_stat(path, &status) != 0)
        return errno == ENOENT ? CCPROF_DATAFILE_NONE : CCPROF_DATAFILE_UNKNOWN;
    if (owner_is_same_file(&owner.last_written, &status))
        return CCPROF_DATAFILE_OURS;
    if (!S_ISREG(status.st_mode) || !owner_read(path, buffer, size) ||
        !owner_find(buffer, found))
        return CCPROF_DATAFILE_UNKNOWN;
    if (!owner_is_same_program(self, found))
        return CCPROF_DATAFILE_OTHER;
    return owner_wrote_during_run(name, &status) ? CCPROF_DATAFILE_TWIN
                                                 : CCPROF_DATAFILE_OURS;
}

/* Number of names that are tried for another program's profile. After that, an
   existing profile is replaced. */
#define PLACE_TRIES 1000

/* A profile that is about to get its name PATH. Only this process uses the name FILE.
   At first FILE is the profile of this process, and after the exchange the file that
   had the name PATH. */
struct placement {
    const char *file, *path;
    char *head, *other; /* buffers of CCPROF_DATAFILE_HEAD bytes each */
};

/* Static, since the thread's stack may be small. */
static char aside[PATH_MAX]; /* new name of another program's profile */
static bool has_reported;

/* Makes the name `aside' from PATH and the program's name. From the second try on,
   the process number is appended, and from the third try on also the number of the
   try. */
static void aside_name(const char *path, const char *program, unsigned try)
{
    const char *slash = strrchr(program, '/');
    struct ccprof_text text;

    ccprof_text_open(&text, aside, sizeof aside, NULL);
    ccprof_text_string(&text, path);
    ccprof_text_char(&text, '.');
    ccprof_text_string(&text, slash ? slash + 1 : program);
    if (try > 0) {
        ccprof_text_char(&text, '.');
        ccprof_text_decimal(&text, (uint64_t)ccprof_sys_getpid());
    }
    if (try > 1) {
        ccprof_text_char(&text, '.');
        ccprof_text_decimal(&text, try);
    }
    ccprof_text_end(&text);
}

/* Swaps two names on file systems that cannot exchange them in one step. For a moment
   no file has the name TO. If another process gives this name to its profile at that
   moment, the profile of that process is lost. */
static int place_swap_slowly(const struct placement *placement, const char *to)
{
    const char *file = placement->file;
    char *taken = placement->other;
    struct ccprof_text text;

    ccprof_text_open(&text, taken, CCPROF_DATAFILE_HEAD, NULL);
    ccprof_text_string(&text, file);
    ccprof_text_string(&text, ".old");
    bool was = ccprof_text_end(&text) == 0 && ccprof_sys_rename(to, taken) == 0;
    int error = ccprof_sys_rename(file, to) == 0 ? 0 : errno;
    if (was && ccprof_sys_rename(taken, error ? to : file) == 0 && !error)
        error = EEXIST;
    return error;
}

/* Gives the placement's file the name TO. Returns 0 if no file had this name; EEXIST
   if the names were exchanged, so that FILE is now the previous file TO; another errno
   value on errors. */
static int place_swap(const struct placement *placement, const char *to)
{
    const char *file = placement->file;

    for (;;) {
        if (ccprof_sys_rename_new(file, to) == 0)
            return 0;
        if (errno != EEXIST)
            break;
        if (ccprof_sys_exchange(file, to) == 0)
            return EEXIST;
        if (errno != ENOENT)
            break;
    }
    return errno == EINVAL ? place_swap_slowly(placement, to) : errno;
}

/* Returns whether FILE, a file that has or had the name `aside', does not exist or may
   be replaced. */
static bool place_may_replace(const struct placement *placement, const char *file,
                              const struct ccprof_datafile_program *program)
{
    struct ccprof_datafile_program unused;
    enum ccprof_datafile_owner there = ccprof_datafile_owner(
        file, aside, program, placement->other, CCPROF_DATAFILE_HEAD, &unused);
    return there == CCPROF_DATAFILE_NONE || there == CCPROF_DATAFILE_OURS;
}

static void place_say(const struct placement *placement,
                      const struct ccprof_datafile_program *program, bool twin,
                      const char *now)
{
    if (!has_reported)
        ccprof_say(placement->path, " was the profile of ",
                   twin ? "another process of " : "", program->path, ": it is now ", now,
                   NULL);
    has_reported = true;
}

/* Renames the placement's file, a profile of PROGRAM, to the first name that is free
   or belongs to an older profile of PROGRAM. TWIN: PROGRAM is this program. If
   another process gives its profile the same name at the same moment, that profile is
   now the placement's file, and the search continues for it. */
static void place_rename_other(const struct placement *placement,
                               const struct ccprof_datafile_program *program, bool twin)
{
    for (unsigned try = 0;; try++) {
        aside_name(placement->path, program->path, try);
        if (!place_may_replace(placement, aside, program) && try < PLACE_TRIES)
            continue;
        int error = place_swap(placement, aside);
        place_say(placement, program, twin,
                  error && error != EEXIST ? placement->file : aside);
        if (error != EEXIST)
            return;
        if (place_may_replace(placement, placement->file, program) || try >= PLACE_TRIES)
            break;
    }
    ccprof_sys_unlink(placement->file);
}

/* Handles the profile that had the name PATH and is now the placement's file: renames
   it if it is another program's or another process's, otherwise removes it. */
static void place_replaced(const struct placement *placement,
                           const struct ccprof_datafile_program *self)
{
    struct ccprof_datafile_program found;
    enum ccprof_datafile_owner was =
        ccprof_datafile_owner(placement->file, placement->path, self, placement->head,
                              CCPROF_DATAFILE_HEAD, &found);

    if (was == CCPROF_DATAFILE_TWIN || was == CCPROF_DATAFILE_OTHER)
        place_rename_other(placement, &found, was == CCPROF_DATAFILE_TWIN);
    else
        ccprof_sys_unlink(placement->file);
}

int ccprof_datafile_place(const char *temporary, const char *path,
                          const struct ccprof_module *self, char *buffer)
{
    struct placement placement = {temporary, path, buffer, buffer + CCPROF_DATAFILE_HEAD};
    struct ccprof_datafile_program program;
    int error;

    if (ccprof_datafile_program_of(self, buffer + 2 * CCPROF_DATAFILE_HEAD,
                                   CCPROF_DATAFILE_HEAD, &program)) {
        error = place_swap(&placement, path);
        if (error == EEXIST) {
            place_replaced(&placement, &program);
            error = 0;
        }
    } else if (ccprof_sys_rename(temporary, path) == 0)
        error = 0;
    else
        error = errno;
    if (!error)
        ccprof_datafile_wrote(path, path);
    return error;
}

void ccprof_datafile_start(const char *path)
{
    has_reported = false;
    aside_name(path, ccprof_program(), 0);
    ccprof_datafile_remember(path, aside);
}
