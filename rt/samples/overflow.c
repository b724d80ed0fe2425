/* SPDX-License-Identifier: MIT */
/* Writes and reads the overflow log. Owns no data: the log belongs to the run. The
   table calls begin and end, in the SIGPROF handler. The other functions are called
   when the profile is written, and in the child of a fork.

   A stack is stored as:
     a word with two numbers: outermost addresses shared with the previous stack (0 at the
       start of the buffer), and new addresses;
     the stack's count;
     the new addresses, outermost first. */

#include <errno.h>

#include "rt/samples/overflow.h"
#include "rt/os/sys.h"
#include "rt/samples/tags.h"

#define OVERFLOW_HEAD 2 /* words before the addresses of a stack */

static uint64_t overflow_head(uint32_t shared, uint32_t added)
{
    return (uint64_t)added << 32 | shared;
}

static uint32_t overflow_shared(uint64_t head)
{
    return (uint32_t)head;
}

static uint32_t overflow_added(uint64_t head)
{
    return (uint32_t)(head >> 32);
}

/* Records that the first WRITTEN words of the buffer are in the file. Returns the
   number of samples in the buffer that are not in the file. */
static uint64_t overflow_record_written(struct ccprof_overflow_shard *shard,
                                        size_t written)
{
    uint64_t lost = 0;
    uint32_t position = 0, complete = 0;

    while (position < shard->used) {
        uint64_t count = shard->word[position + 1];
        position += OVERFLOW_HEAD + overflow_added(shard->word[position]);
        if (position <= written) {
            complete = position;
            shard->filed_sum += count;
        } else {
            lost += count;
        }
    }
    shard->filed += complete;
    return lost;
}

/* Writes the buffer to the file and empties it. Returns the number of lost samples. */
static uint64_t overflow_flush(struct ccprof_overflow_shard *shard)
{
    uint64_t lost = overflow_record_written(
        shard,
        ccprof_overflow_file_write(&shard->file, shard->word, shard->used, shard->filed));

    shard->used = 0;
    shard->depth = 0;
    return lost;
}

struct ccprof_overflow_shard *ccprof_overflow_begin(struct ccprof_overflow *overflow)
{
    if (!overflow->used && !overflow->closed)
        overflow->used = true;
    if (!overflow->used)
        return NULL;
    for (unsigned i = 0; i < CCPROF_OVERFLOW_SHARDS; i++)
        if (ccprof_spin_try_once(&overflow->shard[i].busy))
            return &overflow->shard[i];
    return NULL;
}

/* Returns the number of outermost addresses that the new stack shares with the last
   one. */
static uint32_t overflow_count_shared(const struct ccprof_overflow_shard *shard,
                                      uint32_t depth)
{
    uint32_t shared = 0;
    while (shared < depth && shared < shard->depth &&
           shard->last[shared] == shard->next[depth - 1 - shared])
        shared++;
    return shared;
}

uint64_t ccprof_overflow_end(struct ccprof_overflow_shard *shard, uint32_t depth,
                             uint64_t count)
{
    uint32_t shared = overflow_count_shared(shard, depth);
    uint64_t lost = 0;

    ccprof_assert(depth != 0 && depth <= CCPROF_STACK_DEPTH);
    ccprof_assert(shard->busy);
    if (shard->used + OVERFLOW_HEAD + depth - shared > CCPROF_OVERFLOW_WORDS) {
        lost = overflow_flush(shard);
        shared = 0;
    }
    shard->word[shard->used++] = overflow_head(shared, depth - shared);
    shard->word[shard->used++] = count;
    for (uint32_t i = shared; i < depth; i++)
        shard->word[shard->used++] = shard->last[i] = shard->next[depth - 1 - i];
    shard->depth = depth;
    ccprof_spin_release(&shard->busy);
    return lost;
}

void ccprof_overflow_freeze(struct ccprof_overflow *overflow)
{
    overflow->closed = true;
    for (unsigned i = 0; overflow->used && i < CCPROF_OVERFLOW_SHARDS; i++)
        if (!overflow->shard[i].frozen)
            overflow->shard[i].frozen = ccprof_spin_try(&overflow->shard[i].busy);
}

