/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explains refusals: the reasons in doc/requests.md, as messages. */

#include "mlprof/request/request-inside.h"

#include <stdio.h>
#include <string.h>

/* If REASON says that the rate or the times of the run can no longer be chosen, sets the
   fault and returns true. */
static bool refuse_choice(const struct request *request, unsigned argument,
                          const char *reason, struct fault *fault)
{
    unsigned had;
    int end = 0;
    if (sscanf(reason, "rate %u%n", &had, &end) == 1 && !reason[end])
        fault_set(fault, FAULT_MISMATCH, request->name,
                  "it has already taken samples at %u Hz, so its rate cannot change: "
                  "start it again with CCPROF=rate=%u, or with CCPROF=start=no to choose "
                  "the rate later",
                  had, argument);
    else if (sscanf(reason, "times %u%n", &had, &end) == 1 && !reason[end])
        fault_set(fault, FAULT_MISMATCH, request->name,
                  "it has already taken samples %s, which cannot change: start it again "
                  "with CCPROF=times=%u, or with CCPROF=start=no to choose times later",
                  had ? "with other times" : "without times", argument);
    else
        return false;
    return true;
}

enum request_outcome request_refused(const struct request *request, unsigned argument,
                                     const char *reason, struct fault *fault)
{
    int error = 0, end = 0;
    if (refuse_choice(request, argument, reason, fault))
        return REQUEST_NO_CHOICE;
    if (strcmp(reason, "samples") == 0) {
        fault_set(fault, FAULT_FILE, request->name,
                  "takes no samples: another profiler has SIGPROF, no timer can be made, "
                  "or its kind of profile has none");
        return REQUEST_NO_SAMPLES;
    }
    if (strcmp(reason, "heap") == 0) {
        fault_set(fault, FAULT_FILE, request->name,
                  "its heap cannot be recorded: start the program with CCPROF=heap=later "
                  "to ask for the heap, or with CCPROF=heap; if it was, its messages say "
                  "why");
        return REQUEST_NO_HEAP;
    }
    if (strcmp(reason, "ended") == 0) {
        fault_set(fault, FAULT_FILE, request->name,
                  "its run has ended: nothing is measured any more, and its data file is "
                  "written");
        return REQUEST_RUN_ENDED;
    }
    if (sscanf(reason, "error %d%n", &error, &end) == 1 && !reason[end])
        fault_set(fault, FAULT_FILE, request->name, "it could not write its answer: %s",
                  strerror(error));
    else
        fault_set(fault, FAULT_FILE, request->name,
                  "refused, with a reason that this mlprof does not know: %s", reason);
    return REQUEST_NOT_WRITTEN;
}
