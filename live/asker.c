/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks a process in a child. The answer is copied, so that the process need not keep
   it. */

#include "live/asker.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* How long to wait for an answer. */
#define ANSWER_MS 10000

struct asker_result {
    enum request_outcome outcome;
    struct request_answer answer;
};

/* Runs in the child. */
static bool ask(void *data)
{
    const struct asker *asker = data;
    struct asker_result *result = asker->result;
    struct fault fault = {0};
    result->outcome = request_sample(asker->request, asker->seconds, ANSWER_MS,
                                     &result->answer, &fault);
    if (result->outcome == REQUEST_ANSWERED && asker->heap)
        request_add_heap(asker->request, ANSWER_MS, &result->answer, &fault);
    if (result->outcome == REQUEST_ANSWERED)
        return request_answer_copy(&result->answer, STDOUT_FILENO);
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
        char *why = fault_last_message(asker->task.errors);
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
