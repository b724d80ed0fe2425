/* SPDX-License-Identifier: MIT */
/* Owns the tags of each thread, the data sets, the names of phases, and the numbers
   and names of threads. Push, pop and begin are called by the thread itself, put by
   the SIGPROF handler, and create by the thread that creates another thread. The
   program's calls find labels and make data sets. */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>

#include "rt/os/sys.h"
#include "rt/os/memory.h"
#include "rt/os/lock.h"
#include "rt/samples/tags.h"

_Thread_local struct ccprof_tags ccprof_tags;

/* The label is stored before the depth grows, since a signal handler may read both at
   any moment. */
void ccprof_tags_push(int label)
{
    uint32_t depth = ccprof_tags.depth;
    if (depth < CCPROF_TAGS_LABELS)
        ccprof_tags.label[depth] = (uint8_t)(label + 1);
    ccprof_tags.depth = depth + 1;
}

bool ccprof_tags_pop(void)
{
    uint32_t depth = ccprof_tags.depth;
    if (depth == 0)
        return false;
    ccprof_tags.depth = depth - 1;
    return true;
}

void ccprof_tags_create(struct ccprof_tags *child, bool inherits)
{
    *child = inherits ? ccprof_tags : (struct ccprof_tags){0};
    child->inherited = ccprof_datasets_use(child->dataset) ? child->dataset : 0;
    child->dataset = child->inherited;
    child->thread = ccprof_threadnames_new();
}

/* If the thread was created with its own signal mask (pthread_attr_setsigmask_np), it
   may have been sampled already, and then it has a number. */
void ccprof_tags_begin(const struct ccprof_tags *created)
{
    uint32_t thread = ccprof_tags.thread;
    ccprof_tags = *created;
    if (thread != 0)
        ccprof_tags.thread = thread;
}

/* Returns the number of phases that are kept. */
static uint32_t tags_depth(void)
{
    uint32_t depth = ccprof_tags.depth;

    return depth > CCPROF_TAGS_LABELS ? CCPROF_TAGS_LABELS : depth;
}

uint32_t ccprof_tags_around(uint64_t around[CCPROF_TAGS_AROUND])
{
    struct ccprof_tags *tags = &ccprof_tags;
    uint32_t count = 0;

    for (uint32_t depth = tags_depth(); depth-- > 0;)
        if (tags->label[depth] != 0)
            around[count++] = CCPROF_TAGS_LABEL | (tags->label[depth] - 1u);
    if (ccprof_threadnames_are_kept()) {
        tags->thread = ccprof_threadnames_number(tags->thread);
        around[count++] = CCPROF_TAGS_THREAD | ccprof_threadnames_note(tags->thread);
    }
    return count;
}

void ccprof_tags_put(struct ccprof_stack *stack)
{
    ccprof_assert(stack->depth + tags_depth() + 2 <= CCPROF_STACK_DEPTH);
    stack->depth += ccprof_tags_around(&stack->address[stack->depth]);
    if (ccprof_tags.dataset != 0)
        stack->address[stack->depth++] = CCPROF_TAGS_DATASET | ccprof_tags.dataset;
}

void ccprof_tags_put_kernel(struct ccprof_stack *stack, uint64_t why)
{
    ccprof_assert(stack->depth <= CCPROF_STACK_DEPTH - CCPROF_STACK_AROUND);
    memmove(stack->address + 1, stack->address, stack->depth * sizeof *stack->address);
    stack->address[0] = CCPROF_TAGS_KERNEL | why;
    stack->depth++;
}

void ccprof_tags_get_key(struct ccprof_tags_key *key)
{
    const uint32_t depth = tags_depth();

    *key = (struct ccprof_tags_key){.depth = depth};
    for (uint32_t i = 0; i < depth; i++)
        key->label[i] = ccprof_tags.label[i];
    if (ccprof_threadnames_are_kept())
        key->thread = ccprof_tags.thread = ccprof_threadnames_number(ccprof_tags.thread);
}

bool ccprof_tags_compare_key(const struct ccprof_tags_key *key)
{
    const uint32_t depth = tags_depth();

    if (key->depth != depth)
        return false;
    for (uint32_t i = 0; i < depth; i++)
        if (key->label[i] != ccprof_tags.label[i])
            return false;
    return key->thread == 0 || key->thread == ccprof_tags.thread;
}

/* Each data set is one word, so that no lock is needed. The lower 16 bits of a data
   set's number are the number of its slot, counted from 1. The bits above count the
   earlier data sets in the slot, so that the number of a freed data set is recognized
   as stale. */

/* The word of a slot. Bit 0: the slot has a data set. The other bits of the lower
   half: number of threads that use the data set. The upper half: number of earlier
   data sets in the slot. */
#define DATASETS_THERE  1u
#define DATASETS_USE    2u
#define DATASETS_BEFORE 32

#define DATASETS_SLOT 0xffffu

static _Atomic uint64_t dataset_slots[CCPROF_DATASETS_MAX];

static uint64_t datasets_before(uint64_t dataset)
{
    return dataset >> 16 << DATASETS_BEFORE;
}

