/* SPDX-License-Identifier: MIT */
/* What a sample belongs to: a data set, its thread if threads are reported separately,
   and the phases that are open in the thread.  Numbers the data sets, the names of phases
   (labels) and the threads.

   A data set, a thread and a label are kept as addresses at which no code can be.  They
   are put at the outer end of the stack, in this order, outermost first, so that the
   table and the overflow log treat them like any address.  */

#ifndef CCPROF_SCOPE_H
#define CCPROF_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/format.h"
#include "rt/os/sys.h"
#include "rt/unwind/stack.h"

/* Addresses at which no processor has code, since the upper bits of a real address are
   all equal.  The lower 48 bits are the number of the data set, label or thread.  */
#define CCPROF_SCOPE_DATASET 0xcc01000000000000u
#define CCPROF_SCOPE_LABEL   0xcc02000000000000u
#define CCPROF_SCOPE_THREAD  0xcc03000000000000u
#define CCPROF_SCOPE_TIME    0xcc04000000000000u /* a bucket of time (times.h) */
#define CCPROF_SCOPE_KERNEL  0xcc05000000000000u /* time in the kernel */
#define CCPROF_SCOPE_KIND    0xffff000000000000u

/* The most phases that are kept for a sample, outermost first.  The regions (regions.h)
   inside all phases get the room that phases leave.  */
#define CCPROF_SCOPE_LABELS (CCPROF_STACK_AROUND - 4)

/* The scope of a thread.  All zeros is the first data set and no phase.  Only the thread
   changes its scope; its handler reads the scope, and may number the thread.  */
struct ccprof_scope {
    volatile uint64_t dataset; /* number of the data set; 0: the first one */
    uint64_t inherited;        /* the data set that the thread has used from its start */
    volatile uint32_t depth; /* open phases, which may be more than LABEL has room for */
    /* Numbers of labels plus 1, outermost first; 0: the phase has no label.  */
    volatile uint8_t label[CCPROF_SCOPE_LABELS];
    volatile uint32_t thread; /* number of the thread (threadnames below); 0: none yet */
};

extern _Thread_local struct ccprof_scope ccprof_scope;

/* Begins a phase of the calling thread (push), with a label or without one (-1); ends the
   last phase (pop), or returns false if no phase is open.  */
void ccprof_scope_push(int label);
bool ccprof_scope_pop(void);

/* Fills *CHILD for a thread that the calling thread creates, and gives the new thread a
   number.  If it INHERITS, it starts in the data set and the phases of its creator, and
   uses the data set; otherwise it starts in the first data set, with no
   phase.  */
void ccprof_scope_create(struct ccprof_scope *child, bool inherits);

/* Gives the calling thread, which begins, the scope that was filled for it.  */
void ccprof_scope_begin(const struct ccprof_scope *created);

/* Puts the calling thread's scope around the stack, which must have room.
   Async-signal-safe.  */
void ccprof_scope_put(struct ccprof_stack *stack);

/* Puts the kernel to the inner end of the stack, which must have room and nothing around
   it yet.  WHY is one of CCPROF_KERNEL_*.  Async-signal-safe.  */
void ccprof_scope_put_kernel(struct ccprof_stack *stack, uint64_t why);

/* Fills AROUND with the phases of the calling thread and the thread, innermost first, and
   keeps the thread's name.  Returns how many there are.  Async-signal-safe.  */
#define CCPROF_SCOPE_AROUND (CCPROF_SCOPE_LABELS + 1)
uint32_t ccprof_scope_around(uint64_t around[CCPROF_SCOPE_AROUND]);

/* Scopes with equal keys put the same addresses around a stack.  All zeros is the key of
   a thread that is not reported separately, in no phase.  */
struct ccprof_scope_key {
    uint32_t depth, thread;
    uint8_t label[CCPROF_SCOPE_LABELS];
};

/* Fill in KEY for the calling thread; and return whether KEY is still the calling
 * thread's.  */
void ccprof_scope_get_key(struct ccprof_scope_key *key);
bool ccprof_scope_compare_key(const struct ccprof_scope_key *key);

static inline bool ccprof_scope_has_key(const struct ccprof_scope_key *key)
{
    return (key->depth | ccprof_scope.depth | key->thread) == 0 ||
           ccprof_scope_compare_key(key);
}

/* Returns the number of the data set that a stack's outermost address ROOT stands for; 0
   if it stands for none.  */
