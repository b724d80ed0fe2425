/* SPDX-License-Identifier: MIT */
/* Owns the state. The constructor and the program's threads call begin, is and end.
   The handler of requests calls dormant_wake in any thread, with all signals blocked: it
   waits for no lock, and calls neither the loader nor the allocator. */

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
#include "rt/process/request.h"
#include "rt/process/run.h"
#include "rt/process/sigprof.h"
#include "rt/entry/hooks.h"
#include "rt/entry/thread-create.h"

static _Atomic bool is_dormant;

/* Starts a run without a file. Returns 0 or an errno value; EAGAIN: a thread is attaching
   modules, ENODATA: nothing can be sampled. */
static int dormant_wake(void)
{
    bool good;

    if (ccprof_run_exists())
        return 0;
    if (!ccprof_spin_try_once(&ccprof_run.attaching))
        return EAGAIN;
    good = ccprof_run_exists();
    if (!good && atomic_load(&is_dormant)) {
        ccprof_say_start(false);
        ccprof_settings_read(&ccprof_run.settings, CCPROF_SETTINGS_DORMANT, NULL);
        ccprof_run.asked = true;
        good = ccprof_handler_install();
        /* It is unblocked when the caller, a handler, returns. */
        ccprof_sys_mask(SIG_BLOCK, CCPROF_SYS_SIGNAL(SIGPROF), NULL);
        good = good && ccprof_run_start(ccprof_handler_is_installed, true);
        if (good) {
            ccprof_thread_create_install();
            ccprof_regions_start(&ccprof_api, &ccprof_run.settings,
                                 ccprof_thread_create_expect_end);
            ccprof_hooks_set_remembered();
        }
    }
    ccprof_spin_release(&ccprof_run.attaching);
    return good ? 0 : ENODATA;
}

void ccprof_dormant_begin(void)
{
    if (!atomic_load(&is_dormant)) {
        ccprof_output_read_launcher();
        atomic_store(&ccprof_run.owner, ccprof_sys_getpid());
        atomic_store(&is_dormant, true);
        ccprof_request_install(dormant_wake);
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