static uint64_t datasets_number(unsigned slot, uint64_t word)
{
    return word >> DATASETS_BEFORE << 16 | (slot + 1);
}

/* Returns null if no data set can have this number. */
static _Atomic uint64_t *datasets_find(uint64_t dataset)
{
    uint64_t slot = dataset & DATASETS_SLOT;
    return slot != 0 && slot <= CCPROF_DATASETS_MAX ? &dataset_slots[slot - 1] : NULL;
}

static bool datasets_holds(uint64_t word, uint64_t dataset)
{
    return (word & DATASETS_THERE) &&
           word >> DATASETS_BEFORE << DATASETS_BEFORE == datasets_before(dataset);
}

uint64_t ccprof_datasets_new(void)
{
    for (unsigned i = 0; i < CCPROF_DATASETS_MAX; i++) {
        uint64_t word = atomic_load(&dataset_slots[i]);
        if (!(word & DATASETS_THERE) &&
            atomic_compare_exchange_strong(&dataset_slots[i], &word,
                                           word | DATASETS_THERE))
            return datasets_number(i, word);
    }
    return 0;
}

bool ccprof_datasets_free(uint64_t dataset)
{
    _Atomic uint64_t *slot = datasets_find(dataset);
    uint64_t word = datasets_before(dataset) | DATASETS_THERE;
    return slot &&
           atomic_compare_exchange_strong(
               slot, &word, datasets_before(dataset) + ((uint64_t)1 << DATASETS_BEFORE));
}

bool ccprof_datasets_is_there(uint64_t dataset)
{
    _Atomic uint64_t *slot = datasets_find(dataset);
    return dataset == 0 || (slot && datasets_holds(atomic_load(slot), dataset));
}

bool ccprof_datasets_use(uint64_t dataset)
{
    _Atomic uint64_t *slot = datasets_find(dataset);
    uint64_t word;

    if (dataset == 0)
        return true;
    if (!slot)
        return false;
    word = atomic_load(slot);
    do
        if (!datasets_holds(word, dataset))
            return false;
    while (!atomic_compare_exchange_weak(slot, &word, word + DATASETS_USE));
    return true;
}

void ccprof_datasets_leave(uint64_t dataset)
{
    ccprof_assert(dataset == 0 || datasets_find(dataset));
    if (dataset != 0)
        atomic_fetch_sub(datasets_find(dataset), DATASETS_USE);
}

/* A name of a phase never changes after it is stored, so that it can be read without a
   lock. */
enum labels_state { LABELS_FREE, LABELS_BEING_MADE, LABELS_LOST, LABELS_MADE };

/* How long a thread waits for another thread that is making a label, in nanoseconds.
   After a fork that other thread may exist only in the parent. Such a label is then
   given up, so that no thread waits for it again. */
#define LABELS_PATIENCE 20000000u

/* Maximum length of a UTF-8 character in bytes. */
#define LABELS_UTF8 4

static struct {
    _Atomic int state;
    char name[CCPROF_LABELS_NAME];
} labels[CCPROF_LABELS_MAX];

/* Returns the length at which a name is cut off. UTF-8 characters are not split. */
static size_t labels_length(const char *name)
{
    size_t length = strnlen(name, CCPROF_LABELS_NAME - 1);
    size_t back = 0;

    if (name[length] == '\0')
        return length;
    while (back < LABELS_UTF8 && (name[length - back] & 0xc0) == 0x80)
        back++;
    return back < LABELS_UTF8 ? length - back : length;
}

static int labels_wait(_Atomic int *state)
{
    const uint64_t until = ccprof_sys_clock(CLOCK_MONOTONIC) + LABELS_PATIENCE;
    uint32_t turn = 0;
    int now = LABELS_BEING_MADE;

    while (now == LABELS_BEING_MADE && ccprof_sys_clock(CLOCK_MONOTONIC) < until) {
        ccprof_spin_pause(&turn);
        now = atomic_load_explicit(state, memory_order_acquire);
    }
    if (now == LABELS_BEING_MADE)
        atomic_compare_exchange_strong(state, &now, LABELS_LOST);
    return now;
}

static int labels_state(unsigned number)
{
    _Atomic int *state = &labels[number].state;
    int now = atomic_load_explicit(state, memory_order_acquire);

    return now == LABELS_BEING_MADE ? labels_wait(state) : now;
}

/* Makes label NUMBER. Returns false if the label exists already. */
static bool labels_make(unsigned number, const char *name, size_t length)
{
    int state = LABELS_FREE;
    if (!atomic_compare_exchange_strong(&labels[number].state, &state, LABELS_BEING_MADE))
        return false;
    memcpy(labels[number].name, name, length);
    labels[number].name[length] = '\0';
    atomic_store_explicit(&labels[number].state, LABELS_MADE, memory_order_release);
    return true;
}

int ccprof_labels_find(const char *name)
{
    size_t length = labels_length(name);

    for (unsigned i = 0; i < CCPROF_LABELS_MAX; i++) {
        int state = labels_state(i);
        if (state == LABELS_FREE && labels_make(i, name, length))
            return (int)i;
        if (labels_state(i) == LABELS_MADE &&
            strncmp(labels[i].name, name, length) == 0 && labels[i].name[length] == '\0')
            return (int)i;
    }
    return -1;
}

