/* SPDX-License-Identifier: MIT */
/* Owns nothing.  Called by the program, in any thread, and never by a handler of
   ours.  */

#include "api.h"
#include "run.h"

static int api_on(void)
{
    return ccprof_run_is_on();
}

const struct ccprof_api ccprof_api = {
    .size = sizeof ccprof_api,
    .on = api_on,
    .start = ccprof_run_go,
    .stop = ccprof_run_stop,
};