/* Reads the words of the buffer or of the file in order. */
struct overflow_words {
    const struct ccprof_overflow_shard *shard;
    bool from_file;
    uint64_t done;
    size_t position, chunk_words; /* position in CHUNK, and number of words in it */
    uint64_t chunk[64];           /* few words, since the stack may be a handler's */
};

/* Fills CHUNK from the file. Returns false on errors. */
static bool overflow_words_more(struct overflow_words *words)
{
    size_t most = sizeof words->chunk / sizeof *words->chunk;
    uint64_t left = words->shard->filed - words->done;
    size_t want = left < most ? (size_t)left : most;

    words->position = 0;
    words->chunk_words = want;
    return ccprof_overflow_file_read(&words->shard->file, words->chunk, want,
                                     words->done);
}

/* Reads the next word. Returns false at the end, with errno 0, and on errors. */
static bool overflow_words_next(struct overflow_words *words, uint64_t *word)
{
    errno = 0;
    if (words->done == (words->from_file ? words->shard->filed : words->shard->used))
        return false;
    if (!words->from_file) {
        *word = words->shard->word[words->done++];
        return true;
    }
    if (words->position == words->chunk_words && !overflow_words_more(words))
        return false;
    *word = words->chunk[words->position++];
    words->done++;
    return true;
}

/* A stack that has been read. Its outermost SHARED addresses are equal to those of
   the previous stack. */
struct overflow_stack {
    uint64_t *address;
    uint32_t shared, depth;
    uint64_t count;
    uint64_t position; /* position of the count in the log */
};

/* Reads the next stack. Returns false at the end, with errno 0, and on errors. */
static bool overflow_next(struct overflow_words *words, struct overflow_stack *stack)
{
    uint64_t head;
    bool complete;

    if (!overflow_words_next(words, &head))
        return false;
    stack->shared = overflow_shared(head);
    stack->position = words->done;
    complete = stack->shared <= stack->depth &&
               overflow_added(head) <= CCPROF_STACK_DEPTH - stack->shared &&
               stack->shared + overflow_added(head) > 0 &&
               overflow_words_next(words, &stack->count);
    stack->depth = stack->shared + overflow_added(head);
    for (uint32_t i = stack->shared; complete && i < stack->depth; i++)
        complete = overflow_words_next(words, &stack->address[i]);
    if (!complete)
        errno = errno ? errno : EIO;
    return complete;
}

/* Visits the points of the stack except its outermost VISITED points. */
static int overflow_visit(const struct overflow_stack *stack, uint32_t visited,
                          ccprof_visit *visit, void *context)
{
    uint32_t depth = stack->depth;
    int stop = 0;
    for (uint32_t i = visited < depth ? visited : depth - 1; !stop && i < depth; i++)
        stop = visit(context, i, stack->address[i], i + 1 == depth ? stack->count : 0);
    return stop;
}

/* A count of 0 means that the samples of the stack were removed. */
static int overflow_each(struct overflow_words *words, uint64_t *address,
                         ccprof_visit *visit, void *context)
{
    struct overflow_stack stack = {.address = address};
    uint32_t visited = 0;
    int stop = 0;

    while (!stop && overflow_next(words, &stack)) {
        if (stack.shared < visited)
            visited = stack.shared;
        if (stack.count == 0)
            continue;
        stop = overflow_visit(&stack, visited, visit, context);
        visited = stack.depth;
    }
    return !stop && errno ? -1 : stop;
}

static struct overflow_words overflow_words_of(const struct ccprof_overflow_shard *shard,
                                               bool from_file)
{
    struct overflow_words words;
    words.shard = shard;
    words.from_file = from_file;
    words.done = words.position = words.chunk_words = 0;
    return words;
}

