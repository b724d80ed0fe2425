/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The requests that take time: asking the process, waiting, making the report. */

#define _GNU_SOURCE
#include "live/serve-inside.h"
#include "mlprof/base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MS_OF_SECOND 1000
#define NS_OF_SECOND UINT64_C(1000000000)

/* The most jobs, and the most of them whose reports are made at the same time. */
#define JOBS_MOST    16
#define REPORTS_MOST 2

/* The process samples for so long after the last question for the page. */
#define SAMPLE_S 15

/* The page's answers: the time between two of them, how long they are asked for after the
   last request for the page, and the longest time that they show. */
#define EVERY_MS  5000
#define LEASE_MS  600000
#define HISTORY_S 3700

/* What the page shows if there is no answer before: the next two seconds. */
#define FIRST_S 2

/* The CPU time of a report. */
#define REPORT_S 60

/* The descriptors of a job, besides those of its answers, and those of a child, which
   reads the files of the program. */
#define JOB_FILES   3
#define CHILD_FILES 64

/* The default of pprof's seconds (net/http/pprof). */
#define PROFILE_S 30

static void finish(struct serve_job *job, unsigned status, char *text)
{
    job->state = SERVE_DONE;
    job->asked = false;
    job->status = status;
    job->text = text;
}

struct serve_job *serve_job_new(struct serve *serve, struct MHD_Connection *connection,
                                const struct route *route)
{
    size_t count = 0;
    uint64_t held = 0;
    struct serve_job **link = &serve->jobs;
    for (; *link; link = &(*link)->next, count++)
        for (size_t i = 0; i < (*link)->count; i++)
            held += (*link)->answers[i].size;
    if (count >= JOBS_MOST || held > serve->limits.memory)
        return NULL;
    struct serve_job *job = buf_alloc(sizeof *job);
    *job = (struct serve_job){
        .connection = connection,
        .socket = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
                      ->connect_fd,
        .route = *route,
        .state = serve->source.folder ? SERVE_QUEUES : SERVE_ASKS,
        .task = {.process = -1, .output = -1, .errors = -1},
    };
    if (route->target == ROUTE_REPORT && !serve->source.folder)
        serve->lease = task_now() + LEASE_MS;
    *link = job;
    return job;
}

void serve_job_free(struct serve *serve, struct serve_job *job)
{
    struct serve_job **link = &serve->jobs;
    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    for (size_t i = 0; i < job->count; i++)
        close(job->answers[i].descriptor);
    task_end(&job->task);
    free(job->text);
    free(job);
}

/* Gives the job ANSWER, whose owner is another. */
static void add_answer(struct serve_job *job, const struct request_answer *answer)
{
    struct request_answer copy = *answer;
    copy.descriptor = fcntl(answer->descriptor, F_DUPFD_CLOEXEC, 0);
    if (copy.descriptor < 0)
        finish(job, MHD_HTTP_SERVICE_UNAVAILABLE, buf_copy(strerror(errno)));
    else
        job->answers[job->count++] = copy;
}

static void wait_for(struct serve_job *job, unsigned seconds)
{
    job->state = SERVE_WAITS;
    job->due = task_now() + (uint64_t)seconds * MS_OF_SECOND;
}

/* Gives the job the answers of its span. Returns false if they are not known. */
static bool add_span(struct serve_job *job, const struct history *history)
{
    const struct route *route = &job->route;
    const struct request_answer *last = &history->list[history->count - 1];
    const struct request_answer *to =
        route->to ? history_earlier(history, route->to) : last;
    const struct request_answer *from =
        route->from ? history_earlier(history, route->from) : NULL;
    const struct request_answer *before =
        route->compare ? history_earlier(history, 2 * route->from - route->to) : NULL;
    /* If nobody has looked for some time, no answer is near the beginning. */
    uint64_t old =
        (2 * (uint64_t)route->from + 2 * EVERY_MS / MS_OF_SECOND) * NS_OF_SECOND;
    if (route->from && (!from || from >= to || last->time - from->time > old))
        return false;
    if (route->compare && before >= from)
        return false;
    if (before)
        add_answer(job, before);
    if (from)
        add_answer(job, from);
    add_answer(job, to);
    return true;
}

