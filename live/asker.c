/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks a process in a child. The answer is copied, so that the process need not keep
   it. */

#define _GNU_SOURCE
#include "live/asker.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

/* How long to wait for an answer. */
#define ANSWER_MS 10000

struct asker_result {
    enum request_outcome outcome;
    struct request_answer answer;
};

static bool print_answer(const struct request_answer *answer)
{
    off_t offset = 0;
    while ((uint64_t)offset < answer->size) {
        ssize_t count = sendfile(STDOUT_FILENO, answer->descriptor, &offset,
                                 (size_t)(answer->size - (uint64_t)offset));
        if (count == 0 || (count < 0 && errno != EINTR))
            return false;
    }
    return true;
}

/* Runs in the child. */
static bool ask(void *data)
{
    const struct asker *asker = data;
    struct asker_result *result = asker->result;
    struct fault fault = {0};
    enum request_outcome outcome = request_ask(
        asker->request, asker->seconds ? CCPROF_REQUEST_SAMPLE : CCPROF_REQUEST_REPORT,
        asker->seconds, ANSWER_MS, &result->answer, &fault);
    if (outcome == REQUEST_NO_SAMPLES && asker->seconds) {
        fault_clear(&fault);
        outcome = request_ask(asker->request, CCPROF_REQUEST_REPORT, 0, ANSWER_MS,
                              &result->answer, &fault);
    }
    result->outcome = outcome;
    if (outcome == REQUEST_ANSWERED && asker->heap)
        request_add_heap(asker->request, ANSWER_MS, &result->answer, &fault);
    if (outcome == REQUEST_ANSWERED)
        return print_answer(&result->answer);
    fault_print(&fault);
    return false;
}

bool asker_start(struct asker *asker, struct request *request, unsigned seconds,
                 bool heap)
{
    /* An answer that is being written is awaited six times as long. */
    static const struct task_limits limits = {.output = UINT64_C(64) << 20,
                                              .seconds = 6 * ANSWER_MS / 1000 + 5};
    asker->request = request;
    asker->seconds = seconds;
    asker->heap = heap;
    if (!asker->result) {
        void *memory = mmap(NULL, sizeof *asker->result, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return false;
        asker->result = memory;
    }
    asker->result->outcome = REQUEST_UNANSWERED;
    return task_start(&asker->task, &limits, ask, asker);
}

bool asker_check(struct asker *asker, enum request_outcome *outcome,
                 struct request_answer *answer, struct fault *fault)
{
    enum task_state state = task_check(&asker->task);
    if (state == TASK_RUNS)
        return false;
    *outcome = asker->result->outcome;
    if (state == TASK_GOOD) {
        *answer = asker->result->answer;
        answer->descriptor = asker->task.output;
        asker->task.output = -1;
    } else {
        char *why = task_message(&asker->task);
        if (*outcome == REQUEST_ANSWERED)
            *outcome = REQUEST_UNANSWERED;
        fault->kind = FAULT_FILE;
        fault->text = why;
        if (!why)
            fault_set(fault, FAULT_FILE, "answer",
                      state == TASK_LATE ? "not in time" : "larger than 64 MB");
    }
    task_end(&asker->task);
    return true;
}

void asker_free(struct asker *asker)
{
    if (asker->task.pid)
        task_end(&asker->task);
    if (asker->result)
        munmap(asker->result, sizeof *asker->result);
}
