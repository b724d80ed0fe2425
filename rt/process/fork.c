/* SPDX-License-Identifier: MIT */
/* Registers with pthread_atfork.  The child's handler runs in its only thread, before
   fork returns.  */

#include <pthread.h>

#include "rt/process/fork.h"
#include "rt/process/run.h"

void ccprof_fork_install(void)
{
    pthread_atfork(NULL, NULL, ccprof_run_start_child);
}
