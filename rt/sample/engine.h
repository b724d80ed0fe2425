/* SPDX-License-Identifier: MIT */
/* Makes SIGPROF come to a thread, for the sampler.  An engine sends the signals of a
   thread only while the thread runs, so that no signal interrupts a wait; only
   wall-timer, whose time includes waits, does otherwise.  */

#ifndef CCPROF_ENGINE_H
#define CCPROF_ENGINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "rt/sample/interval.h"
#include "rt/sample/ticks.h"

struct ccprof_engine;

/* How many samples a signal stands for, 0 or more, and how many of these are time in the
   kernel.  INTERRUPTED: the signal came there, but at no system call.  */
struct ccprof_taken {
    uint64_t samples, kernel;
    bool interrupted;
};

/* The slot of a thread that is or was sampled.  There are many, so it is small.  */
struct ccprof_thread {
    _Atomic pid_t tid; /* 0: this slot is free */
    bool ending;       /* the thread is ending and must not be armed again */
    bool twice;        /* the engine has two events for the thread */
    bool late;         /* a sample is due, which the next signal takes */
    /* Null: only the lookout samples the thread.  The members below belong to the engine,
       and are valid while there is an engine.  */
    const struct ccprof_engine *_Atomic engine;
    char *event;      /* the pages that keep the engine's events alive */
    int handle;       /* the engine's timer */
    int kernel_timer; /* the timer that finds samples for time in the kernel; -1: none */
    struct ccprof_interval interval; /* tells when the next sample is due */
    uint64_t planned;                /* CPU time for which the next signal was planned */
    uint32_t delay;        /* delay of the next signal, from when it was planned */
    uint32_t kernel;       /* samples due for time in the kernel, of unknown address */
    uint64_t kernel_since; /* CPU time since which these samples have waited */
    struct ccprof_ticks ticks; /* of the signals that come at the kernel's tick */
};

/* An engine.  All functions are async-signal-safe.  */
struct ccprof_engine {
    const char *name; /* its name in mlmon.out(5) */

    /* Starts to sample THREAD of this process each PERIOD nanoseconds on average, at a
       random phase.  Returns 0 or an errno value.  */
    int (*arm)(struct ccprof_thread *thread, uint64_t period);

    /* Ends the sampling of THREAD.  A signal may still be pending.  */
    void (*disarm)(struct ccprof_thread *thread);

    /* Gives up what the child of a fork has inherited; may be null.  */
    void (*drop)(struct ccprof_thread *thread);

    /* Returns whether the thread is still armed.  The thread may have ended, with its
       number now another thread's.  */
    bool (*is_armed)(const struct ccprof_thread *thread);

    /* Returns the samples that the signal stands for.  AT_CALL: it came at a system call.
       Called in the handler, with its argument, in the thread itself.  */
    struct ccprof_taken (*take)(struct ccprof_thread *thread, const siginfo_t *info,
                                bool at_call);
};

extern const struct ccprof_engine ccprof_engine_task_clock;
extern const struct ccprof_engine ccprof_engine_thread_timer;
extern const struct ccprof_engine ccprof_engine_wall_timer;

#endif
