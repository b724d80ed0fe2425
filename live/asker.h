/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks a process for its profile without waiting: a child does it with mlprof/request
   (task.h). One question at a time; whoever needs an answer at the same time shares it.
 */

#ifndef LIVE_ASKER_H
#define LIVE_ASKER_H

#include "live/task.h"
#include "mlprof/request/request.h"

struct asker_result;

/* All zero at first. */
struct asker {
    struct request *request; /* of the caller */
    unsigned seconds;        /* of the question */
    bool heap;               /* asks to record the heap */
    struct task task;
    struct asker_result *result; /* memory that the child shares */
};

/* Begins to ask REQUEST, as request_sample. HEAP: if the process does not record its
   heap, asks it to do so from now on; if it cannot, the answer has no heap. No question
   is being asked. Returns false if the child cannot be made; errno is set. */
bool asker_start(struct asker *asker, struct request *request, unsigned seconds,
                 bool heap);

/* If the child has ended, sets *OUTCOME. If this is REQUEST_ANSWERED, sets ANSWER, whose
   descriptor the caller closes; otherwise sets FAULT. Returns false if it has not ended.
 */
bool asker_check(struct asker *asker, enum request_outcome *outcome,
                 struct request_answer *answer, struct fault *fault);

void asker_free(struct asker *asker);

#endif
