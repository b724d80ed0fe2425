/* SPDX-License-Identifier: MIT */
/* Owns the dormant state. The constructor begins and ends it. A thread that calls a
   function of ccprof.h wakes the process and ends the state (start.c). The handler of
   requests calls dormant_answer in any thread, with all signals blocked. Therefore
   dormant_answer waits for no lock, and calls neither the loader nor the allocator. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>

#include "rt/entry/dormant.h"
#include "rt/os/lock.h"
#include "rt/os/settings.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"
#include "rt/regions/regions.h"
#include "rt/output/output.h"
#include "rt/process/exit.h"
#include "rt/process/request.h"
#include "rt/process/run.h"
#include "rt/process/sigprof.h"
#include "rt/entry/hooks.h"
#include "rt/entry/thread-create.h"

static _Atomic bool is_dormant, is_woken;

/* Starts the run, or continues what another thread of the parent had begun at a fork. */
int ccprof_dormant_wake(void)
{
    if (!ccprof_run_exists()) {
        ccprof_say_start(false);
        ccprof_handler_set_fatal(ccprof_exit_signal);
        ccprof_settings_read(&ccprof_run.settings, NULL, NULL);
        ccprof_run.settings.start = false;
        ccprof_run.asked = true;
        if (!ccprof_handler_install_late())
            return ENODATA;
        if (!ccprof_run_start(ccprof_handler_is_installed, true)) {
            ccprof_handler_give_up();
            return ENOMEM;
        }
    }
    ccprof_thread_create_install();
    ccprof_regions_start(&ccprof_api, &ccprof_run.settings,
                         ccprof_thread_create_expect_end);
    ccprof_hooks_set_remembered();
    atomic_store(&is_woken, true);
    return 0;
}

static int dormant_answer(void)
{
    int error = ENODATA;

    if (atomic_load(&is_woken))
        return 0;
    if (!ccprof_spin_try_once(&ccprof_run.attaching))
        return EAGAIN;
    if (atomic_load(&is_dormant))
        error = ccprof_dormant_wake();
    else if (ccprof_run_exists())
        error = 0;
    ccprof_spin_release(&ccprof_run.attaching);
    return error;
}

void ccprof_dormant_begin(void)
{
    if (!atomic_load(&is_dormant)) {
        ccprof_output_read_launcher();
        atomic_store(&ccprof_run.owner, ccprof_sys_getpid());
        atomic_store(&is_dormant, true);
        ccprof_request_install(dormant_answer);
    }
    if (!ccprof_run_exists())
        ccprof_hooks_remember();
}

bool ccprof_dormant_is(void)
{
    return atomic_load(&is_dormant);
}

void ccprof_dormant_end(void)
{
    atomic_store(&is_dormant, false);
    ccprof_run.asked = false;
}
