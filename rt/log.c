/* SPDX-License-Identifier: MIT */
/* Owns the log's file.  ccprof_log_add is called by the table, in the handler;
   the others where the profile is written and in the child of a fork.  */

#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "log.h"
#include "quiet.h"

/* Descriptors from here on are rarely wanted by a program.  */
#define LOG_FD_FROM 500

static const char *log_folder;

void ccprof_log_place(const char *folder)
{
    log_folder = folder;
}

/* A program may close every descriptor and open files of its own.  */
static bool log_is_ours(const struct ccprof_log *log)
{
    struct stat now;
    return log->open && ccprof_sys_fstat(log->fd, &now) == 0 &&
           now.st_dev == log->device && now.st_ino == log->inode;
}

/* Away from the numbers that the program will get for its files.  */
static int log_move_up(int fd)
{
    int up = ccprof_sys_fcntl(fd, F_DUPFD_CLOEXEC, LOG_FD_FROM);
    if (up < 0)
        return fd;
    ccprof_sys_close(fd);
    return up;
}

static bool log_open(struct ccprof_log *log)
{
    const int flags = O_TMPFILE | O_RDWR | O_CLOEXEC;
    const char *const folders[] = {log_folder, "/tmp", "/var/tmp"};
    struct stat made;
    int fd = -1;

    for (unsigned i = 0; fd < 0 && i < sizeof folders / sizeof *folders; i++)
        if (folders[i])
            fd = ccprof_sys_open(AT_FDCWD, folders[i], flags, 0600);
    if (fd < 0)
        return false;
    fd = log_move_up(fd);
    if (ccprof_sys_fstat(fd, &made) != 0) {
        ccprof_sys_close(fd);
        return false;
    }
    log->open = true;
    log->fd = fd;
    log->device = made.st_dev;
    log->inode = made.st_ino;
    log->filed = 0;
    log->filed_sum = 0;
    return true;
}

/* Empties the buffer into the file; returns how many samples went astray.  */
static uint64_t log_flush(struct ccprof_log *log)
{
    uint64_t lost = 0;
    ssize_t written = 0;
    struct ccprof_quiet quiet;

    if (log->open && !log_is_ours(log)) {
        lost = log->filed_sum;
        log->open = false;
    }
    ccprof_quiet_begin(&quiet);
    if (log->open || log_open(log))
        written = ccprof_sys_pwrite(log->fd, log->point, log->used * sizeof *log->point,
                                    (off_t)(log->filed * sizeof *log->point));
    ccprof_quiet_end(&quiet);

    uint32_t whole = written > 0 ? (uint32_t)((size_t)written / sizeof *log->point) : 0;
    for (uint32_t i = 0; i < log->used; i++) {
        if (i < whole)
            log->filed_sum += log->point[i].count;
        else
            lost += log->point[i].count;
    }
    log->filed += whole;
    log->used = 0;
    return lost;
}

uint64_t ccprof_log_add(struct ccprof_log *log, uint64_t pc, uint64_t count)
{
    uint64_t lost = 0;
    if (!ccprof_spin_try(&log->busy))
        return count;
    if (log->used == CCPROF_LOG_SIZE)
        lost = log_flush(log);
    log->point[log->used].pc = pc;
    log->point[log->used].count = count;
    log->used++;
    ccprof_spin_release(&log->busy);
    return lost;
}

void ccprof_log_freeze(struct ccprof_log *log)
{
    if (!log->frozen)
        log->frozen = ccprof_spin_try(&log->busy);
}

static int log_each_filed(const struct ccprof_log *log,
                          int (*visit)(void *, const struct ccprof_point *),
                          void *context)
{
    struct ccprof_point some[64];
    const size_t most = sizeof some / sizeof *some;

    if (log->filed != 0 && !log_is_ours(log)) {
        errno = EBADF;
        return -1;
    }
    for (uint64_t done = 0; done < log->filed;) {
        uint64_t left = log->filed - done;
        size_t want = left < most ? (size_t)left : most;
        ssize_t got = ccprof_sys_pread(log->fd, some, want * sizeof *some,
                                       (off_t)(done * sizeof *some));
        if (got < (ssize_t)(want * sizeof *some)) {
            if (got >= 0)
                errno = EIO;
            return -1;
        }
        for (size_t i = 0; i < want; i++) {
            int stop = visit(context, &some[i]);
            if (stop)
                return stop;
        }
        done += want;
    }
    return 0;
}

int ccprof_log_each(const struct ccprof_log *log,
                    int (*visit)(void *, const struct ccprof_point *), void *context)
{
    /* Cut off while somebody was changing it.  */
    if (!log->frozen)
        return 0;
    for (uint32_t i = 0; i < log->used; i++) {
        int stop = visit(context, &log->point[i]);
        if (stop)
            return stop;
    }
    return log_each_filed(log, visit, context);
}

void ccprof_log_close(struct ccprof_log *log)
{
    if (log_is_ours(log))
        ccprof_sys_close(log->fd);
    log->open = false;
    log->frozen = false;
    log->used = 0;
    log->filed = 0;
    log->filed_sum = 0;
    ccprof_spin_release(&log->busy);
}
