/* SPDX-License-Identifier: MIT */
/* Sets the signal mask of the calling thread.  Owns nothing: the state belongs to the
   caller.  Any thread may call this, handlers included.  */

#define _GNU_SOURCE
#include "rt/os/blocked.h"
#include "rt/os/strict.h"

static const ccprof_sys_signals own =
    CCPROF_SYS_SIGNAL(SIGPIPE) | CCPROF_SYS_SIGNAL(SIGXFSZ);

void ccprof_blocked_begin(struct ccprof_blocked *blocked)
{
    blocked->writes = false;
    if (!ccprof_strict)
        ccprof_sys_mask(SIG_SETMASK, ~(ccprof_sys_signals)0, &blocked->mask);
}

void ccprof_blocked_write(struct ccprof_blocked *blocked)
{
    if (ccprof_strict)
        return;
    blocked->writes = true;
    blocked->pending = ccprof_sys_pending();
}

static void blocked_take_away(ccprof_sys_signals before)
{
    ccprof_sys_signals caused = ccprof_sys_pending() & own & ~before;
    while (caused) {
        ccprof_sys_discard(caused);
        caused &= ccprof_sys_pending();
    }
}

void ccprof_blocked_end(const struct ccprof_blocked *blocked)
{
    if (blocked->writes)
        blocked_take_away(blocked->pending);
    if (!ccprof_strict)
        ccprof_sys_mask(SIG_SETMASK, blocked->mask, NULL);
}
