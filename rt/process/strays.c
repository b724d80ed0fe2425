/* SPDX-License-Identifier: MIT */
/* Owns those who are asked, and the count of those that have answered.  answer: the
   handler; the others: strays-gather.c.  */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <string.h>

#include "rt/process/strays.h"
#include "rt/os/sys.h"
#include "rt/count/counts.h"

struct ccprof_stray ccprof_strays_asked[CCPROF_STRAYS_THREADS];
_Atomic unsigned ccprof_strays_count;
_Atomic unsigned ccprof_strays_answers;

/* What a call bears; nobody else sends it.  */
static const char call;

void ccprof_strays_make_call(siginfo_t *info)
{
    memset(info, 0, sizeof *info);
    info->si_code = SI_QUEUE;
    info->si_pid = ccprof_sys_getpid();
    info->si_value.sival_ptr = (void *)&call;
}

bool ccprof_strays_is_call(const siginfo_t *info)
{
    return info->si_code == SI_QUEUE && info->si_value.sival_ptr == (void *)&call &&
           info->si_pid == ccprof_sys_getpid();
}

void ccprof_strays_answer(void)
{
    pid_t tid = ccprof_sys_gettid();

    if (ccprof_counts_stray(true))
        atomic_fetch_add(&ccprof_strays_answers, 1);
    for (unsigned i = 0; i < atomic_load(&ccprof_strays_count); i++)
        if (atomic_load(&ccprof_strays_asked[i].tid) == tid)
            atomic_store(&ccprof_strays_asked[i].answered, true);
}
