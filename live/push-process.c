/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks a process again and again. The later answer of one profile is the earlier one of
   the next, so no sample is in two profiles, and none is missing. Each answer extends the
   time for which the process samples. */

#include "live/losses.h"
#include "live/message.h"
#include "live/push-inside.h"
#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"

#include <stdlib.h>
#include <unistd.h>

/* How long to wait for an answer. */
#define ANSWER_MS 10000

/* The process samples for so many seconds longer than until the next question, which may
   come late: a request to the server may take 30 seconds. */
#define LEASE_MORE 60

#define LEASE_MOST 65535

/* Asks the process to sample until the next question, unless this is the last one. */
static enum request_outcome ask(struct push *push, struct request_answer *answer,
                                struct fault *fault)
{
    unsigned between = push->every ? push->every : push->seconds;
    bool last = push->stopped || (!push->every && push->last.descriptor >= 0);
    unsigned lease = !between || last                    ? 0
                     : between + LEASE_MORE < LEASE_MOST ? between + LEASE_MORE
                                                         : LEASE_MOST;
    return request_sample(push->request, lease, ANSWER_MS, answer, fault);
}

bool push_process_open(struct push *push, const char *word, struct fault *fault)
{
    push->request = request_open_word(word, fault);
    if (!push->request)
        return false;
    push->path = push->program ? buf_copy(push->program) : request_program(push->request);
    push->program_name = push->program ? buf_copy(path_last(push->program))
                                       : request_program_name(push->request);
    push->root = request_root(push->request);
    return !(push->every || push->seconds) ||
           ask(push, &push->last, fault) == REQUEST_ANSWERED;
}

void push_process_close(struct push *push)
{
    if (push->request && push->last.descriptor >= 0)
        close(push->last.descriptor);
    request_close(push->request);
    free(push->path);
    free(push->program_name);
    free(push->root);
}

/* Puts the profile until ANSWER, the newest one, into the spool. */
static void put_answer(struct push *push, const struct request_answer *answer)
{
    const struct request_answer answers[] = {push->last, *answer};
    bool whole = push->last.descriptor < 0;
    struct push_data data = {.answers = whole ? answers + 1 : answers,
                             .count = whole ? 1 : 2,
                             .start = whole ? answer->epoch : push->last.time,
                             .end = answer->time,
                             .source = ""};
    /* The program's file may have been replaced since the last answer. */
    if (!push->program) {
        free(push->path);
        push->path = request_program(push->request);
    }
    push_render(push, &data);
    if (!whole)
        close(push->last.descriptor);
    push->last = *answer;
}

/* What the process measured since its last answer is not sent, because there is no next
   profile. */
static void report_end(const struct push *push, const char *why)
{
    BUF_OWN char *text = buf_format("%s; its own data file may have it", why);
    losses_add(push->last.time, clock_ns(CLOCK_REALTIME), text);
}

bool push_process(struct push *push)
{
    struct request_answer answer;
    struct fault fault = {0};
    enum request_outcome outcome = ask(push, &answer, &fault);
    bool ended = outcome == REQUEST_LOST || outcome == REQUEST_RUN_ENDED;
    if (outcome == REQUEST_ANSWERED)
        put_answer(push, &answer);
    else if (push->last.descriptor < 0)
        push->failed = message_print("%s", fault.text);
    else if (ended || push->stopped || !push->every)
        report_end(push, fault.text);
    else if (!push->silent)
        /* Nothing is lost: the next difference is of a longer time. */
        message_print("%s; the next profile is of more time", fault.text);
    push->silent = outcome != REQUEST_ANSWERED;
    fault_clear(&fault);
    return !ended;
}
