/* SPDX-License-Identifier: MIT */
/* An engine makes SIGPROF come: one file engine-NAME.c each.  */

#ifndef CCPROF_ENGINE_H
#define CCPROF_ENGINE_H

#include <signal.h>
#include <stdint.h>

struct ccprof_engine {
    const char *name; /* its word in mlmon.out(5) */

    /* Starts sampling RATE times in a second of CPU time, at a random phase.
       The handler is installed already.  Also called in the child of a fork,
       which has inherited nothing.  Returns 0 or an errno value.  */
    int (*start)(unsigned rate);

    /* Ends it.  A signal may still be pending.  Async-signal-safe.  */
    void (*stop)(void);

    /* How many samples the signal stands for; 0: it is not from this engine.
       Called by the handler.  */
    uint64_t (*weight)(const siginfo_t *info);
};

extern const struct ccprof_engine ccprof_engine_process;

#endif