unsigned ccprof_labels_count(void)
{
    unsigned count = 0;
    while (count < CCPROF_LABELS_MAX && labels[count].state != LABELS_FREE)
        count++;
    return count;
}

const char *ccprof_labels_name(unsigned number)
{
    ccprof_assert(number < CCPROF_LABELS_MAX);
    return labels[number].state == LABELS_MADE ? labels[number].name : "?";
}

/* A thread gets its slot with its first sample and keeps it until the end of the run.
   A name is two words, which only its own thread writes. */

#define THREADNAMES_WORDS (CCPROF_THREADNAMES_NAME / sizeof(uint64_t))

struct threadnames_place {
    _Atomic uint64_t name[THREADNAMES_WORDS];
    _Atomic uint32_t number; /* 0: free */
};

static struct threadnames_place *thread_places; /* null: names are not kept */
static _Atomic uint32_t last_thread;            /* last number given to a thread */
static _Atomic bool other_threads; /* there was no slot for at least one thread */

static size_t threadnames_size(void)
{
    return CCPROF_THREADNAMES_MAX * sizeof *thread_places;
}

bool ccprof_threadnames_start(void)
{
    if (!thread_places) {
        atomic_store(&last_thread, CCPROF_THREADNAMES_FIRST);
        thread_places = ccprof_pages_map(threadnames_size());
    }
    return thread_places;
}

bool ccprof_threadnames_are_kept(void)
{
    return thread_places;
}

void ccprof_threadnames_drop(void)
{
    if (!thread_places)
        return;
    memset(thread_places, 0, threadnames_size());
    atomic_store(&last_thread, CCPROF_THREADNAMES_FIRST);
    atomic_store(&other_threads, false);
}

uint32_t ccprof_threadnames_new(void)
{
    return thread_places ? atomic_fetch_add(&last_thread, 1) + 1 : 0;
}

uint32_t ccprof_threadnames_number(uint32_t number)
{
    if (number != 0)
        return number;
    return ccprof_sys_gettid() == ccprof_sys_getpid() ? CCPROF_THREADNAMES_FIRST
                                                      : ccprof_threadnames_new();
}

/* Returns the slot of thread NUMBER, or null if there is none. If MAKE is true, makes
   the slot if it is missing. */
static struct threadnames_place *threadnames_place(uint32_t number, bool make)
{
    for (uint32_t i = 0; i < CCPROF_THREADNAMES_MAX; i++) {
        struct threadnames_place *place =
            &thread_places[(number + i) % CCPROF_THREADNAMES_MAX];
        uint32_t existing = atomic_load(&place->number);
        if (existing == 0 && make &&
            atomic_compare_exchange_strong(&place->number, &existing, number))
            return place;
        if (existing == number || (existing == 0 && !make))
            return existing ? place : NULL;
    }
    return NULL;
}

static void threadnames_keep(struct threadnames_place *place)
{
    uint64_t name[THREADNAMES_WORDS] = {0};

    syscall(SYS_prctl, PR_GET_NAME, name);
    for (size_t i = 0; i < THREADNAMES_WORDS; i++)
        atomic_store_explicit(&place->name[i], name[i], memory_order_relaxed);
}

uint32_t ccprof_threadnames_note(uint32_t number)
{
    struct threadnames_place *place = threadnames_place(number, true);

    if (!place) {
        atomic_store(&other_threads, true);
        return CCPROF_THREADNAMES_OTHERS;
    }
    threadnames_keep(place);
    return number;
}

void ccprof_threadnames_end(uint32_t number)
{
    struct threadnames_place *place =
        thread_places && number != 0 ? threadnames_place(number, false) : NULL;
    if (place)
        threadnames_keep(place);
}

static void threadnames_read(const struct threadnames_place *place, char *name)
{
    uint64_t words[THREADNAMES_WORDS];

    for (size_t i = 0; i < THREADNAMES_WORDS; i++)
        words[i] = atomic_load_explicit(&place->name[i], memory_order_relaxed);
    memcpy(name, words, sizeof words);
    name[CCPROF_THREADNAMES_NAME - 1] = '\0';
}

uint64_t ccprof_threadnames_next(uint64_t number, char name[CCPROF_THREADNAMES_NAME])
{
    const struct threadnames_place *next = NULL;
    uint64_t best = UINT64_MAX;

    if (number == CCPROF_THREADNAMES_OTHERS && atomic_load(&other_threads)) {
        memcpy(name, "others", sizeof "others");
        return CCPROF_THREADNAMES_OTHERS;
    }
    for (size_t i = 0; thread_places && i < CCPROF_THREADNAMES_MAX; i++) {
        uint64_t existing = atomic_load(&thread_places[i].number);
        if (existing != 0 && existing >= number && existing < best) {
            best = existing;
            next = &thread_places[i];
        }
    }
    if (next)
        threadnames_read(next, name);
    return best;
}
