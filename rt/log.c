/* SPDX-License-Identifier: MIT */
/* Owns nothing.  begin and end are called by the table, in the handler; the others
   where the profile is written and in the child of a fork.

   A stack is stored as a word that says how many of its outermost addresses are
   those of the stack before it (0 at the start of the buffer) and how many
   follow; its count; and the addresses that follow, outermost first.  */

#include <errno.h>

#include "log.h"

#define LOG_HEAD 2 /* words before the addresses */

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

/* Takes note that the first WRITTEN words of the buffer are in the file; returns
   how many samples are not.  */
static uint64_t log_filed(struct ccprof_log_part *part, size_t written)
{
    uint64_t lost = 0;
    uint32_t at = 0, whole = 0;

    while (at < part->used) {
        uint64_t count = part->word[at + 1];
        at += LOG_HEAD + log_fresh(part->word[at]);
        if (at <= written) {
            whole = at;
            part->filed_sum += count;
        } else {
            lost += count;
        }
    }
    part->filed += whole;
    return lost;
}

/* Empties the buffer into the file; returns how many samples went astray.  */
static uint64_t log_flush(struct ccprof_log_part *part)
{
    uint64_t lost = 0;

    if (part->spool.open && !ccprof_spool_is_ours(&part->spool)) {
        lost = part->filed_sum;
        part->spool.open = false;
        part->filed = 0;
        part->filed_sum = 0;
    }
    lost += log_filed(
        part, ccprof_spool_write(&part->spool, part->word, part->used, part->filed));
    part->used = 0;
    part->depth = 0;
    return lost;
}

struct ccprof_log_part *ccprof_log_begin(struct ccprof_log *log)
{
    for (unsigned i = 0; i < CCPROF_LOG_PARTS; i++)
        if (ccprof_spin_try_once(&log->part[i].busy))
            return &log->part[i];
    return NULL;
}

/* How many of the outermost addresses are those of the last stack.  */
static uint32_t log_compare(const struct ccprof_log_part *part, uint32_t depth)
{
    uint32_t shared = 0;
    while (shared < depth && shared < part->depth &&
           part->last[shared] == part->next[depth - 1 - shared])
        shared++;
    return shared;
}

uint64_t ccprof_log_end(struct ccprof_log_part *part, uint32_t depth, uint64_t count)
{
    uint32_t shared = log_compare(part, depth);
    uint64_t lost = 0;

    if (part->used + LOG_HEAD + depth - shared > CCPROF_LOG_WORDS) {
        lost = log_flush(part);
        shared = 0;
    }
    part->word[part->used++] = log_head(shared, depth - shared);
    part->word[part->used++] = count;
    for (uint32_t i = shared; i < depth; i++)
        part->word[part->used++] = part->last[i] = part->next[depth - 1 - i];
    part->depth = depth;
    ccprof_spin_release(&part->busy);
    return lost;
}

void ccprof_log_freeze(struct ccprof_log *log)
{
    for (unsigned i = 0; i < CCPROF_LOG_PARTS; i++)
        if (!log->part[i].frozen)
            log->part[i].frozen = ccprof_spin_try(&log->part[i].busy);
}

/* The words of the buffer or of the file, one after the other.  */
struct log_words {
    const struct ccprof_log_part *part;
    bool from_file;
    uint64_t done;
    size_t at, have; /* in SOME */
    uint64_t some[256];
};

/* Fills SOME; returns false at an error.  */
static bool log_words_more(struct log_words *words)
{
    size_t most = sizeof words->some / sizeof *words->some;
    uint64_t left = words->part->filed - words->done;
    size_t want = left < most ? (size_t)left : most;

    words->at = 0;
    words->have = want;
    return ccprof_spool_read(&words->part->spool, words->some, want, words->done);
}

/* Returns false at the end, with errno 0, and at an error.  */
static bool log_words_next(struct log_words *words, uint64_t *word)
{
    errno = 0;
    if (words->done == (words->from_file ? words->part->filed : words->part->used))
        return false;
    if (!words->from_file) {
        *word = words->part->word[words->done++];
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

static int log_part_each(struct ccprof_log_part *part, ccprof_visit *visit, void *context)
{
    struct log_words words;
    int stop;

    /* Cut off while somebody was changing it.  */
    if (!part->frozen)
        return 0;
    words.part = part;
    words.from_file = false;
    words.done = words.at = words.have = 0;
    stop = log_each(&words, part->next, visit, context);
    if (stop || part->filed == 0)
        return stop;
    if (!ccprof_spool_is_ours(&part->spool)) {
        errno = EBADF;
        return -1;
    }
    words.from_file = true;
    words.done = 0;
    return log_each(&words, part->next, visit, context);
}

int ccprof_log_each(struct ccprof_log *log, ccprof_visit *visit, void *context)
{
    int stop = 0;
    for (unsigned i = 0; !stop && i < CCPROF_LOG_PARTS; i++)
        stop = log_part_each(&log->part[i], visit, context);
    return stop;
}

static void log_part_close(struct ccprof_log_part *part)
{
    ccprof_spool_close(&part->spool);
    part->frozen = false;
    part->used = 0;
    part->depth = 0;
    part->filed = 0;
    part->filed_sum = 0;
    ccprof_spin_release(&part->busy);
}

void ccprof_log_close(struct ccprof_log *log)
{
    for (unsigned i = 0; i < CCPROF_LOG_PARTS; i++)
        log_part_close(&log->part[i]);
}