static int overflow_shard_each(struct ccprof_overflow_shard *shard, ccprof_visit *visit,
                               void *context)
{
    struct overflow_words words = overflow_words_of(shard, false);
    int stop;

    /* A handler that was interrupted for good may have left the shard in the middle of
       a change. */
    if (!shard->frozen)
        return 0;
    stop = overflow_each(&words, shard->next, visit, context);
    if (stop || shard->filed == 0)
        return stop;
    words = overflow_words_of(shard, true);
    return overflow_each(&words, shard->next, visit, context);
}

int ccprof_overflow_each(struct ccprof_overflow *overflow, ccprof_visit *visit,
                         void *context)
{
    int stop = 0;
    for (unsigned i = 0; overflow->used && !stop && i < CCPROF_OVERFLOW_SHARDS; i++)
        stop = overflow_shard_each(&overflow->shard[i], visit, context);
    return stop;
}

/* Sets the count at POSITION to 0, in the buffer or in the file. */
static bool overflow_clear(struct overflow_words *words,
                           struct ccprof_overflow_shard *shard, uint64_t position)
{
    static const uint64_t none = 0;
    if (words->from_file)
        return ccprof_overflow_file_write(&shard->file, &none, 1, position) == 1;
    shard->word[position] = 0;
    return true;
}

static uint64_t overflow_take(struct ccprof_overflow_shard *shard, bool from_file,
                              uint64_t dataset)
{
    struct overflow_words words = overflow_words_of(shard, from_file);
    struct overflow_stack stack = {.address = shard->next};
    uint64_t taken = 0;

    while (overflow_next(&words, &stack))
        if (stack.count != 0 && ccprof_tags_dataset(stack.address[0]) == dataset &&
            overflow_clear(&words, shard, stack.position))
            taken += stack.count;
    return taken;
}

/* Removes all samples without reading the stacks in the file. */
static uint64_t overflow_shard_empty(struct ccprof_overflow_shard *shard)
{
    uint64_t taken = shard->filed_sum;

    for (uint32_t position = 0; position < shard->used;
         position += OVERFLOW_HEAD + overflow_added(shard->word[position]))
        taken += shard->word[position + 1];
    shard->used = 0;
    shard->depth = 0;
    shard->filed = 0;
    shard->filed_sum = 0;
    return taken;
}

/* A file without samples is overwritten from its start. */
static uint64_t overflow_shard_take(struct ccprof_overflow_shard *shard, uint64_t dataset)
{
    if (dataset == CCPROF_DATASETS_ALL)
        return overflow_shard_empty(shard);

    uint64_t taken = overflow_take(shard, false, dataset), filed = 0;

    if (shard->filed != 0) {
        filed = overflow_take(shard, true, dataset);
        shard->filed_sum -= filed;
        if (shard->filed_sum == 0)
            shard->filed = 0;
    }
    return taken + filed;
}

uint64_t ccprof_overflow_take(struct ccprof_overflow *overflow, uint64_t dataset)
{
    uint64_t taken = 0;
    for (unsigned i = 0; overflow->used && i < CCPROF_OVERFLOW_SHARDS; i++)
        if (overflow->shard[i].frozen)
            taken += overflow_shard_take(&overflow->shard[i], dataset);
    return taken;
}

void ccprof_overflow_thaw(struct ccprof_overflow *overflow)
{
    for (unsigned i = 0; overflow->used && i < CCPROF_OVERFLOW_SHARDS; i++) {
        bool frozen = overflow->shard[i].frozen;
        overflow->shard[i].frozen = false;
        if (frozen)
            ccprof_spin_release(&overflow->shard[i].busy);
    }
    overflow->closed = false;
}

static void overflow_shard_close(struct ccprof_overflow_shard *shard)
{
    ccprof_overflow_file_close(&shard->file);
    shard->frozen = false;
    shard->used = 0;
    shard->depth = 0;
    shard->filed = 0;
    shard->filed_sum = 0;
    ccprof_spin_release(&shard->busy);
}

void ccprof_overflow_close(struct ccprof_overflow *overflow)
{
    for (unsigned i = 0; overflow->used && i < CCPROF_OVERFLOW_SHARDS; i++)
        overflow_shard_close(&overflow->shard[i]);
    overflow->used = false;
    overflow->closed = false;
}
