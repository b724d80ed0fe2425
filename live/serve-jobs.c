/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The requests that take time: asking the process, waiting, making the report. */

#define _GNU_SOURCE
#include "live/serve-inside.h"
#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The most reports that are made at the same time. */
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

static void finish(struct serve_job *job, unsigned status, char *text)
{
    job->state = SERVE_DONE;
    job->asked = false;
    job->status = status;
    job->text = text;
}

bool serve_job_begin(struct serve *serve, struct serve_job *job,
                     struct MHD_Connection *connection, const struct route *route)
{
    size_t count = 0;
    uint64_t held = 0;
    for (const struct serve_job *other = serve->jobs; other; other = other->next) {
        count += other->state != SERVE_READS;
        for (size_t i = 0; i < other->count; i++)
            held += other->answers[i].size;
    }
    if (count >= SERVE_JOBS || held > serve->limits.memory)
        return false;
    job->connection = connection;
    job->route = *route;
    job->state = serve->source.folder ? SERVE_QUEUES : SERVE_ASKS;
    if (route->target == ROUTE_REPORT && !serve->source.folder)
        serve->lease = clock_ms() + LEASE_MS;
    MHD_suspend_connection(connection);
    return true;
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
    job->due = clock_ms() + (uint64_t)seconds * MS_OF_SECOND;
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
    if (job->state == SERVE_QUEUES && job->count == 1 && (page || route->seconds))
        wait_for(job, page ? FIRST_S : route->seconds);
}

/* Asks for the answers that are needed. */
static void ask(struct serve *serve)
{
    bool needed = serve->next_answer <= clock_ms() && clock_ms() < serve->lease;
    unsigned seconds = needed ? SAMPLE_S : 0;
    bool heap = false;
    for (struct serve_job *job = serve->jobs; job; job = job->next) {
        const struct route *route = &job->route;
        bool first = job->state == SERVE_ASKS && job->count == 0;
        unsigned wanted = !first                          ? 0
                          : route->target == ROUTE_REPORT ? SAMPLE_S
                                                          : route->seconds;
        job->asked = job->state == SERVE_ASKS;
        needed |= job->asked;
        heap |= job->asked && route->target == ROUTE_HEAP;
        seconds = wanted > seconds ? wanted : seconds;
    }
    if (!needed)
        return;
    serve->next_answer = clock_ms() + EVERY_MS;
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
           (source->lost && (again || request_has_ended(source->request)));
}

/* Takes the answer, if there is one. */
static void take_answer(struct serve *serve)
{
    enum request_outcome outcome;
    struct request_answer answer;
    struct fault fault = {0};
    if (!asker_check(&serve->asker, &outcome, &answer, &fault))
        return;
    bool good = outcome == REQUEST_ANSWERED, keep = clock_ms() < serve->lease;
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
        char *why = fault_last_message(job->task.errors);
        finish(job, why ? MHD_HTTP_NOT_FOUND : MHD_HTTP_INTERNAL_SERVER_ERROR,
               why ? why : buf_copy("the report could not be made"));
    }
}

bool serve_jobs_step(struct serve *serve)
{
    bool resumed = false;
    size_t reports = 0;
    if (serve->asking)
        take_answer(serve);
    for (struct serve_job *job = serve->jobs; job; job = job->next) {
        if (job->state == SERVE_WAITS &&
            (job->due <= clock_ms() || request_has_ended(serve->source.request)))
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

static void lower(uint64_t *milliseconds, uint64_t due)
{
    uint64_t now = clock_ms(), rest = due > now ? due - now : 0;
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
    } else if (clock_ms() < serve->lease && !serve->source.ended) {
        lower(milliseconds, serve->next_answer);
    }
    for (const struct serve_job *job = serve->jobs; job; job = job->next) {
        if (job->late <= clock_ms())
            shutdown(job->socket, SHUT_RDWR);
        else
            lower(milliseconds, job->late);
        if (job->connection)
            list[count++] = (struct pollfd){.fd = job->socket, .events = POLLRDHUP};
        if (job->state == SERVE_WAITS) {
            lower(milliseconds, job->due);
            /* To see that the process has ended. */
            lower(milliseconds, clock_ms() + MS_OF_SECOND);
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
