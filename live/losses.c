/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the sum of the losses of this run. */

#include "live/losses.h"
#include "live/message.h"
#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <time.h>

static struct {
    size_t count;
    uint64_t start, end, sum;
} losses;

/* Returns TIME in UTC with milliseconds; the caller frees it. */
static char *print_time(uint64_t time)
{
    const time_t seconds = (time_t)(time / NS_OF_SECOND);
    char text[32];
    struct tm parts;
    strftime(text, sizeof text, "%FT%T", gmtime_r(&seconds, &parts));
    return buf_format("%s.%03uZ", text, (unsigned)(time % NS_OF_SECOND / NS_OF_MS));
}

void losses_add(uint64_t start, uint64_t end, const char *why)
{
    BUF_OWN char *from = print_time(start);
    BUF_OWN char *until = print_time(end);
    message_print("lost: the profile from %s to %s: %s", from, until, why);
    if (!losses.count || start < losses.start)
        losses.start = start;
    if (end > losses.end)
        losses.end = end;
    losses.sum += end > start ? end - start : 0;
    losses.count++;
}

size_t losses_finish(void)
{
    if (!losses.count)
        return 0;
    BUF_OWN char *from = print_time(losses.start);
    BUF_OWN char *until = print_time(losses.end);
    BUF_OWN char *number = text_number(losses.count, "profile");
    message_print("lost in all: %s, %.3f s, between %s and %s", number,
                  (double)losses.sum / NS_OF_SECOND, from, until);
    return losses.count;
}
