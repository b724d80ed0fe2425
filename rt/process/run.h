/* SPDX-License-Identifier: MIT */
/* The room rt/process: the life of a run, from its start to its last file. A run lasts
   from the start of sampling to the writing of the profile, in one process. The child
   of a fork has its own run.

     run.h       the state of the run
     gate.h      switches measuring off and on
     sigprof.h   takes the samples
     write.h     decides what is written to which file, and when
     children.h  the CPU time of children without a file
     request.h   answers requests of other processes
     choices.h   what a request may choose before the first sample
     exit.h      ends the run

   The program reaches these functions through rt/entry. rt/output forms and names the
   files.

   Owns the state of the run. Only rt/process and rt/entry use this header. */

#ifndef CCPROF_RUN_H
#define CCPROF_RUN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "rt/os/settings.h"
#include "rt/samples/modules.h"
#include "rt/samples/samples.h"
#include "rt/output/datafile.h"

enum ccprof_phase {
    CCPROF_PHASE_OFF,      /* nothing is measured */
    CCPROF_PHASE_SAMPLING, /* handlers add to the table of samples */
    CCPROF_PHASE_HELD,     /* a thread writes a file, and sampling will continue */
    CCPROF_PHASE_WRITING,  /* a thread writes the profile at the end */
    CCPROF_PHASE_WRITTEN
};

/* The end of a message if nothing is sampled and no timer signals arrive. */
#define CCPROF_RUN_NO_PULSE "nothing is written before the end"

/* The memory of the run, mapped once. The child of a fork empties the members before
   `modules'. */
struct ccprof_memory {
    struct ccprof_samples table;
    struct ccprof_overflow overflow;
    struct ccprof_stacks stacks;
    _Alignas(4096) struct ccprof_modules modules;
    _Alignas(8) char buffer[CCPROF_DATAFILE_BUFFER]; /* for writing files */
};

struct ccprof_run {
    ccprof_spin attaching; /* a thread is attaching modules; never taken in handlers */
    _Atomic int phase;     /* enum ccprof_phase */
    _Atomic int handlers;  /* number of running handlers */
    _Atomic int adding;    /* number of handlers that are changing the table */
    _Atomic bool ending;   /* no thread may hold the run any more */
    bool is_child;         /* the process is the child of a fork */
    bool has_file;         /* the run's own file has been written */
    bool asked;            /* only a request has started it: no file at the end */
    _Atomic pid_t owner;   /* process to which the run belongs */
    _Atomic pid_t writer;  /* thread that writes */
    uint64_t uncounted;    /* threads whose counts are missing */
    uint64_t moved; /* samples moved to other files; changed only while the run is held */
    uint64_t files; /* slices and data sets so far: files whose data left the run */
    unsigned kinds; /* bits of enum ccprof_kind of all modules */
    /* Returns whether SIGPROF still has the runtime's handler. Null if the run has no
       signals. */
    bool (*signal_is_ours)(void);
    bool samples; /* signals take samples; otherwise they only trigger checkpoints */
    struct ccprof_memory *memory;
    struct ccprof_settings settings;
};

extern struct ccprof_run ccprof_run;

/* Maps the memory, chooses the name of the file, and starts the sampler. SAMPLES: its
   signals take samples. SIGNAL_IS_OURS is called when the run ends and must be
   async-signal-safe; null means that there is no sampler. If no timer can be made,
   prints a message and continues without signals. Returns whether there is a run,
   with samples, counts or regions. Constructors call this until there is a run. */
bool ccprof_run_start(bool (*signal_is_ours)(void), bool samples);

/* Returns the end of a message that says why nothing can be sampled: it names the data
   that the run still measures. */
const char *ccprof_run_without_samples(void);

/* Starts to take samples in a run that has taken no samples so far. Called by
   constructors. */
void ccprof_run_sample(bool (*signal_is_ours)(void));

/* Adds new modules to the list. Returns whether a run is active. Called by
   constructors, and when a module is unloaded. */
bool ccprof_run_attach(void);

/* Starts a run in the child of a fork, if the parent's run had not ended. */
void ccprof_run_start_child(void);

/* Returns whether samples are call stacks. If the program keeps its position in a
   thread's word (kind time-field), that word is used instead. */
bool ccprof_run_has_stacks(void);

/* Returns whether the run is active and the gate is open. Async-signal-safe. */
bool ccprof_run_is_on(void);

/* Returns whether the process has or had a run. */
bool ccprof_run_exists(void);

/* Waits for a limited time until *COUNT, a number of handlers, is 0. Returns whether
   it is. There is a limit, since a thread may have been stopped in its handler. */
bool ccprof_run_wait_for(_Atomic int *count);

/* Holds the run: until its release no handler adds to the table, and no thread ends
   the run. Returns 0; EAGAIN if another thread holds the run or a handler does not
   finish; ECANCELED if the run has ended. All signals must be blocked. */
int ccprof_run_hold(void);
void ccprof_run_release(void);

/* Enclose all work of a handler. If enter returns false, the handler must do nothing. */
bool ccprof_run_enter(void);
void ccprof_run_leave(void);

/* Enclose the handler's changes of the table, between enter and leave. If begin
   returns false, the sample is lost. */
bool ccprof_run_add_begin(void);
void ccprof_run_add_end(void);

#endif
