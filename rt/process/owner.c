/* SPDX-License-Identifier: MIT */
/* Owns the time at which the process started, and the identity of the file that it has
   written last.  Called where files are written: in any thread, handlers included.  */

#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "rt/process/owner.h"
#include "rt/format.h"
#include "rt/os/file.h"
#include "rt/os/text.h"

static struct {
    struct timespec start; /* files with a later time were written afterwards */
    struct stat wrote;     /* the file written last; inode 0: none */
} owner;

void ccprof_owner_start(void)
{
    /* The coarse clock would not do: since Linux 6.13 the times of files may be ahead of
       it.  */
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &owner.start);
    owner.wrote.st_ino = 0;
}

/* The inode alone would not do: a new file may get the number of a removed one.  */
static bool owner_is_file(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

void ccprof_owner_wrote(const char *path, const char *own)
{
    struct stat written, status;

    if (ccprof_sys_stat(path, &written) == 0 && ccprof_sys_stat(own, &status) == 0 &&
        owner_is_file(&written, &status))
        owner.wrote = status;
}

/* Reads the start of the file, as much as BUFFER has room for, as a string.  */
static bool owner_read(const char *path, char *buffer, size_t size)
{
    const int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW;
    ssize_t got = ccprof_file_start(AT_FDCWD, path, flags, buffer, size - 1);

    buffer[got > 0 ? got : 0] = '\0';
    return got > 0;
}

/* Cuts TEXT off at its first C; returns what follows, or null if there is no C.  */
static char *owner_cut(char *text, char c)
{
    char *at = strchr(text, c);

    if (!at)
        return NULL;
    *at = '\0';
    return at + 1;
}

/* Finds the executable in the head of a data file.  */
static bool owner_find(char *head, struct ccprof_owner_program *found)
{
    static const char magic[] = CCPROF_MLMON_MAGIC " ", module[] = "\nmodule 0 ";
    char *id, *bias, *path;

    if (strncmp(head, magic, sizeof magic - 1) != 0)
        return false;
    id = strstr(head, module);
    if (!id)
        return false;
    id += sizeof module - 1;
    bias = owner_cut(id, ' ');
    path = bias ? owner_cut(bias, ' ') : NULL;
    *found = (struct ccprof_owner_program){id, path};
    return path && owner_cut(path, '\n');
}

bool ccprof_owner_module(const struct ccprof_module *module, char *buffer, size_t size,
                         struct ccprof_owner_program *program)
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

static bool owner_is_same(const struct ccprof_owner_program *a,
                          const struct ccprof_owner_program *b)
{
    return (*a->id != '-' && strcmp(a->id, b->id) == 0) || strcmp(a->path, b->path) == 0;
}

static bool owner_is_newer(const struct stat *status)
{
    const struct timespec *time = &status->st_mtim;

    return time->tv_sec > owner.start.tv_sec ||
           (time->tv_sec == owner.start.tv_sec && time->tv_nsec > owner.start.tv_nsec);
}

enum ccprof_owner ccprof_owner(const char *path, const struct ccprof_owner_program *self,
                               char *buffer, size_t size,
                               struct ccprof_owner_program *found)
{
    struct stat status;

    if (ccprof_sys_stat(path, &status) != 0)
        return errno == ENOENT ? CCPROF_OWNER_NOBODY : CCPROF_OWNER_UNKNOWN;
    if (owner_is_file(&owner.wrote, &status))
        return CCPROF_OWNER_OURS;
    if (!S_ISREG(status.st_mode) || !owner_read(path, buffer, size) ||
        !owner_find(buffer, found))
        return CCPROF_OWNER_UNKNOWN;
    if (!owner_is_same(self, found))
        return CCPROF_OWNER_OTHER;
    return owner_is_newer(&status) ? CCPROF_OWNER_TWIN : CCPROF_OWNER_OURS;
}
