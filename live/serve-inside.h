/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files serve*.c. serve.c has the command line, and the loop of the only
   thread. serve-http.c takes requests from libmicrohttpd and responds. serve-jobs.c does
   the work of those requests that take time. serve-page.c prints pages of its own.

   Each connection has one request. If the request takes time, its connection is suspended
   until the job is done. Nothing in the loop waits: processes are asked and reports are
   made in children. */

#ifndef LIVE_SERVE_INSIDE_H
#define LIVE_SERVE_INSIDE_H

#include "live/asker.h"
#include "live/listener.h"
#include "live/render.h"
#include "live/route.h"
#include "mlprof/live/history.h"

#include <microhttpd.h>
#include <poll.h>
#include <stdio.h>

/* What is served: a process, or the slices in a folder. */
struct serve_source {
    const char *name; /* `PID 123' or the folder, for messages */
    char *shown;      /* the program and its name, for the page */
    char *program;    /* may be NULL for a folder */
    bool named;       /* the user has named the program */
    char *folder;     /* NULL: a process */
    struct request *request;
    char *root;
    bool lost;   /* it could not be asked the last time */
    char *ended; /* why there are no more answers; NULL: there are */
};

/* The most connections whose requests take time. */
#define SERVE_JOBS 16

/* The most descriptors to wait for: of the child that asks the process, of connections
   and of children that make reports. */
#define SERVE_POLLS (1 + 2 * SERVE_JOBS)

/* The most descriptors of jobs, kept answers and a child, which reads the files of the
   program. */
#define SERVE_DESCRIPTORS (HISTORY_MOST + SERVE_JOBS * (RENDER_ANSWERS + 3) + 64)

enum serve_state {
    SERVE_READS,   /* has no request yet, or one that takes no time */
    SERVE_ASKS,    /* needs an answer */
    SERVE_WAITS,   /* until DUE, to ask again */
    SERVE_QUEUES,  /* has its data, and waits until a report may be made */
    SERVE_RENDERS, /* its report is being made */
    SERVE_DONE
};

/* A connection and the work for its request. */
struct serve_job {
    struct serve_job *next;
    int socket;
    uint64_t late;                     /* when it is cut */
    struct MHD_Connection *connection; /* NULL: it is not suspended */
    struct route route;
    enum serve_state state;
    bool asked; /* the question that is being asked is for this job, too */
    uint64_t due;
    struct request_answer answers[RENDER_ANSWERS];
    size_t count;
    struct task task;
    /* The response: a status with a text, or with the output of the task. */
    unsigned status;
    char *text;
};

struct serve_limits {
    unsigned connections;
    unsigned seconds;
    uint64_t memory; /* of a report, and of the answers that jobs hold */
};

struct serve {
    struct listener listener;
    char *token;  /* NULL: none is needed */
    char *cookie; /* the name of the cookie with the token */
    struct serve_source source;
    struct serve_limits limits;
    struct MHD_Daemon *daemon;
    bool stops;             /* no request is handled any more */
    struct serve_job *jobs; /* the oldest connection first */
    struct asker asker;
    bool asking;
    /* The answers for the page are only kept while somebody looks at it: until LEASE. */
    struct history history;
    uint64_t lease, next_answer;
};

/* Suspends CONNECTION and begins its JOB for ROUTE. Returns false if too many are in
   progress. */
bool serve_job_begin(struct serve *serve, struct serve_job *job,
                     struct MHD_Connection *connection, const struct route *route);

/* Frees JOB, and ends its children. */
void serve_job_free(struct serve *serve, struct serve_job *job);

/* Does what can be done now. Resumes the connections of jobs that are done. Returns
   whether there are any: the daemon must run again. */
bool serve_jobs_step(struct serve *serve);

/* Cuts connections that have taken too long. Adds the descriptors to wait for to LIST,
   which has room for SERVE_POLLS. Returns their number. Lowers *MILLISECONDS to the time
   after which something must be done. */
size_t serve_jobs_poll(const struct serve *serve, struct pollfd *list,
                       uint64_t *milliseconds);

/* Drops the jobs whose clients have closed their connections. LIST and COUNT are those of
   serve_jobs_poll, after poll. */
void serve_jobs_drop(struct serve *serve, const struct pollfd *list, size_t count);

/* Starts to serve. Returns false if it cannot. */
bool serve_http_start(struct serve *serve);

void serve_http_stop(struct serve *serve);

/* Print the page around mlprof's page, and the list of what pprof can ask for. */
void serve_page_print(FILE *out, const struct serve *serve, const struct route *route);
void serve_page_print_index(FILE *out, const struct serve *serve);

#endif
