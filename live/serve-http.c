/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes requests from libmicrohttpd and responds. */

#include "live/serve-inside.h"
#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* A connection is cut after so much time without a byte, if its request is not complete
   after HEAD_S, and in any case after REST_S more than the longest time to measure. */
#define IDLE_S 20
#define HEAD_S 10
#define REST_S 300

/* The longest time of slices that a profile may have. Nothing is waited for. */
#define FOLDER_S 86400

/* The default of pprof's seconds (net/http/pprof). */
#define PROFILE_S 30

/* The memory for the head of a request. */
#define HEAD_MOST 16384

/* The value of Retry-After, in seconds. */
#define RETRY "5"

/* The page of mlprof is one file, with scripts of its own. It runs in an origin of its
   own: even if a name in a profile could inject a script, the script could read nothing
   from this server. The frame around it has no script. */
#define POLICY_REPORT                                                                    \
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "        \
    "img-src data: blob:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; " \
    "sandbox allow-scripts allow-downloads"
#define POLICY_PAGE                                                                      \
    "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; "                  \
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

static const struct {
    const char *type, *policy;
} bodies[] = {
    [ROUTE_PAGE] = {"text/html; charset=utf-8", POLICY_PAGE},
    [ROUTE_REPORT] = {"text/html; charset=utf-8", POLICY_REPORT},
    [ROUTE_INDEX] = {"text/html; charset=utf-8", POLICY_PAGE},
    [ROUTE_PROFILE] = {"application/octet-stream", NULL},
    [ROUTE_HEAP] = {"application/octet-stream", NULL},
    [ROUTE_CMDLINE] = {"text/plain; charset=utf-8", NULL},
};

/* Responds with RESPONSE, and frees it. Each connection has one request. */
static enum MHD_Result respond(struct MHD_Connection *connection, unsigned status,
                               struct MHD_Response *response, const char *type,
                               const char *policy)
{
    if (!response)
        return MHD_NO;
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    MHD_add_response_header(response, "Content-Security-Policy",
                            policy ? policy : "default-src 'none'");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    if (status == MHD_HTTP_UNAUTHORIZED)
        MHD_add_response_header(response, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    if (status == MHD_HTTP_SERVICE_UNAVAILABLE)
        MHD_add_response_header(response, MHD_HTTP_HEADER_RETRY_AFTER, RETRY);
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result respond_text(struct MHD_Connection *connection, unsigned status,
                                    const char *text)
{
    BUF_OWN char *line = buf_format("%s\n", text);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(strlen(line), line, MHD_RESPMEM_MUST_COPY);
    return respond(connection, status, response, "text/plain; charset=utf-8", NULL);
}

/* Sets the cookie with the token, and redirects to the same page without the token, so
   that the address that the browser shows and keeps has no token. */
static enum MHD_Result respond_cookie(struct MHD_Connection *connection,
                                      const struct serve *serve)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    BUF_OWN char *cookie =
        buf_format("%s=%s; Path=/; HttpOnly; SameSite=Lax", serve->cookie, serve->token);
    if (!response)
        return MHD_NO;
    MHD_add_response_header(response, MHD_HTTP_HEADER_SET_COOKIE, cookie);
    MHD_add_response_header(response, MHD_HTTP_HEADER_LOCATION, "/");
    return respond(connection, MHD_HTTP_SEE_OTHER, response, "text/plain", NULL);
}

/* Returns the words of the process, separated by NULs, as net/http/pprof does. */
static struct MHD_Response *make_cmdline(const struct serve *serve)
{
    const struct serve_source *source = &serve->source;
    size_t size = 0;
    struct fault fault = {0};
    if (source->folder) {
        const char *program = source->program ? source->program : source->folder;
        return MHD_create_response_from_buffer(strlen(program), (void *)program,
                                               MHD_RESPMEM_MUST_COPY);
    }
    BUF_OWN char *path =
        buf_format("/proc/%d/cmdline", (int)request_pid(source->request));
    BUF_OWN char *words = content_read(path, NULL, &size, &fault);
    fault_clear(&fault);
    /* If it has ended, its number may be that of another process. */
    bool ended = request_has_ended(source->request);
    return MHD_create_response_from_buffer(words && !ended ? size : 0, words,
                                           MHD_RESPMEM_MUST_COPY);
}

/* Responds to what takes no time. */
static enum MHD_Result respond_now(struct MHD_Connection *connection,
                                   const struct serve *serve, const struct route *route)
{
    struct MHD_Response *response;
    char *text = NULL;
    size_t size = 0;
    if (route->target == ROUTE_CMDLINE) {
        response = make_cmdline(serve);
    } else {
        FILE *out = buf_open(&text, &size);
        if (route->target == ROUTE_PAGE)
            serve_page_print(out, serve, route);
        else if (route->target == ROUTE_INDEX)
            serve_page_print_index(out, serve);
        buf_close(out);
        response = MHD_create_response_from_buffer(size, text, MHD_RESPMEM_MUST_FREE);
    }
    return respond(connection, MHD_HTTP_OK, response, bodies[route->target].type,
                   bodies[route->target].policy);
}

/* Responds with what the job has made. */
static enum MHD_Result respond_job(struct MHD_Connection *connection,
                                   struct serve_job *job)
{
    struct stat file;
    if (!job->status)
        return MHD_NO; /* the client is gone */
    if (job->status != MHD_HTTP_OK)
        return respond_text(connection, job->status, job->text);
    if (fstat(job->task.output, &file) != 0)
        return MHD_NO;
    struct MHD_Response *response =
        MHD_create_response_from_fd((size_t)file.st_size, job->task.output);
    job->task.output = -1;
    if (response && job->route.target != ROUTE_REPORT)
        MHD_add_response_header(response, "Content-Disposition",
                                "attachment; filename=\"profile.pb.gz\"");
    return respond(connection, MHD_HTTP_OK, response, bodies[job->route.target].type,
                   bodies[job->route.target].policy);
}

static void read_request(struct route_request *request, struct MHD_Connection *connection,
                         const char *cookie, const char *method, const char *path)
{
    *request = (struct route_request){0};
    request->fields[ROUTE_METHOD] = method;
    request->fields[ROUTE_PATH] = path;
    request->fields[ROUTE_HOST] =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    request->fields[ROUTE_AUTHORIZATION] = MHD_lookup_connection_value(
        connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_AUTHORIZATION);
    request->fields[ROUTE_COOKIE] =
        MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, cookie);
    for (size_t i = 0; i < ROUTE_FIELDS; i++)
        if (route_names[i])
            request->fields[i] = MHD_lookup_connection_value(
                connection, MHD_GET_ARGUMENT_KIND, route_names[i]);
}

