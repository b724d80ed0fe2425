/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files push*.c: the state of ccprof-live push. */

#ifndef LIVE_PUSH_INSIDE_H
#define LIVE_PUSH_INSIDE_H

#include "live/protocol.h"
#include "live/spool.h"
#include "live/transfer.h"
#include "mlprof/request/request.h"

#include <stdbool.h>
#include <stdint.h>

struct push {
    /* What the user says. */
    enum protocol protocol;
    struct transfer_server server;
    struct export_labels labels;
    unsigned every;      /* seconds; 0: once */
    unsigned seconds;    /* of one measurement; 0: the whole run */
    const char *program; /* NULL: that of the process or the slices */
    const char *source;  /* a PID, the name of a process, or a folder */
    const char *folder;  /* the folder; NULL: a process */
    const char *spool_path;
    uint64_t spool_most;

    int signals;         /* can be read when the program is asked to end */
    bool stopped, ended; /* push is asked to end; the process has ended */
    bool failed;         /* there are profiles that could not be taken */
    struct transfer *transfer;
    struct spool *spool;
    size_t sent;

    /* push-send.c: when the next profile may be sent. */
    uint64_t send_at; /* clock_ms */
    unsigned failures;

    /* push-process.c */
    struct request *request;
    char *path; /* of the program; may change while the process runs */
    char *program_name;
    char *root;  /* or NULL */
    bool silent; /* it has not answered the last time */
    struct request_answer last;
};

/* In push-process.c: begins with the process WORD, a PID or a name. With SECONDS or
   EVERY, asks it for the first time. */
bool push_process_open(struct push *push, const char *word, struct fault *fault);
void push_process_close(struct push *push);

/* Puts the profile since the last answer into the spool; the first time, the profile of
   the whole run. If there will not be another one, returns false. */
bool push_process(struct push *push);

/* In push-folder.c: puts the slices that are new into the spool. If the folder cannot be
   read, returns false. */
bool push_folder(struct push *push);

/* In push-send.c: sends the oldest profile of the spool, if it may be sent now. Returns
   the milliseconds until there is something to do: 0 at once, UINT_MAX if the spool is
   empty. */
unsigned push_send(struct push *push);

/* Sends all that is in the spool, for at most MILLISECONDS. */
void push_flush(struct push *push, unsigned milliseconds);

/* Waits for MILLISECONDS, or until the program is asked to end. If the process ends,
   returns false. */
bool push_wait(struct push *push, unsigned milliseconds);

/* In push-render.c: makes a profile of one or two answers (render.h) or of the slice
   FILE, and puts it into the spool. It is of the time from START to END. SOURCE is the
   name of the file, or empty. */
struct push_data {
    const struct request_answer *answers;
    size_t count;
    const char *file;
    uint64_t start, end;
    const char *source;
};
void push_render(struct push *push, const struct push_data *data);

#endif
