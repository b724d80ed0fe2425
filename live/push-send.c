/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends the profiles of the spool one by one. After a failure waits longer each time,
   with jitter, so that many programs do not return to a server at the same moment. */

#include "live/losses.h"
#include "live/message.h"
#include "live/push-inside.h"
#include "live/task.h"
#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"

#include <limits.h>
#include <sys/random.h>

/* The longest wait after a failure, and the longest that a server may ask for. */
#define BACKOFF_SECONDS 60
#define AFTER_SECONDS   3600

static unsigned until(uint64_t time)
{
    uint64_t now = clock_ms(), left = time > now ? time - now : 0;
    return left < INT_MAX ? (unsigned)left : INT_MAX;
}

/* Returns the milliseconds to wait after FAILURES failures in a row: a random time
   between the half of 1, 2, 4, ... seconds and all of it, and at least AFTER seconds. */
static uint64_t backoff(unsigned failures, long after)
{
    uint64_t most = BACKOFF_SECONDS * MS_OF_SECOND, wait = MS_OF_SECOND;
    uint32_t random = 0;
    for (unsigned i = 1; i < failures && wait < most; i++)
        wait *= 2;
    wait = wait < most ? wait : most;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != (ssize_t)sizeof random)
        random = (uint32_t)clock_ms();
    wait = wait / 2 + random % (wait / 2 + 1);
    after = after < AFTER_SECONDS ? after : AFTER_SECONDS;
    uint64_t asked = (uint64_t)after * MS_OF_SECOND;
    return wait > asked ? wait : asked;
}

static void delay(struct push *push, const char *why, long after)
{
    push->failures++;
    uint64_t wait = backoff(push->failures, after);
    push->send_at = clock_ms() + wait;
    /* The first failure of a row is reported, and when the row ends. */
    if (push->failures == 1)
        message_print("cannot send, will try again: %s", why);
}

static void note_sent(struct push *push)
{
    if (push->failures)
        message_print("the server is back, after %u failures", push->failures);
    push->failures = 0;
    push->send_at = 0;
}

unsigned push_send(struct push *push)
{
    if (spool_count(push->spool) == 0)
        return UINT_MAX;
    if (until(push->send_at))
        return until(push->send_at);
    const struct spool_profile *profile = spool_first(push->spool);
    if (!profile)
        return UINT_MAX;
    BUF_OWN char *why = NULL;
    long after = 0;
    enum protocol_outcome outcome =
        protocol_send(push->protocol, push->transfer, profile, &why, &after);
    if (outcome == PROTOCOL_LATER) {
        delay(push, why, after);
        return until(push->send_at);
    }
    note_sent(push);
    push->sent += outcome == PROTOCOL_SENT && !why;
    spool_remove(push->spool, why);
    return spool_count(push->spool) ? 0 : UINT_MAX;
}

void push_flush(struct push *push, unsigned milliseconds)
{
    const uint64_t end = clock_ms() + milliseconds;
    unsigned wait;
    while ((wait = push_send(push)) != UINT_MAX) {
        unsigned left = until(end);
        if (!left || wait > left || (wait && push->stopped))
            break;
        if (wait)
            push_wait(push, wait);
    }
}

bool push_wait(struct push *push, unsigned milliseconds)
{
    enum request_event event =
        request_wait(push->ended ? NULL : push->request, milliseconds, push->signals);
    push->stopped = push->stopped || event == REQUEST_READABLE;
    push->ended = push->ended || event == REQUEST_ENDED;
    return event != REQUEST_ENDED;
}
