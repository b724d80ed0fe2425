/* SPDX-License-Identifier: MIT */
/* Owns the state of the run for the rest of the room: one process from the start of
   sampling to its profile.  The child of a fork is a run of its own.  */

#ifndef CCPROF_RUN_H
#define CCPROF_RUN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "rt/os/settings.h"
#include "rt/process/claim.h"
#include "rt/table/modules.h"
#include "rt/table/table.h"

enum ccprof_phase {
    CCPROF_PHASE_OFF,      /* nothing is measured */
    CCPROF_PHASE_SAMPLING, /* the handler adds to the table */
    CCPROF_PHASE_HELD,     /* one thread writes what there is, and sampling will go on */
    CCPROF_PHASE_WRITING,  /* one thread writes the profile */
    CCPROF_PHASE_WRITTEN
};

#define CCPROF_RUN_STACK (64 << 10)

/* All the memory that the runtime ever uses, beside what it is linked with.
   What stands first is emptied in the child of a fork.  */
struct ccprof_memory {
    struct ccprof_table table;
    struct ccprof_overflow overflow;
    struct ccprof_stacks stacks;
    _Alignas(4096) struct ccprof_modules modules;
    char buffer[CCPROF_CLAIM_BUFFER]; /* for writing the profile */
    char stack[CCPROF_RUN_STACK];     /* for signals when the program's own is full */
};

struct ccprof_run {
    ccprof_spin attaching; /* one thread at a time, outside of handlers */
    _Atomic int phase;     /* enum ccprof_phase */
    _Atomic int handlers;  /* at work now */
    _Atomic int adding;    /* those that are at work on the table */
    _Atomic bool ending;   /* nobody may hold the run any more */
    bool is_child;         /* of a fork */
    _Atomic pid_t owner;   /* the process that this is the run of */
    _Atomic pid_t writer;  /* the thread that writes */
    uint64_t uncounted;    /* threads: what the last ccprof_unregistered_gather said */
    uint64_t moved;        /* samples that were moved to other files; who holds the run */
    unsigned kinds;        /* enum ccprof_kind, of all modules */
    /* Whether samples still come to our handler; null: none are taken, only counts.  */
    bool (*signal_is_ours)(void);
    struct ccprof_memory *memory;
    struct ccprof_settings settings;
};

extern struct ccprof_run ccprof_run;

/* Makes the memory, settles where the file will be, and starts sampling.
   SIGNAL_IS_OURS is asked at the end, async-signal-safe; null: nothing is sampled, nor is
   it where there is no timer, which is said.  Returns whether there is a run: there are
   samples, or counts.  Constructor, until there is one.  */
bool ccprof_run_start(bool (*signal_is_ours)(void));

/* What becomes of the program where nothing can be sampled: the end of a line.  */
const char *ccprof_run_without_samples(void);

/* Starts sampling in a run that does not sample yet.  Constructor.  */
void ccprof_run_sample(bool (*signal_is_ours)(void));

/* Takes note of the modules that have come.  Returns whether there is anything to do for
   them: a run goes on.  Constructor, and wherever a module goes.  */
bool ccprof_run_attach(void);

/* Starts afresh in the child of a fork, if its parent was sampling or counting.  */
void ccprof_run_start_child(void);

/* Whether samples are whole stacks, where there is no field to tell where a thread is. */
bool ccprof_run_has_stacks(void);

/* Whether samples are taken.  Async-signal-safe.  */
bool ccprof_run_is_on(void);

/* Whether the program is profiled, or was until now.  */
bool ccprof_run_is_there(void);

/* Until the COUNT of those at work is 0, though not for ever: a thread may have been
   stopped.  Returns whether it is.  */
bool ccprof_run_wait_for(_Atomic int *count);

/* Until it is released, nobody adds to the table or ends the run.  Returns 0; EAGAIN if
   another thread holds it or does not come to an end with its sample; ECANCELED if the
   run has ended.  All signals are blocked.  */
int ccprof_run_hold(void);
void ccprof_run_release(void);

/* Brackets around all that the handler does; if enter returns false, nothing may be
   done.  */
bool ccprof_run_enter(void);
void ccprof_run_leave(void);

/* Within them, brackets around what it does with the table; if begin returns false, the
   sample is lost.  */
bool ccprof_run_add_begin(void);
void ccprof_run_add_end(void);

#endif
