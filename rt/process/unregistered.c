/* SPDX-License-Identifier: MIT */
/* Owns the list of threads that are asked, and the number of answers.  The SIGPROF
   handler calls answer; unregistered-gather.c uses the rest.  */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <string.h>

#include "rt/process/unregistered.h"
#include "rt/os/sys.h"
#include "rt/count/counts.h"

struct ccprof_unregistered ccprof_unregistered_asked[CCPROF_UNREGISTERED_THREADS];
_Atomic unsigned ccprof_unregistered_count;
_Atomic unsigned ccprof_unregistered_answers;

/* Its address marks a call: no other signal has this value.  */
static const char call;

void ccprof_unregistered_make_call(siginfo_t *info)
{
    memset(info, 0, sizeof *info);
    info->si_code = SI_QUEUE;
    info->si_pid = ccprof_sys_getpid();
    info->si_value.sival_ptr = (void *)&call;
}

bool ccprof_unregistered_is_call(const siginfo_t *info)
{
    return info->si_code == SI_QUEUE && info->si_value.sival_ptr == (void *)&call &&
           info->si_pid == ccprof_sys_getpid();
}

void ccprof_unregistered_answer(void)
{
    pid_t tid = ccprof_sys_gettid();

    if (ccprof_counts_add_unregistered(true))
        atomic_fetch_add(&ccprof_unregistered_answers, 1);
    for (unsigned i = 0; i < atomic_load(&ccprof_unregistered_count); i++)
        if (atomic_load(&ccprof_unregistered_asked[i].tid) == tid)
            atomic_store(&ccprof_unregistered_asked[i].answered, true);
}