/* Called with the head of a request, and again when its job is done. */
static enum MHD_Result handle(void *data, struct MHD_Connection *connection,
                              const char *path, const char *method, const char *version,
                              const char *upload, size_t *upload_size, void **own)
{
    struct serve *serve = data;
    struct route_request request;
    struct route route;
    const char *why;
    (void)version;
    (void)upload;
    (void)upload_size;
    (void)own;
    struct serve_job *job =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
            ->socket_context;
    if (serve->stops)
        return MHD_NO;
    if (job->state == SERVE_DONE)
        return respond_job(connection, job);
    job->late = clock_ms() + (uint64_t)(serve->limits.seconds + REST_S) * MS_OF_SECOND;
    const struct route_rules rules = {
        .token = serve->token,
        .loopback = serve->listener.loopback,
        .usual = serve->source.folder ? 0 : PROFILE_S,
        .seconds = serve->source.folder ? FOLDER_S : serve->limits.seconds};
    read_request(&request, connection, serve->cookie, method, path);
    unsigned status = route_find(&route, &request, &rules, &why);
    if (status != MHD_HTTP_OK)
        return respond_text(connection, status, why);
    if (route.target == ROUTE_PAGE && route.by_query)
        return respond_cookie(connection, serve);
    if (route.head || (route.target != ROUTE_REPORT && route.target != ROUTE_PROFILE &&
                       route.target != ROUTE_HEAP))
        return respond_now(connection, serve, &route);
    if (serve_job_begin(serve, job, connection, &route))
        return MHD_YES;
    return respond_text(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                        "too many requests at the same time");
}

/* Notes when connections are opened and closed. */
static void notice(void *data, struct MHD_Connection *connection, void **own,
                   enum MHD_ConnectionNotificationCode code)
{
    struct serve *serve = data;
    struct serve_job **link = &serve->jobs;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        serve_job_free(serve, *own);
        return;
    }
    while (*link)
        link = &(*link)->next;
    *own = *link = buf_alloc(sizeof **link);
    **link = (struct serve_job){
        .socket = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
                      ->connect_fd,
        .late = clock_ms() + HEAD_S * MS_OF_SECOND,
        .task = {.process = -1, .output = -1, .errors = -1}};
}

bool serve_http_start(struct serve *serve)
{
    serve->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, serve,
        MHD_OPTION_LISTEN_SOCKET, serve->listener.socket, MHD_OPTION_CONNECTION_LIMIT,
        serve->limits.connections, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD_MOST,
        MHD_OPTION_NOTIFY_CONNECTION, notice, serve, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_END);
    return serve->daemon != NULL;
}

void serve_http_stop(struct serve *serve)
{
    /* The daemon cannot stop while connections are suspended. MHD_run may call handle,
       which then suspends none. MHD_stop_daemon closes the connections of clients that
       have not read their responses. */
    serve->stops = true;
    for (struct serve_job *job = serve->jobs; job; job = job->next)
        if (job->connection) {
            MHD_resume_connection(job->connection);
            job->connection = NULL;
        }
    MHD_run(serve->daemon);
    MHD_stop_daemon(serve->daemon);
    /* The daemon has closed it. */
    serve->listener.socket = -1;
}
