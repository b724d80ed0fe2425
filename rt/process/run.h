/* SPDX-License-Identifier: MIT */
/* Owns the state of the run, for the rest of the room.  A run is one process from the
   start of sampling to its profile; the child of a fork has its own run.  */

#ifndef CCPROF_RUN_H
#define CCPROF_RUN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "rt/os/settings.h"
#include "rt/process/datafile.h"
#include "rt/samples/modules.h"
#include "rt/samples/table.h"

enum ccprof_phase {
    CCPROF_PHASE_OFF,      /* nothing is measured */
    CCPROF_PHASE_SAMPLING, /* the handler adds to the table */
    CCPROF_PHASE_HELD,     /* a thread writes a file, and sampling will go on */
    CCPROF_PHASE_WRITING,  /* a thread writes the profile at the end */
    CCPROF_PHASE_WRITTEN
};

#define CCPROF_RUN_STACK (64 << 10)

/* The end of a message: what follows if no signals come where nothing is sampled.  */
#define CCPROF_RUN_NO_PULSE "nothing is written before the end"

/* The memory of the run, mapped once.  The members before `modules' are emptied in the
   child of a fork.  */
struct ccprof_memory {
    struct ccprof_table table;
    struct ccprof_overflow overflow;
    struct ccprof_stacks stacks;
    _Alignas(4096) struct ccprof_modules modules;
    char buffer[CCPROF_DATAFILE_BUFFER]; /* for writing files */
    char stack[CCPROF_RUN_STACK]; /* for signals when the program's own stack is full */
};

struct ccprof_run {
    ccprof_spin attaching; /* held by one thread at a time, outside of handlers */
    _Atomic int phase;     /* enum ccprof_phase */
    _Atomic int handlers;  /* handlers that are running */
    _Atomic int adding;    /* handlers that are changing the table */
    _Atomic bool ending;   /* no thread may hold the run any more */
    bool is_child;         /* the process is the child of a fork */
    _Atomic pid_t owner;   /* the process to which the run belongs */
    _Atomic pid_t writer;  /* the thread that writes */
    uint64_t uncounted;    /* threads: the last result of ccprof_unregistered_gather */
    uint64_t moved; /* samples moved to other files; changed by the thread that holds the
                       run */
    unsigned kinds; /* bits of enum ccprof_kind, of all modules */
    /* Returns whether the sampler's signals still come to our handler; null: there are
       none.  */
    bool (*signal_is_ours)(void);
    bool samples; /* each signal is a sample; otherwise they only bring checkpoints */
    struct ccprof_memory *memory;
    struct ccprof_settings settings;
};

extern struct ccprof_run ccprof_run;

/* Maps the memory, chooses the name of the file, and starts the sampler; SAMPLES:
   its signals are samples.  SIGNAL_IS_OURS is called when the run ends, and must be
   async-signal-safe; null: there is no sampler.  If there is no timer, says so and goes
   on without signals.  Returns whether there is a run, with samples, counts or regions.
   Constructor, until there is a run.  */
bool ccprof_run_start(bool (*signal_is_ours)(void), bool samples);

/* Returns the end of a message that says why nothing can be sampled: what the run still
   measures.  */
const char *ccprof_run_without_samples(void);

/* Starts to sample in a run that has taken no samples yet.  Constructor.  */
void ccprof_run_sample(bool (*signal_is_ours)(void));

/* Adds the modules that are new.  Returns whether there is a run for them.  Constructor,
   and where a module is unloaded.  */
bool ccprof_run_attach(void);

/* Starts a run in the child of a fork, if the parent had one that was not over.  */
void ccprof_run_start_child(void);

/* Returns whether samples are whole stacks.  With a field, the field alone shows where a
   thread is.  */
bool ccprof_run_has_stacks(void);

/* Returns whether samples are being taken.  Async-signal-safe.  */
bool ccprof_run_is_on(void);

/* Returns whether the program is profiled, or was until now.  */
bool ccprof_run_is_there(void);

/* Waits until COUNT, a number of handlers, is 0, for a limited time, since a thread may
   have been stopped.  Returns whether COUNT is 0.  */
bool ccprof_run_wait_for(_Atomic int *count);

/* Holds the run: until its release no handler adds to the table, and no thread ends the
   run.  Returns 0; EAGAIN if another thread holds the run, or a handler does not finish;
   ECANCELED if the run has ended.  All signals must be blocked.  */
int ccprof_run_hold(void);
void ccprof_run_release(void);

/* Enclose all that the handler does.  If enter returns false, the handler must do
   nothing.  */
bool ccprof_run_enter(void);
void ccprof_run_leave(void);

/* Enclose, within enter and leave, what the handler does with the table.  If begin
   returns false, the sample is lost.  */
bool ccprof_run_add_begin(void);
void ccprof_run_add_end(void);

#endif
