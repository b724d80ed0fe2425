/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answers of a process, which are kept to show the difference of the newest one and
   an older one. Older answers are kept at greater distances of time, and all of them
   together have a limited size. Used by source.c. */

#ifndef MLPROF_HISTORY_H
#define MLPROF_HISTORY_H

#include "mlprof/request/request.h"

#include <stddef.h>

#define HISTORY_MOST 64

/* All zero at first. From the oldest to the newest. */
struct history {
    struct request_answer list[HISTORY_MOST];
    size_t count;
    bool dropped; /* old answers were dropped because all of them were too large */
};

/* Adds ANSWER, the newest one, and takes its descriptor. Drops the answers that are not
   needed to show up to SECONDS. If the process has written a slice or a data set since
   the last answer, or has executed its program again, drops all others and returns false:
   differences would lack this data. */
bool history_add(struct history *history, const struct request_answer *answer,
                 unsigned seconds);

/* Returns the newest answer that is at least SECONDS older than the newest one. If there
   is none, returns the oldest one; if there is only one answer, NULL. */
const struct request_answer *history_earlier(const struct history *history,
                                             unsigned seconds);

void history_free(struct history *history);

#endif
