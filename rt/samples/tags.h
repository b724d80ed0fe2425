/* SPDX-License-Identifier: MIT */
/* The tags of a sample: its data set, its thread if threads are reported separately,
   and the phases that are open in the thread. This module numbers the data sets, the
   names of phases (labels) and the threads.

   A data set, a thread and a label are encoded as addresses where no code can be.
   They are added at the outer end of the stack: data set, thread, labels, parallelism
   (rt/wait/parallelism.c), from the outside in. The table and the overflow log treat them
   like other addresses. */

#ifndef CCPROF_TAGS_H
#define CCPROF_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/format.h"
#include "rt/os/sys.h"
#include "rt/unwind/stack.h"

/* Addresses at which no processor can have code, since the upper bits of a real
   address are all equal. The lower 48 bits are the number of the data set, label or
   thread. */
#define CCPROF_TAGS_DATASET     0xcc01000000000000u
#define CCPROF_TAGS_LABEL       0xcc02000000000000u
#define CCPROF_TAGS_THREAD      0xcc03000000000000u
#define CCPROF_TAGS_TIME        0xcc04000000000000u /* a bucket of time (times.h) */
#define CCPROF_TAGS_KERNEL      0xcc05000000000000u /* time in the kernel */
#define CCPROF_TAGS_PARALLELISM 0xcc06000000000000u /* number of threads that run */
#define CCPROF_TAGS_KIND        0xffff000000000000u

/* Maximum number of phases kept for a sample; the outermost phases are kept. Regions
   (regions.h) are inside all phases and use the room that the phases leave. */
#define CCPROF_TAGS_LABELS (CCPROF_STACK_AROUND - 5)

/* The tags of a thread. A structure of zeros means the first data set and no phase.
   Only the thread itself changes its tags. Its signal handler reads the tags and
   may assign the thread's number. */
struct ccprof_tags {
    volatile uint64_t dataset; /* number of the data set; 0: the first one */
    uint64_t inherited;        /* data set that the thread has used since its start */
    volatile uint32_t depth;   /* number of open phases, even if LABEL is too short */
    /* Numbers of labels plus 1, outermost first; 0: the phase has no label. */
    volatile uint8_t label[CCPROF_TAGS_LABELS];
    volatile uint32_t thread; /* number of the thread (see below); 0: none yet */
};

extern _Thread_local struct ccprof_tags ccprof_tags;

/* Begin a phase of the calling thread (push), with a label or without one (-1), and
   end the innermost phase (pop). Pop returns false if no phase is open. */
void ccprof_tags_push(int label);
bool ccprof_tags_pop(void);

/* Fills *CHILD for a thread that the calling thread creates, and gives the new thread
   a number. If INHERITS is true, the new thread starts in the data set and the phases
   of the calling thread, and counts as a user of the data set. Otherwise it starts in
   the first data set, without phases. */
void ccprof_tags_create(struct ccprof_tags *child, bool inherits);

/* Gives the calling thread, which has just started, the tags that ccprof_tags_create
   has filled. */
void ccprof_tags_begin(const struct ccprof_tags *created);

/* Adds the calling thread's tags to the outer end of the stack, which must have room.
   Async-signal-safe. */
void ccprof_tags_put(struct ccprof_stack *stack);

/* Adds an address for the kernel to the inner end of the stack. The stack must have
   room, and no tags yet. WHY is one of CCPROF_KERNEL_*. Async-signal-safe. */
void ccprof_tags_put_kernel(struct ccprof_stack *stack, uint64_t why);

/* Fills AROUND with the calling thread's phases, innermost first, and then the thread,
   and records the thread's name. Returns the number of entries. Async-signal-safe. */
#define CCPROF_TAGS_AROUND (CCPROF_TAGS_LABELS + 1)
uint32_t ccprof_tags_around(uint64_t around[CCPROF_TAGS_AROUND]);

/* A key of tags. Tags with equal keys add the same addresses to a stack. A
   structure of zeros is the key of a thread that is not reported separately and is in
   no phase. */
struct ccprof_tags_key {
    uint32_t depth, thread;
    uint8_t label[CCPROF_TAGS_LABELS];
};

/* Fill in KEY for the calling thread, and return whether KEY still matches the calling
   thread. */
void ccprof_tags_get_key(struct ccprof_tags_key *key);
bool ccprof_tags_compare_key(const struct ccprof_tags_key *key);

static inline bool ccprof_tags_has_key(const struct ccprof_tags_key *key)
{
    return (key->depth | ccprof_tags.depth | key->thread) == 0 ||
           ccprof_tags_compare_key(key);
}

/* Returns the number of the data set that ROOT, the outermost address of a stack,
   encodes; 0 if ROOT is another address. */