/* Called when ANSWER has come, or, if it is NULL, when there are no more answers. */
static void use_answer(struct serve *serve, struct serve_job *job,
                       const struct request_answer *answer)
{
    const struct route *route = &job->route;
    bool page = route->target == ROUTE_REPORT;
    unsigned seconds = route->seconds_set               ? route->seconds
                       : route->target == ROUTE_PROFILE ? PROFILE_S
                                                        : 0;
    job->asked = false;
    job->state = SERVE_QUEUES;
    if (page && !job->count && serve->history.count && add_span(job, &serve->history))
        return;
    if (!answer)
        finish(job, MHD_HTTP_GONE, buf_copy(serve->source.ended));
    else if (job->count && job->answers[0].epoch != answer->epoch)
        finish(job, MHD_HTTP_SERVICE_UNAVAILABLE,
               buf_format("%s: it has executed its program again: its measurements have "
                          "begun anew",
                          serve->source.name));
    else if (page && !job->count && (route->compare || route->to))
        finish(job, MHD_HTTP_SERVICE_UNAVAILABLE,
               buf_copy("this time is not known yet: the profile is kept from the moment "
                        "on at which somebody looks at the page"));
    else
        add_answer(job, answer);
    if (job->state == SERVE_QUEUES && job->count == 1 && (page || seconds))
        wait_for(job, page ? FIRST_S : seconds);
}

/* Asks for the answers that are needed. */
static void ask(struct serve *serve)
{
    bool needed = serve->next_answer <= task_now() && task_now() < serve->lease;
    unsigned seconds = needed ? SAMPLE_S : 0;
    bool heap = false;
    for (struct serve_job *job = serve->jobs; job; job = job->next) {
        const struct route *route = &job->route;
        bool first = job->state == SERVE_ASKS && job->count == 0;
        unsigned wanted = !first                           ? 0
                          : route->target == ROUTE_REPORT  ? SAMPLE_S
                          : route->seconds_set             ? route->seconds
                          : route->target == ROUTE_PROFILE ? PROFILE_S
                                                           : 0;
        job->asked = job->state == SERVE_ASKS;
        needed |= job->asked;
        heap |= job->asked && route->target == ROUTE_HEAP;
        seconds = wanted > seconds ? wanted : seconds;
    }
    if (!needed)
        return;
    serve->next_answer = task_now() + EVERY_MS;
    serve->asking = asker_start(&serve->asker, serve->source.request, seconds, heap);
    for (struct serve_job *job = serve->jobs; job && !serve->asking; job = job->next)
        if (job->asked)
            finish(job, MHD_HTTP_SERVICE_UNAVAILABLE, buf_copy(strerror(errno)));
}

/* Finds the program again: its file may have been replaced. Keeps the old path if the new
   one cannot be read, as when the first thread has ended. */
static void update_program(struct serve_source *source)
{
    BUF_OWN char *program = request_program(source->request);
    if (source->named || access(program, R_OK) != 0)
        return;
    free(source->program);
    source->program = buf_copy(program);
}

/* Returns whether OUTCOME says that there will be no more answers. A process that is
   executing its program again cannot be asked for a moment: only the second loss in a row
   is the end, unless the process has ended. */
static bool is_end(struct serve_source *source, enum request_outcome outcome)
{
    bool again = source->lost;
    source->lost = outcome == REQUEST_LOST;
    return outcome == REQUEST_RUN_ENDED ||
           (source->lost &&
            (again || request_wait(source->request, 0, -1) == REQUEST_ENDED));
}

/* Takes the answer, if there is one. */
static void take_answer(struct serve *serve)
{
    enum request_outcome outcome;
    struct request_answer answer;
    struct fault fault = {0};
    if (!asker_check(&serve->asker, &outcome, &answer, &fault))
        return;
    bool good = outcome == REQUEST_ANSWERED, keep = task_now() < serve->lease;
    serve->asking = false;
    if (is_end(&serve->source, outcome))
        serve->source.ended = buf_copy(fault.text);
    if (good)
        update_program(&serve->source);
    if (good && keep)
        history_add(&serve->history, &answer, HISTORY_S);
    for (struct serve_job *job = serve->jobs; job; job = job->next)
        if (job->asked && (good || serve->source.ended))
            use_answer(serve, job, good ? &answer : NULL);
        else if (job->asked)
            finish(job, MHD_HTTP_SERVICE_UNAVAILABLE, buf_copy(fault.text));
    if (good && !keep)
        close(answer.descriptor);
    fault_clear(&fault);
}

