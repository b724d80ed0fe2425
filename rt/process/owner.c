/* SPDX-License-Identifier: MIT */
/* Owns the time at which the process started, the identities of the files that existed
   then, and that of the file that it has written last.  Called where files are written:
   in any thread, handlers included.  */

#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "rt/process/owner.h"
#include "rt/format.h"
#include "rt/os/file.h"
#include "rt/os/text.h"

#define SECOND UINT64_C(1000000000)

static struct {
    uint64_t start, boot; /* when the process started, on two clocks */
    struct {
        uint64_t name;    /* hash of the name */
        struct stat file; /* inode 0: there was none */
    } there[2];
    struct stat wrote; /* the file written last; inode 0: none */
} owner;

/* FNV-1a.  */
static uint64_t owner_hash(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return hash;
}

void ccprof_owner_start(const char *path, const char *aside)
{
    const char *const names[] = {path, aside};

    /* The coarse clock would not do: since Linux 6.13 the times of files may be ahead of
       it.  */
    owner.start = ccprof_sys_clock(CLOCK_REALTIME);
    owner.boot = ccprof_sys_clock(CLOCK_BOOTTIME);
    for (int i = 0; i < 2; i++) {
        owner.there[i].name = owner_hash(names[i]);
        if (ccprof_sys_stat(names[i], &owner.there[i].file) != 0)
            owner.there[i].file.st_ino = 0;
    }
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

    if (ccprof_sys_stat(path, &written) == 0 &&
        (path == own ||
         (ccprof_sys_stat(own, &status) == 0 && owner_is_file(&written, &status))))
        owner.wrote = written;
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

/* Returns whether the file's time is in the time for which this process has run, counted
   from its start or back from now: the clock may have been set in between.  If no clock
   may be read, the answer is true.  NOW is read last: the process may be interrupted in
   between, and an old file must not seem to be new then.  */
static bool owner_is_recent(const struct stat *status)
{
    uint64_t time =
        (uint64_t)status->st_mtim.tv_sec * SECOND + (uint64_t)status->st_mtim.tv_nsec;
    uint64_t ran = ccprof_sys_clock(CLOCK_BOOTTIME) - owner.boot;
    uint64_t now = ccprof_sys_clock(CLOCK_REALTIME);

    return now == 0 || time - owner.start - 1 < ran || now - time < ran;
}

/* Returns whether the file, of this program, was written while this process was
   running.  */
static bool owner_is_new(const char *name, const struct stat *status)
{
    bool known = false;

    for (int i = 0; i < 2; i++) {
        if (owner_is_file(&owner.there[i].file, status))
            return false;
        known = known || owner.there[i].name == owner_hash(name);
    }
    return known || owner_is_recent(status);
}

enum ccprof_owner ccprof_owner(const char *path, const char *name,
                               const struct ccprof_owner_program *self, char *buffer,
                               size_t size, struct ccprof_owner_program *found)
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
    return owner_is_new(name, &status) ? CCPROF_OWNER_TWIN : CCPROF_OWNER_OURS;
}
