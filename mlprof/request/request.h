/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks a running program for its profile (doc/requests.md): finds out whether the
   process takes requests, sends them, and checks the answers. Needs no privilege beyond
   the permission to send a signal to the process and to read its files in /proc. The
   room has no global state: several processes can be asked at the same time. Used by
   mlprof/commands/ask.c, mlprof/live and live/.

   Faults name the process as `PID 123'. */

#ifndef MLPROF_REQUEST_H
#define MLPROF_REQUEST_H

#include "mlprof/base/fault.h"
#include "rt/format.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A process that takes requests. It stays the same process: if it ends, its number may
   be given to another one, but that one is never asked. */
struct request;

/* Returns the process PID, which the caller frees with request_close. If there is no such
   process, if it may not be asked, or if it takes no requests, returns NULL and sets
   FAULT to the reason. Sends nothing. */
struct request *request_open(pid_t pid, struct fault *fault);

/* The same for WORD, a PID or the name of a process (proc(5), comm). If several processes
   with this name take requests, returns NULL and sets FAULT. */
struct request *request_open_word(const char *word, struct fault *fault);

/* Frees REQUEST, which may be NULL. Answers stay open. */
void request_close(struct request *request);

/* Returns the name of the process in messages, `PID 123'; valid as long as REQUEST. */
const char *request_title(const struct request *request);

pid_t request_pid(const struct request *request);

enum request_outcome {
    REQUEST_ANSWERED,
    /* The process refused: it takes no samples, its run has ended, or the answer could
       not be written. NO_CHOICE: its rate or its times cannot change any more. */
    REQUEST_NO_SAMPLES,
    REQUEST_NO_CHOICE,
    REQUEST_NO_HEAP, /* its allocator is not intercepted */
    REQUEST_RUN_ENDED,
    REQUEST_NOT_WRITTEN,
    /* No answer in time, or no descriptor or memory to read it; a later request may be
       answered. */
    REQUEST_UNANSWERED,
    REQUEST_LOST /* ended, executes another program, or may no longer be asked */
};

/* An answer. */
struct request_answer {
    /* Reads a sealed file in memory, which begins with `ccprof mlmon'; closed by the
       caller. */
    int descriptor;
    uint64_t size;
    uint64_t time;  /* when the process answered, in nanoseconds since 1970 */
    uint64_t epoch; /* when its measuring began (mlmon.out(5), version 14); 0: unknown */
    uint64_t files; /* number of slices and data sets that it has written */
    bool closed;    /* it measured nothing when it answered */
    bool heap;      /* it records its heap */
};

/* Asks REQUEST for OPERATION with ARGUMENT, repeatedly, until there is an answer or
   MILLISECONDS have passed. An answer that is being written is awaited six times as long.
   If the result is REQUEST_ANSWERED, sets ANSWER; otherwise sets FAULT. */
enum request_outcome request_ask(struct request *request,
                                 enum ccprof_request_operation operation,
                                 unsigned argument, unsigned milliseconds,
                                 struct request_answer *answer, struct fault *fault);

/* Asks REQUEST to sample for SECONDS from now, or longer if another asker has said so,
   and for its run so far. If SECONDS are 0 or the process takes no samples, asks only for
   its run so far; in the second case later calls with this REQUEST do so, too. Otherwise
   as request_ask. Sampling is not stopped at the end, because others may have asked for
   it, too: it ends by itself, even if the asker is killed. */
enum request_outcome request_sample(struct request *request, unsigned seconds,
                                    unsigned milliseconds, struct request_answer *answer,
                                    struct fault *fault);

/* Appends the content of ANSWER to FILE, a descriptor. On failure returns false with
   errno set. */
bool request_answer_copy(const struct request_answer *answer, int file);

/* If ANSWER has no heap, asks REQUEST to record the heap from now on, and replaces
   ANSWER, whose descriptor it closes. If the result is not REQUEST_ANSWERED, sets FAULT,
   and ANSWER is unchanged. */
enum request_outcome request_add_heap(struct request *request, unsigned milliseconds,
                                      struct request_answer *answer, struct fault *fault);

/* A data file of one or two answers, in memory. All zero at first, except NAME. */
struct request_data {
    char *name; /* `PID 123', for faults; freed by request_data_end */
    char *path; /* of the file; NULL: there is none */
    int file;   /* a descriptor of it */
    uint64_t size;
};

/* Makes DATA of LATER or, unless EARLIER is NULL, of what LATER has more than EARLIER.
   The answers stay open. If there is no memory, returns false and sets FAULT. */
bool request_data_make(struct request_data *data, const struct request_answer *later,
                       const struct request_answer *earlier, struct fault *fault);

/* Frees the content of DATA. If FAULT names the file in memory, it then names the
   process. */
void request_data_end(struct request_data *data, struct fault *fault);

enum request_event { REQUEST_TIME, REQUEST_ENDED, REQUEST_READABLE };

/* Returns whether the process has ended. */
bool request_has_ended(const struct request *request);

/* Waits until MILLISECONDS have passed, the process has ended, or DESCRIPTOR, which may
   be -1, can be read. Without REQUEST, waits for DESCRIPTOR only. May return REQUEST_TIME
   too early if a signal has a handler. */
enum request_event request_wait(const struct request *request, unsigned milliseconds,
                                int descriptor);

/* Returns the path of the program that the process executes; freed by free. It is the
   program's path as far as this path still names the program, and otherwise
   /proc/PID/exe, which always does while the process exists. */
char *request_program(const struct request *request);

/* Returns the file name of the program, also if its file was replaced; freed by free. */
char *request_program_name(const struct request *request);

/* If the process has another root folder than mlprof, as in a container, returns a path
   of this folder, without a slash at its end; freed by free. Otherwise returns NULL. */
char *request_root(const struct request *request);

#endif
