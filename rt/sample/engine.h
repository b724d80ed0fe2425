/* SPDX-License-Identifier: MIT */
/* Makes SIGPROF come to a thread: one engine in each file engine-NAME.c.  */

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
    /* Null: only the process's timer.  What stands below belongs to the engine, and is
       there when the engine is.  */
    const struct ccprof_engine *_Atomic engine;
    int handle;                      /* the engine's descriptor or timer */
    struct ccprof_interval interval; /* for engines that need it */
    uint64_t delay;                  /* of the next signal when it was planned */
    uint64_t planned;                /* for this time on its CPU clock */
    uint64_t kernel; /* samples due for time in the kernel, their address not known */
    uint64_t kernel_since; /* on its CPU clock */
};

/* All functions are async-signal-safe.  */
struct ccprof_engine {
    const char *name; /* its word in mlmon.out(5) */

    /* Whether it samples threads well that live less than a tick.  */
    bool for_brief;

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

    /* How many samples the signal stands for, which may be none.  In the handler,
       in the thread itself.  */
    uint64_t (*take)(struct ccprof_thread *thread, const siginfo_t *info);

    /* How many samples are overdue, since the kernel worked for the thread when they were
       due and the engine is silent then; may be null.  AT_CALL: the thread is at a system
       call now.  As take.  */
    uint64_t (*missed)(struct ccprof_thread *thread, bool at_call);
};

extern const struct ccprof_engine ccprof_engine_task_clock;
extern const struct ccprof_engine ccprof_engine_thread_timer;
extern const struct ccprof_engine ccprof_engine_wall_timer;

/* The timer on the process's CPU time is no engine of threads: whichever thread
   runs gets its signal.  PERIOD in nanoseconds; returns 0 or an errno value.  */
#define CCPROF_ENGINE_PROCESS "process-timer"

int ccprof_engine_process_start(uint64_t period);
void ccprof_engine_process_stop(void);

/* How many periods the signal stands for; 0: it is not from this timer.  */
uint64_t ccprof_engine_process_take(const siginfo_t *info);

#endif