static inline uint64_t ccprof_scope_dataset(uint64_t root)
{
    return (root & CCPROF_SCOPE_KIND) == CCPROF_SCOPE_DATASET ? root & ~CCPROF_SCOPE_KIND
                                                              : 0;
}

static inline bool ccprof_scope_is_thread(uint64_t address)
{
    return (address & CCPROF_SCOPE_KIND) == CCPROF_SCOPE_THREAD;
}

static inline bool ccprof_scope_is_kernel(uint64_t address)
{
    return (address & CCPROF_SCOPE_KIND) == CCPROF_SCOPE_KERNEL;
}

static inline bool ccprof_scope_is_label(uint64_t address)
{
    return (address & CCPROF_SCOPE_KIND) == CCPROF_SCOPE_LABEL;
}

/* The data sets of ccprof.h, for the program's calls.  A data set holds nothing by
   itself: its samples are in the table.  The first data set is number 0, which always
   exists.  The functions are async-signal-safe, in any thread.  */

/* Stands for all data sets together.  */
#define CCPROF_DATASETS_ALL UINT64_MAX

/* The most data sets that exist at the same time.  */
#define CCPROF_DATASETS_MAX 1024

/* Returns the slot of a data set other than the first, from 0 on.  No two data sets that
   exist at the same time have the same slot.  */
static inline unsigned ccprof_datasets_slot(uint64_t dataset)
{
    ccprof_assert((dataset & 0xffff) != 0 && (dataset & 0xffff) <= CCPROF_DATASETS_MAX);
    return (unsigned)(dataset & 0xffff) - 1;
}

/* Makes a data set and returns its number; 0 if too many exist.  Numbers have 48 bits,
   and none is given twice.  */
uint64_t ccprof_datasets_new(void);

/* Frees the data set; returns false if it does not exist or is in use.  */
bool ccprof_datasets_free(uint64_t dataset);

bool ccprof_datasets_is_there(uint64_t dataset);

/* The calling thread's samples belong to the data set from now on (use), or no longer
   (leave).  Use returns false if the data set does not exist.  */
bool ccprof_datasets_use(uint64_t dataset);
void ccprof_datasets_leave(uint64_t dataset);

/* The names of phases that the program has given, in a table of fixed size.  The
   functions are async-signal-safe, in any thread.  */

#define CCPROF_LABELS_NAME 64 /* bytes, with the NUL */

/* Returns the number of the label.  Adds it if it is new; returns -1 if there is no room.
   Cuts off a name that is too long.  */
int ccprof_labels_find(const char *name);

/* Returns how many labels there are.  */
unsigned ccprof_labels_count(void);
const char *ccprof_labels_name(unsigned number);

/* The numbers and names of threads, for samples that are reported by thread.  The names
   are in a table of fixed size, which is mapped only with the setting threads.  */

/* The most threads that have names.  The samples of all further threads are reported
   together, as "others".  */
#define CCPROF_THREADNAMES_MAX 1024

/* Bytes of a name with its NUL: TASK_COMM_LEN in the kernel's include/linux/sched.h.  */
#define CCPROF_THREADNAMES_NAME 16

/* The number of the first thread, and the number that stands for all threads without a
   place.  */
#define CCPROF_THREADNAMES_FIRST  1
#define CCPROF_THREADNAMES_OTHERS 0

/* Maps the table of names; returns false if there is no memory.  Constructor.  */
bool ccprof_threadnames_start(void);

/* Returns whether names are kept.  This function and all that follow are
   async-signal-safe, in any thread.  */
bool ccprof_threadnames_are_kept(void);

/* Returns the number of a thread that is about to be made; 0 if names are not kept.  */
uint32_t ccprof_threadnames_new(void);

/* Returns the number of the calling thread: NUMBER, or a new number if NUMBER is 0.  */
uint32_t ccprof_threadnames_number(uint32_t number);

/* Keeps the current name of the calling thread, whose number is NUMBER, since it is
   sampled.  Returns NUMBER, or CCPROF_THREADNAMES_OTHERS if there is no room.  */
uint32_t ccprof_threadnames_note(uint32_t number);

/* Keeps the last name of the calling thread, which ends, if it was sampled.  */
void ccprof_threadnames_end(uint32_t number);

/* Forgets all threads, in the child of a fork.  */
void ccprof_threadnames_drop(void);

/* Finds the sampled thread with the lowest number from NUMBER on: fills in NAME and
   returns the number, or UINT64_MAX if there is none.  */
uint64_t ccprof_threadnames_next(uint64_t number, char name[CCPROF_THREADNAMES_NAME]);

#endif
