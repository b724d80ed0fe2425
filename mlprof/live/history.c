/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the answers of a process. */

#include "mlprof/base/clock.h"
#include "mlprof/live/history.h"

#include <string.h>
#include <unistd.h>

/* The size of all answers. */
#define BYTES_MOST (UINT64_C(64) << 20)

/* Timers are not exact: an answer that is this much too young is old enough. */
#define TOLERANCE (NS_OF_SECOND / 10)

static void drop(struct history *history, size_t number)
{
    close(history->list[number].descriptor);
    history->count--;
    memmove(&history->list[number], &history->list[number + 1],
            (history->count - number) * sizeof history->list[0]);
}

static uint64_t age(const struct history *history, size_t number)
{
    uint64_t now = history->list[history->count - 1].time;
    uint64_t time = history->list[number].time;
    return now > time ? now - time : 0;
}

/* Drops each answer between two others whose distance is at most an eighth of their age,
   and all but one of the answers that are older than SECONDS. */
static void thin(struct history *history, unsigned seconds)
{
    while (history->count > 2 && age(history, 1) + TOLERANCE >= seconds * NS_OF_SECOND)
        drop(history, 0);
    for (size_t i = 1; i + 1 < history->count;)
        if (age(history, i - 1) - age(history, i + 1) <= age(history, i + 1) / 8)
            drop(history, i);
        else
            i++;
}

bool history_add(struct history *history, const struct request_answer *answer,
                 unsigned seconds)
{
    const struct request_answer *last =
        history->count ? &history->list[history->count - 1] : NULL;
    bool same = !last || (last->files == answer->files && last->epoch == answer->epoch);
    if (!same)
        history_free(history);
    if (history->count == HISTORY_MOST)
        drop(history, 0);
    history->list[history->count++] = *answer;
    thin(history, seconds);
    uint64_t size = 0;
    for (size_t i = 0; i < history->count; i++)
        size += history->list[i].size;
    for (; size > BYTES_MOST && history->count > 2; history->dropped = true) {
        size -= history->list[0].size;
        drop(history, 0);
    }
    return same;
}

const struct request_answer *history_earlier(const struct history *history,
                                             unsigned seconds)
{
    if (history->count < 2)
        return NULL;
    size_t i = history->count - 2;
    while (i > 0 && age(history, i) + TOLERANCE < seconds * NS_OF_SECOND)
        i--;
    return &history->list[i];
}

void history_free(struct history *history)
{
    while (history->count)
        drop(history, history->count - 1);
}
