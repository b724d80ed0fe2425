/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shared object with a region. */

#include "ccprof.h"

void loaded(void);

void loaded(void)
{
    CCPROF_REGION("loaded")
    {
        CCPROF_STOPWATCH("inside");
    }
}
