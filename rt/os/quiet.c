/* SPDX-License-Identifier: MIT */
/* Owns nothing.  Called from everywhere, handlers included.  */

#define _GNU_SOURCE
#include "rt/os/quiet.h"

static const ccprof_sys_signals own =
    CCPROF_SYS_SIGNAL(SIGPIPE) | CCPROF_SYS_SIGNAL(SIGXFSZ);

void ccprof_quiet_begin(struct ccprof_quiet *quiet)
{
    ccprof_sys_mask(SIG_SETMASK, ~(ccprof_sys_signals)0, &quiet->mask);
    quiet->pending = ccprof_sys_pending();
}

void ccprof_quiet_end(const struct ccprof_quiet *quiet)
{
    ccprof_sys_signals caused = ccprof_sys_pending() & own & ~quiet->pending;
    while (caused) {
        ccprof_sys_discard(caused);
        caused &= ccprof_sys_pending();
    }
    ccprof_sys_mask(SIG_SETMASK, quiet->mask, NULL);
}
