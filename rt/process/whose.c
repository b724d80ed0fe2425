/* SPDX-License-Identifier: MIT */
/* Owns the moment from which the process has been running, and what it has written last.
   Called where files are written: any thread, handlers included.  */

#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "rt/process/whose.h"
#include "rt/format.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"

static struct {
    struct timespec start; /* no file written before has a later time */
    struct stat wrote;     /* the file; inode 0: none */
} whose;

void ccprof_whose_start(void)
{
    /* Not the coarse clock: since Linux 6.13 times of files may be ahead of that.  */
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &whose.start);
    whose.wrote.st_ino = 0;
}

/* The number of a file that was removed may be another one's at once.  */
static bool whose_is_file(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

void ccprof_whose_wrote(const char *path, const char *own)
{
    struct stat written, status;

    if (ccprof_sys_stat(path, &written) == 0 && ccprof_sys_stat(own, &status) == 0 &&
        whose_is_file(&written, &status))
        whose.wrote = status;
}

/* As much of the file's start as there is room for, as a string.  */
static bool whose_read(const char *path, char *buffer, size_t size)
{
    int fd = ccprof_sys_open(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    ssize_t got;

    if (fd < 0)
        return false;
    got = ccprof_sys_pread(fd, buffer, size - 1, 0);
    ccprof_sys_close(fd);
    buffer[got > 0 ? got : 0] = '\0';
    return got > 0;
}

/* Cuts TEXT off at its first C; returns what follows, or null if there is no such
   character.  */
static char *whose_cut(char *text, char c)
{
    char *at = strchr(text, c);

    if (!at)
        return NULL;
    *at = '\0';
    return at + 1;
}

/* Finds the executable in the head of a data file.  */
static bool whose_find(char *head, struct ccprof_whose_program *found)
{
    static const char magic[] = CCPROF_MLMON_MAGIC " ", module[] = "\nmodule 0 ";
    char *id, *bias, *path;

    if (strncmp(head, magic, sizeof magic - 1) != 0)
        return false;
    id = strstr(head, module);
    if (!id)
        return false;
    id += sizeof module - 1;
    bias = whose_cut(id, ' ');
    path = bias ? whose_cut(bias, ' ') : NULL;
    *found = (struct ccprof_whose_program){id, path};
    return path && whose_cut(path, '\n');
}

bool ccprof_whose_module(const struct ccprof_module *module, char *buffer, size_t size,
                         struct ccprof_whose_program *program)
{
    struct ccprof_text text;

    ccprof_text_open(&text, buffer, size, -1);
    ccprof_text_bytes(&text, module->id, module->id_size);
    if (module->id_size == 0)
        ccprof_text_char(&text, '-');
    ccprof_text_char(&text, '\0');
    program->id = buffer;
    program->path = buffer + text.used;
    ccprof_text_path(&text, module->path ? module->path : "");
    return ccprof_text_end(&text) == 0;
}

static bool whose_is_same(const struct ccprof_whose_program *a,
                          const struct ccprof_whose_program *b)
{
    return (*a->id != '-' && strcmp(a->id, b->id) == 0) || strcmp(a->path, b->path) == 0;
}

static bool whose_is_newer(const struct stat *status)
{
    const struct timespec *time = &status->st_mtim;

    return time->tv_sec > whose.start.tv_sec ||
           (time->tv_sec == whose.start.tv_sec && time->tv_nsec > whose.start.tv_nsec);
}

enum ccprof_whose ccprof_whose(const char *path, const struct ccprof_whose_program *self,
                               char *buffer, size_t size,
                               struct ccprof_whose_program *found)
{
    struct stat status;

    if (ccprof_sys_stat(path, &status) != 0)
        return errno == ENOENT ? CCPROF_WHOSE_NOBODY : CCPROF_WHOSE_UNKNOWN;
    if (whose_is_file(&whose.wrote, &status))
        return CCPROF_WHOSE_OURS;
    if (!S_ISREG(status.st_mode) || !whose_read(path, buffer, size) ||
        !whose_find(buffer, found))
        return CCPROF_WHOSE_UNKNOWN;
    if (!whose_is_same(self, found))
        return CCPROF_WHOSE_OTHER;
    return whose_is_newer(&status) ? CCPROF_WHOSE_TWIN : CCPROF_WHOSE_OURS;
}
