/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files request*.c. request.c opens a process and finds out whether it
   takes requests. request-ask.c sends requests and finds the answers. request-answer.c
   checks a file that may be the answer. request-proc.c reads /proc. */

#ifndef MLPROF_REQUEST_INSIDE_H
#define MLPROF_REQUEST_INSIDE_H

#include "mlprof/request/request.h"

#include <signal.h>
#include <stddef.h>

struct request {
    pid_t pid;
    char name[32]; /* `PID 123', for faults */
    int process;   /* from pidfd_open */
    /* The folder in /proc, of the process or of one of its threads. If the process has
       ended, nothing can be opened in it, even if another process has its number. */
    int folder;
    char path[64]; /* of FOLDER */
    pid_t inner;   /* the number of the process in its own namespace */
    dev_t device;  /* the program that it executes */
    ino_t file;
    uint64_t epoch;  /* of its first answer; 0: none yet */
    bool no_samples; /* it has refused to sample */
};

/* What /proc/PID/status says. */
struct request_status {
    char state; /* R, S, D, T, t, Z ... (proc(5)) */
    pid_t inner;
    uid_t user;
    uint64_t caught, blocked; /* signals; the signal N is bit N - 1 */
    /* The pending signals of the user, timers included, and the limit for this process.
     */
    uint64_t queued, queued_most;
};

/* The bit of the signal of requests. */
#define REQUEST_BIT (UINT64_C(1) << (CCPROF_REQUEST_SIGNAL - 1))

/* Returns the content of the file NAME in FOLDER, with a final NUL; freed by free.
   Returns NULL with errno set if it cannot be read. */
char *request_read(int folder, const char *name, size_t *size);

/* Reads the file NAME, `status' of a process or thread. Returns false with errno set if
   it cannot be read. */
bool request_status_read(struct request_status *status, int folder, const char *name);

/* Opens the folder /proc/PID. If the first thread has ended but others have not, opens
   the folder of another thread, because the first one shows no files. If it cannot be
   opened, returns false with errno set. */
bool request_folder_open(struct request *request);

/* Returns whether all threads of the process block the signal of requests. */
bool request_is_blocked(const struct request *request);

/* Returns how many descriptors the process may have if all of them are open, otherwise
   0. */
uint64_t request_full_descriptors(const struct request *request);

/* A file that a process has mapped as code. */
struct request_map {
    unsigned major, minor;
    unsigned long long inode;
    char *path; /* in the text, as the process or mlprof sees it */
};

/* Replaces MAP, which is all zero at first, by the next file with code in the text of
   /proc/PID/maps at *CURSOR, which is modified. Returns false at the end. */
bool request_map_next(struct request_map *map, char **cursor);

/* Returns whether the file open as DESCRIPTOR is the mapped file MAP. */
bool request_is_mapped(int descriptor, const struct request_map *map);

/* Sets the fault if the process executes another program than at first. Returns whether
   it executes the same program. */
bool request_is_same(const struct request *request, struct fault *fault);

/* Sets FAULT: the process has ended. Returns false. */
bool request_ended(const struct request *request, struct fault *fault);

/* Sets FAULT for errno, with which a file of the process could not be opened. Returns
   false. */
bool request_unreadable(const struct request *request, const char *file,
                        struct fault *fault);

/* Sets FAULT for REASON, for which the process refuses a request with ARGUMENT. Returns
   the outcome. */
enum request_outcome request_refused(const struct request *request, unsigned argument,
                                     const char *reason, struct fault *fault);

/* What the name of an answer says. */
struct request_name {
    uint64_t version, operation, argument, time;
};

/* Reads TEXT, the target of a link in /proc/PID/fd. Returns false if it is not the name
   of an answer. */
bool request_name_read(struct request_name *name, const char *text);

enum request_check {
    REQUEST_CHECK_OTHER,      /* not an answer of this process */
    REQUEST_CHECK_UNFINISHED, /* without seals */
    REQUEST_CHECK_GOOD,
    REQUEST_CHECK_REFUSED,
    REQUEST_CHECK_LARGE
};

/* Opens the descriptor NUMBER of the process, which has the name TEXT, through the folder
   FILES, /proc/PID/fd. Sets ANSWER if the result is REQUEST_CHECK_GOOD. If it is
   REQUEST_CHECK_REFUSED, sets *REASON, freed by free. */
enum request_check request_check(const struct request *request, int files,
                                 const char *number, const char *text,
                                 struct request_answer *answer, char **reason);

#endif
