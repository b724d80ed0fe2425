/* SPDX-License-Identifier: MIT */
/* Registers handlers with pthread_atfork.  Owns nothing.  They run in the thread that
   calls fork, before it and behind it; in the child that is the only thread.  */

#include <pthread.h>

#include "rt/sample/threads.h"
#include "rt/heap/heap.h"
#include "rt/process/checkpoint.h"
#include "rt/process/fork.h"
#include "rt/process/run.h"

static void fork_prepare(void)
{
    ccprof_threads_fork_begin();
}

static void fork_parent(void)
{
    ccprof_threads_fork_end(false);
}

static void fork_child(void)
{
    ccprof_threads_fork_end(true);
    ccprof_checkpoint_child();
    ccprof_run_start_child();
}

void ccprof_fork_install(void)
{
    pthread_atfork(fork_prepare, fork_parent, fork_child);
}

void ccprof_fork_install_heap(void)
{
    pthread_atfork(ccprof_heap_fork_prepare, ccprof_heap_fork_parent,
                   ccprof_heap_fork_child);
}
