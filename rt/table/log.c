/* SPDX-License-Identifier: MIT */
/* Owns nothing.  begin and end are called by the table, in the handler; the others
   where the profile is written and in the child of a fork.

   A stack is stored as a word that says how many of its outermost addresses are
   those of the stack before it (0 at the start of the buffer) and how many
   follow; its count; and the addresses that follow, outermost first.  */

#include <errno.h>

#include "rt/table/log.h"
#include "rt/table/scope.h"

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
    size_t at, have;   /* in SOME */
    uint64_t some[64]; /* the stack may be that of a handler */
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

/* A stack that is read: its addresses, of which the outer ones are those of the one
   before it.  */
struct log_stack {
    uint64_t *address;
    uint32_t shared, depth;
    uint64_t count;
    uint64_t at; /* where the count is */
};

/* Reads the next one.  Returns false at the end, with errno 0, and at an error.  */
static bool log_next(struct log_words *words, struct log_stack *stack)
{
    uint64_t head;
    bool whole;

    if (!log_words_next(words, &head))
        return false;
    stack->shared = log_shared(head);
    stack->at = words->done;
    whole = stack->shared <= stack->depth &&
            log_fresh(head) <= CCPROF_STACK_DEPTH - stack->shared &&
            stack->shared + log_fresh(head) > 0 && log_words_next(words, &stack->count);
    stack->depth = stack->shared + log_fresh(head);
    for (uint32_t i = stack->shared; whole && i < stack->depth; i++)
        whole = log_words_next(words, &stack->address[i]);
    if (!whole)
        errno = errno ? errno : EIO;
    return whole;
}

/* The points of the stack but the outer SEEN ones.  */
static int log_visit(const struct log_stack *stack, uint32_t seen, ccprof_visit *visit,
                     void *context)
{
    uint32_t depth = stack->depth;
    int stop = 0;
    for (uint32_t i = seen < depth ? seen : depth - 1; !stop && i < depth; i++)
        stop = visit(context, i, stack->address[i], i + 1 == depth ? stack->count : 0);
    return stop;
}

/* A stack without samples was taken out.  */
static int log_each(struct log_words *words, uint64_t *address, ccprof_visit *visit,
                    void *context)
{
    struct log_stack stack = {.address = address};
    uint32_t seen = 0;
    int stop = 0;

    while (!stop && log_next(words, &stack)) {
        if (stack.shared < seen)
            seen = stack.shared;
        if (stack.count == 0)
            continue;
        stop = log_visit(&stack, seen, visit, context);
        seen = stack.depth;
    }
    return !stop && errno ? -1 : stop;
}

/* A part is its buffer and its file; the buffer is always there.  Returns false if there
   is nothing in the file, with errno 0, or if it is gone.  */
static bool log_has_file(const struct ccprof_log_part *part)
{
    errno = 0;
    if (part->filed == 0)
        return false;
    if (ccprof_spool_is_ours(&part->spool))
        return true;
    errno = EBADF;
    return false;
}

static struct log_words log_words_of(const struct ccprof_log_part *part, bool from_file)
{
    struct log_words words;
    words.part = part;
    words.from_file = from_file;
    words.done = words.at = words.have = 0;
    return words;
}

static int log_part_each(struct ccprof_log_part *part, ccprof_visit *visit, void *context)
{
    struct log_words words = log_words_of(part, false);
    int stop;

    /* Cut off while somebody was changing it.  */
    if (!part->frozen)
        return 0;
    stop = log_each(&words, part->next, visit, context);
    if (stop)
        return stop;
    if (!log_has_file(part))
        return errno ? -1 : 0;
    words = log_words_of(part, true);
    return log_each(&words, part->next, visit, context);
}

int ccprof_log_each(struct ccprof_log *log, ccprof_visit *visit, void *context)
{
    int stop = 0;
    for (unsigned i = 0; !stop && i < CCPROF_LOG_PARTS; i++)
        stop = log_part_each(&log->part[i], visit, context);
    return stop;
}

/* Makes the stack's count 0 where it was read from.  */
static bool log_clear(struct log_words *words, struct ccprof_log_part *part, uint64_t at)
{
    static const uint64_t none = 0;
    if (words->from_file)
        return ccprof_spool_write(&part->spool, &none, 1, at) == 1;
    part->word[at] = 0;
    return true;
}

static uint64_t log_take(struct ccprof_log_part *part, bool from_file, uint64_t unit)
{
    struct log_words words = log_words_of(part, from_file);
    struct log_stack stack = {.address = part->next};
    uint64_t taken = 0;

    while (log_next(&words, &stack))
        if (stack.count != 0 && ccprof_scope_unit(stack.address[0]) == unit &&
            log_clear(&words, part, stack.at))
            taken += stack.count;
    return taken;
}

/* A file in which nothing is left starts again.  */
static uint64_t log_part_take(struct ccprof_log_part *part, uint64_t unit)
{
    uint64_t taken = log_take(part, false, unit), filed = 0;

    if (log_has_file(part)) {
        filed = log_take(part, true, unit);
        part->filed_sum -= filed;
        if (part->filed_sum == 0)
            part->filed = 0;
    }
    return taken + filed;
}

uint64_t ccprof_log_take(struct ccprof_log *log, uint64_t unit)
{
    uint64_t taken = 0;
    for (unsigned i = 0; i < CCPROF_LOG_PARTS; i++)
        if (log->part[i].frozen)
            taken += log_part_take(&log->part[i], unit);
    return taken;
}

void ccprof_log_thaw(struct ccprof_log *log)
{
    for (unsigned i = 0; i < CCPROF_LOG_PARTS; i++) {
        bool frozen = log->part[i].frozen;
        log->part[i].frozen = false;
        if (frozen)
            ccprof_spin_release(&log->part[i].busy);
    }
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
