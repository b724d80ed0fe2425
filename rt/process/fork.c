/* SPDX-License-Identifier: MIT */
/* Registers a handler with pthread_atfork.  Owns nothing.  In the child the handler runs
   in the only thread, before fork returns.  */

#include <pthread.h>

#include "rt/heap/heap-fork.h"
#include "rt/process/checkpoint.h"
#include "rt/process/fork.h"
#include "rt/process/run.h"

static void fork_child(void)
{
    ccprof_checkpoint_child();
    ccprof_run_start_child();
}

void ccprof_fork_install(void)
{
    pthread_atfork(NULL, NULL, fork_child);
}

void ccprof_fork_install_heap(void)
{
    pthread_atfork(ccprof_heap_fork_prepare, ccprof_heap_fork_parent,
                   ccprof_heap_fork_child);
}