static void render(struct serve *serve, struct serve_job *job)
{
    const struct task_limits limits = {.memory = serve->limits.memory,
                                       .output = serve->limits.memory,
                                       .seconds = REPORT_S,
                                       .background = true};
    const struct serve_source *source = &serve->source;
    const struct route *route = &job->route;
    time_t now = time(NULL), span = (time_t)route->from - (time_t)route->to;
    struct render render = {
        .format = route->target == ROUTE_HEAP      ? RENDER_HEAP
                  : route->target == ROUTE_PROFILE ? RENDER_PROFILE
                                                   : RENDER_PAGE,
        .name = source->name,
        .shown = source->shown,
        .program = source->program,
        .root = source->root,
        .answers = job->answers,
        .count = job->count,
        .folder = source->folder,
        .to = now - (time_t)route->to,
        .from = route->from      ? now - (time_t)route->from
                : route->seconds ? now - (time_t)route->seconds
                                 : 0,
    };
    render.before = route->compare ? render.from - span : render.from;
    if (task_start(&job->task, &limits, render_run, &render))
        job->state = SERVE_RENDERS;
    else
        finish(job, MHD_HTTP_SERVICE_UNAVAILABLE, buf_copy(strerror(errno)));
}

static void take_report(struct serve_job *job)
{
    enum task_state state = task_check(&job->task);
    if (state == TASK_RUNS)
        return;
    if (state == TASK_GOOD) {
        finish(job, MHD_HTTP_OK, NULL);
    } else if (state == TASK_LATE) {
        finish(job, MHD_HTTP_GATEWAY_TIMEOUT, buf_copy("the report took too long"));
    } else {
        char *why = task_message(&job->task);
        finish(job, why ? MHD_HTTP_NOT_FOUND : MHD_HTTP_INTERNAL_SERVER_ERROR,
               why ? why : buf_copy("the report could not be made"));
    }
}

static bool has_waiting(const struct serve *serve)
{
    const struct serve_job *job = serve->jobs;
    while (job && job->state != SERVE_WAITS)
        job = job->next;
    return job != NULL;
}

bool serve_jobs_step(struct serve *serve)
{
    bool resumed = false;
    size_t reports = 0;
    if (serve->asking)
        take_answer(serve);
    bool ended =
        has_waiting(serve) && request_wait(serve->source.request, 0, -1) == REQUEST_ENDED;
    for (struct serve_job *job = serve->jobs; job; job = job->next) {
        if (job->state == SERVE_WAITS && (ended || job->due <= task_now()))
            job->state = SERVE_ASKS;
        if (job->state == SERVE_ASKS && serve->source.ended && !job->asked)
            use_answer(serve, job, NULL);
        if (job->state == SERVE_RENDERS)
            take_report(job);
        reports += job->state == SERVE_RENDERS;
    }
    if (!serve->asking && !serve->source.folder && !serve->source.ended)
        ask(serve);
    for (struct serve_job *job = serve->jobs; job; job = job->next) {
        if (job->state == SERVE_QUEUES && reports < REPORTS_MOST) {
            render(serve, job);
            reports += job->state == SERVE_RENDERS;
        }
        if (job->state == SERVE_DONE && job->connection) {
            MHD_resume_connection(job->connection);
            job->connection = NULL;
            resumed = true;
        }
    }
    return resumed;
}

size_t serve_jobs_most(const struct serve *serve)
{
    (void)serve;
    return 1 + 2 * JOBS_MOST;
}

unsigned serve_jobs_descriptors(void)
{
    return HISTORY_MOST + JOBS_MOST * (RENDER_ANSWERS + JOB_FILES) + CHILD_FILES;
}

static void lower(uint64_t *milliseconds, uint64_t due)
{
    uint64_t now = task_now(), rest = due > now ? due - now : 0;
    if (rest < *milliseconds)
        *milliseconds = rest;
}

size_t serve_jobs_poll(const struct serve *serve, struct pollfd *list,
                       uint64_t *milliseconds)
{
    size_t count = 0;
    if (serve->asking) {
        list[count++] =
            (struct pollfd){.fd = serve->asker.task.process, .events = POLLIN};
        lower(milliseconds, serve->asker.task.late);
    } else if (task_now() < serve->lease && !serve->source.ended) {
        lower(milliseconds, serve->next_answer);
    }
    for (const struct serve_job *job = serve->jobs; job; job = job->next) {
        if (job->connection)
            list[count++] = (struct pollfd){.fd = job->socket, .events = POLLRDHUP};
        if (job->state == SERVE_WAITS) {
            lower(milliseconds, job->due);
            /* To see that the process has ended. */
            lower(milliseconds, task_now() + MS_OF_SECOND);
        }
        if (job->state == SERVE_RENDERS) {
            list[count++] = (struct pollfd){.fd = job->task.process, .events = POLLIN};
            lower(milliseconds, job->task.late);
        }
    }
    return count;
}

void serve_jobs_drop(struct serve *serve, const struct pollfd *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(list[i].revents & (POLLRDHUP | POLLHUP | POLLERR)))
            continue;
        for (struct serve_job *job = serve->jobs; job; job = job->next)
            if (job->connection && job->socket == list[i].fd) {
                task_end(&job->task);
                finish(job, 0, NULL);
            }
    }
}
