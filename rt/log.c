/* SPDX-License-Identifier: MIT */
/* Owns the log's file.  begin and end are called by the table, in the handler;
   the others where the profile is written and in the child of a fork.

   A stack is stored as a word that says how many of its outermost addresses are
   those of the stack before it (0 at the start of the buffer) and how many
   follow; its count; and the addresses that follow, outermost first.  */

#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "log.h"
#include "quiet.h"

/* Descriptors from here on are rarely wanted by a program.  */
#define LOG_FD_FROM 500

#define LOG_HEAD 2 /* words before the addresses */

static const char *log_folder;

static uint64_t log_head(uint32_t shared, uint32_t fresh)
{
    return (uint64_t)fresh << 32 | shared;
}

static uint32_t log_shared(uint64_t head)
{
    return (uint32_t)head;
}

static uint32_t log_fresh(uint64_t head)
{
    return (uint32_t)(head >> 32);
}

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

/* Takes note that the first WRITTEN words of the buffer are in the file; returns
   how many samples are not.  */
static uint64_t log_filed(struct ccprof_log *log, size_t written)
{
    uint64_t lost = 0;
    uint32_t at = 0, whole = 0;

    while (at < log->used) {
        uint64_t count = log->word[at + 1];
        at += LOG_HEAD + log_fresh(log->word[at]);
        if (at <= written) {
            whole = at;
            log->filed_sum += count;
        } else {
            lost += count;
        }
    }
    log->filed += whole;
    return lost;
}

/* Empties the buffer into the file; returns how many samples went astray.  */
static uint64_t log_flush(struct ccprof_log *log)
{
    const size_t size = sizeof *log->word;
    uint64_t lost = 0;
    ssize_t written = 0;
    struct ccprof_quiet quiet;

    if (log->open && !log_is_ours(log)) {
        lost = log->filed_sum;
        log->open = false;
    }
    ccprof_quiet_begin(&quiet);
    if (log->open || log_open(log))
        written = ccprof_sys_pwrite(log->fd, log->word, log->used * size,
                                    (off_t)(log->filed * size));
    ccprof_quiet_end(&quiet);
    lost += log_filed(log, written > 0 ? (size_t)written / size : 0);
    log->used = 0;
    log->depth = 0;
    return lost;
}

uint64_t *ccprof_log_begin(struct ccprof_log *log)
{
    return ccprof_spin_try(&log->busy) ? log->next : NULL;
}

/* How many of the outermost addresses are those of the last stack.  */
static uint32_t log_compare(const struct ccprof_log *log, uint32_t depth)
{
    uint32_t shared = 0;
    while (shared < depth && shared < log->depth &&
           log->last[shared] == log->next[depth - 1 - shared])
        shared++;
    return shared;
}

uint64_t ccprof_log_end(struct ccprof_log *log, uint32_t depth, uint64_t count)
{
    uint32_t shared = log_compare(log, depth);
    uint64_t lost = 0;

    if (log->used + LOG_HEAD + depth - shared > CCPROF_LOG_WORDS) {
        lost = log_flush(log);
        shared = 0;
    }
    log->word[log->used++] = log_head(shared, depth - shared);
    log->word[log->used++] = count;
    for (uint32_t i = shared; i < depth; i++)
        log->word[log->used++] = log->last[i] = log->next[depth - 1 - i];
    log->depth = depth;
    ccprof_spin_release(&log->busy);
    return lost;
}

void ccprof_log_freeze(struct ccprof_log *log)
{
    if (!log->frozen)
        log->frozen = ccprof_spin_try(&log->busy);
}

/* The words of the buffer or of the file, one after the other.  */
struct log_words {
    const struct ccprof_log *log;
    bool from_file;
    uint64_t done;
    size_t at, have; /* in SOME */
    uint64_t some[256];
};

/* Fills SOME; returns false at an error.  */
static bool log_words_more(struct log_words *words)
{
    const size_t size = sizeof *words->some;
    size_t most = sizeof words->some / size;
    uint64_t left = words->log->filed - words->done;
    size_t want = left < most ? (size_t)left : most;
    ssize_t got = ccprof_sys_pread(words->log->fd, words->some, want * size,
                                   (off_t)(words->done * size));

    if (got >= 0 && got != (ssize_t)(want * size))
        errno = EIO;
    words->at = 0;
    words->have = want;
    return got == (ssize_t)(want * size);
}

/* Returns false at the end, with errno 0, and at an error.  */
static bool log_words_next(struct log_words *words, uint64_t *word)
{
    errno = 0;
    if (words->done == (words->from_file ? words->log->filed : words->log->used))
        return false;
    if (!words->from_file) {
        *word = words->log->word[words->done++];
        return true;
    }
    if (words->at == words->have && !log_words_more(words))
        return false;
    *word = words->some[words->at++];
    words->done++;
    return true;
}

/* The points of the next stack that are not in the one before it, which STACK
   holds.  */
static int log_visit(uint64_t *stack, uint32_t shared, uint32_t depth, uint64_t count,
                     ccprof_visit *visit, void *context)
{
    int stop = 0;
    for (uint32_t i = shared < depth ? shared : depth - 1; !stop && i < depth; i++)
        stop = visit(context, i, stack[i], i + 1 == depth ? count : 0);
    return stop;
}

static int log_each(struct log_words *words, uint64_t *stack, ccprof_visit *visit,
                    void *context)
{
    uint32_t depth = 0;
    uint64_t head, count;
    int stop = 0;

    while (!stop && log_words_next(words, &head)) {
        uint32_t shared = log_shared(head), fresh = log_fresh(head);
        bool whole = shared <= depth && fresh <= CCPROF_STACK_DEPTH - shared &&
                     shared + fresh > 0 && log_words_next(words, &count);
        depth = shared + fresh;
        for (uint32_t i = shared; whole && i < depth; i++)
            whole = log_words_next(words, &stack[i]);
        if (!whole) {
            errno = errno ? errno : EIO;
            return -1;
        }
        stop = log_visit(stack, shared, depth, count, visit, context);
    }
    return !stop && errno ? -1 : stop;
}

int ccprof_log_each(struct ccprof_log *log, ccprof_visit *visit, void *context)
{
    struct log_words words;
    int stop;

    /* Cut off while somebody was changing it.  */
    if (!log->frozen)
        return 0;
    words.log = log;
    words.from_file = false;
    words.done = words.at = words.have = 0;
    stop = log_each(&words, log->next, visit, context);
    if (stop || log->filed == 0)
        return stop;
    if (!log_is_ours(log)) {
        errno = EBADF;
        return -1;
    }
    words.from_file = true;
    words.done = 0;
    return log_each(&words, log->next, visit, context);
}

void ccprof_log_close(struct ccprof_log *log)
{
    if (log_is_ours(log))
        ccprof_sys_close(log->fd);
    log->open = false;
    log->frozen = false;
    log->used = 0;
    log->depth = 0;
    log->filed = 0;
    log->filed_sum = 0;
    ccprof_spin_release(&log->busy);
}
