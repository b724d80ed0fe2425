/* SPDX-License-Identifier: MIT */
/* Owns nothing.  The child's part runs in its only thread, before fork
   returns.  */

#include <pthread.h>

#include "fork.h"
#include "run.h"

void ccprof_fork_install(void)
{
    pthread_atfork(NULL, NULL, ccprof_run_start_child);
}