static inline uint64_t ccprof_tags_dataset(uint64_t root)
{
    return (root & CCPROF_TAGS_KIND) == CCPROF_TAGS_DATASET ? root & ~CCPROF_TAGS_KIND
                                                            : 0;
}

static inline bool ccprof_tags_is_thread(uint64_t address)
{
    return (address & CCPROF_TAGS_KIND) == CCPROF_TAGS_THREAD;
}

static inline bool ccprof_tags_is_parallelism(uint64_t address)
{
    return (address & CCPROF_TAGS_KIND) == CCPROF_TAGS_PARALLELISM;
}

static inline bool ccprof_tags_is_kernel(uint64_t address)
{
    return (address & CCPROF_TAGS_KIND) == CCPROF_TAGS_KERNEL;
}

static inline bool ccprof_tags_is_label(uint64_t address)
{
    return (address & CCPROF_TAGS_KIND) == CCPROF_TAGS_LABEL;
}

/* The data sets of ccprof.h, for the program's calls. A data set contains no samples
   itself: its samples are in the table. The first data set is number 0 and always
   exists. The functions are async-signal-safe and may be called in any thread. */

/* A number that means all data sets together. */
#define CCPROF_DATASETS_ALL UINT64_MAX

/* Maximum number of data sets that exist at the same time. */
#define CCPROF_DATASETS_MAX 1024

/* Returns the slot of a data set other than the first, counted from 0. No two data
   sets that exist at the same time have the same slot. */
static inline unsigned ccprof_datasets_slot(uint64_t dataset)
{
    ccprof_assert((dataset & 0xffff) != 0 && (dataset & 0xffff) <= CCPROF_DATASETS_MAX);
    return (unsigned)(dataset & 0xffff) - 1;
}

/* Makes a data set and returns its number, or 0 if too many exist. Numbers have 48
   bits, and no number is used twice. */
uint64_t ccprof_datasets_new(void);

/* Frees the data set; returns false if it does not exist or is in use. */
bool ccprof_datasets_free(uint64_t dataset);

bool ccprof_datasets_is_there(uint64_t dataset);

/* Use: from now on the calling thread's samples belong to the data set. Returns false
   if the data set does not exist. Leave: the calling thread no longer uses the data
   set. */
bool ccprof_datasets_use(uint64_t dataset);
void ccprof_datasets_leave(uint64_t dataset);

/* The names of the program's phases, in a table of fixed size. The functions are
   async-signal-safe and may be called in any thread. */

#define CCPROF_LABELS_NAME 64 /* bytes, including the NUL */

/* Returns the number of the label, and adds the label if it is new. Returns -1 if
   there is no room. A name that is too long is cut off. */
int ccprof_labels_find(const char *name);

/* Returns the number of labels. */
unsigned ccprof_labels_count(void);
const char *ccprof_labels_name(unsigned number);

/* The numbers and names of threads, for samples that are reported per thread. The
   names are in a table of fixed size, which is mapped only with the setting threads. */

/* Maximum number of threads with names. The samples of all further threads are
   reported together, as "others". */
#define CCPROF_THREADNAMES_MAX 1024

/* Size of a name in bytes, including the NUL: TASK_COMM_LEN in the kernel's
   include/linux/sched.h. */
#define CCPROF_THREADNAMES_NAME 16

/* The number of the first thread, and the common number of all threads for which the
   table has no room. */
#define CCPROF_THREADNAMES_FIRST  1
#define CCPROF_THREADNAMES_OTHERS 0

/* Maps the table of names. Returns false if there is no memory. Called by the
   constructor. */
bool ccprof_threadnames_start(void);

/* Returns whether names are kept. This function and all functions below are
   async-signal-safe and may be called in any thread. */
bool ccprof_threadnames_are_kept(void);

/* Returns the number for a thread that is about to be created, or 0 if names are not
   kept. */
uint32_t ccprof_threadnames_new(void);

/* Returns the number of the calling thread: NUMBER if it is not 0, otherwise a new
   number. */
uint32_t ccprof_threadnames_number(uint32_t number);

/* Records the current name of the calling thread, which has the number NUMBER and is
   being sampled. Returns NUMBER, or CCPROF_THREADNAMES_OTHERS if there is no room. */
uint32_t ccprof_threadnames_note(uint32_t number);

/* Records the final name of the calling thread, which is ending, if the thread was
   sampled. */
void ccprof_threadnames_end(uint32_t number);

/* Removes all threads, in the child of a fork. */
void ccprof_threadnames_drop(void);

/* Finds the sampled thread with the lowest number that is at least NUMBER. Fills in
   NAME and returns the thread's number, or UINT64_MAX if there is none. */
uint64_t ccprof_threadnames_next(uint64_t number, char name[CCPROF_THREADNAMES_NAME]);

#endif
