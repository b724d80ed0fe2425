/* SPDX-License-Identifier: MIT */
/* Makes SIGPROF come to a thread, for the sampler.  An engine sends the signals of a
   thread while this one runs, so that none of them interrupts a wait: but for wall-timer,
   whose time waits are part of.  */

#ifndef CCPROF_ENGINE_H
#define CCPROF_ENGINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "rt/sample/interval.h"

struct ccprof_engine;

/* A thread that is sampled, or was.  */
struct ccprof_thread {
    _Atomic pid_t tid; /* 0: the slot is free */
    bool ending;       /* not to be armed any more */
    /* Null: only the lookout.  What stands below belongs to the engine, and is there when
       the engine is.  */
    const struct ccprof_engine *_Atomic engine;
    int handle;       /* the engine's descriptor or timer */
    int kernel_timer; /* finds samples for time in the kernel; -1: there is none */
    struct ccprof_interval interval; /* when the next sample is due */
    uint64_t delay;                  /* of the next signal when it was planned */
    uint64_t planned;                /* for this time on its CPU clock */
    uint64_t kernel; /* samples due for time in the kernel, their address not known */
    uint64_t kernel_since; /* on its CPU clock */
};

/* All functions are async-signal-safe.  */
struct ccprof_engine {
    const char *name; /* its word in mlmon.out(5) */

    /* Starts sampling THREAD of this process each PERIOD nanoseconds on average, at
       a random phase.  Its handle is the engine's from now on.  Returns 0 or an
       errno value.  */
    int (*arm)(struct ccprof_thread *thread, uint64_t period);

    /* Ends it.  A signal may still be pending.  */
    void (*disarm)(struct ccprof_thread *thread);

    /* Lets go of what the child of a fork has inherited; may be null.  */
    void (*drop)(struct ccprof_thread *thread);

    /* Whether the thread is still armed: it may have ended and another got its
       number; the program may have closed all descriptors.  */
    bool (*is_armed)(const struct ccprof_thread *thread);

    /* How many samples the signal stands for, which may be none.  In the handler, with
       its arguments, in the thread itself.  */
    uint64_t (*take)(struct ccprof_thread *thread, const siginfo_t *info,
                     const void *context);
};

extern const struct ccprof_engine ccprof_engine_task_clock;
extern const struct ccprof_engine ccprof_engine_thread_timer;
extern const struct ccprof_engine ccprof_engine_wall_timer;

#endif
