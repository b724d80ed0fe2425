/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ccprof-live serve: serves the profile of a process, or of the slices in a folder, over
   HTTP. */

#include "live/live.h"
#include "live/message.h"
#include "live/options.h"
#include "live/serve-inside.h"
#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/options/inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define ADDRESS "127.0.0.1:0"

#define CONNECTIONS 64
#define SECONDS     300
#define MEMORY_MB   1024

static const char usage[] =
    "usage: ccprof-live serve [option ...] [unix:PATH | HOST:PORT] [PROGRAM] "
    "{PID | NAME | FOLDER}\n\n";

struct words {
    const char *address, *program, *source, *token_file;
    bool remote;
};

/* Returns the number of the first operand, or 0 if an option is wrong. */
static int read_options(struct words *words, struct serve_limits *limits, int argc,
                        char **argv)
{
    unsigned memory = MEMORY_MB;
    *limits = (struct serve_limits){.connections = CONNECTIONS, .seconds = SECONDS};
    const struct live_option options[] = {
        {"allow-remote", .set = &words->remote,
         .help = "permit an address that is not loopback"},
        {"connections", "<n>", "serve at most <n> connections at the same time (64)",
         .number = &limits->connections, .most = 1000},
        {"help", .help = "print this list"},
        {"memory", "<n>", "a report may take <n> MB of memory (1024)", .number = &memory,
         .most = 1 << 20},
        {"seconds", "<n>", "a request may measure for <n> seconds (300)",
         .number = &limits->seconds, .most = 65535},
        {"token-file", "<file>", "the token is the first line of <file>",
         .text = &words->token_file},
        {NULL}};
    int first = live_options_read(options, "serve", usage, argc, argv);
    limits->memory = (uint64_t)memory << 20;
    return first;
}

/* Reads the operands: the last one is the source. */
static bool read_operands(struct words *words, int count, char **operands)
{
    words->address = ADDRESS;
    if (count > 1 && listener_is_address(operands[0])) {
        words->address = *operands++;
        count--;
    }
    if (count == 2)
        words->program = operands[0];
    if (count == 1 || count == 2) {
        words->source = operands[count - 1];
        return true;
    }
    message_print(
        count ? "serve: too many operands; -help lists them"
              : "serve: which process, or which folder? -help lists the operands");
    return false;
}

static bool open_folder(struct serve_source *source, const struct words *words,
                        struct fault *fault)
{
    source->folder = realpath(words->source, NULL);
    if (!source->folder)
        return fault_set(fault, FAULT_FILE, words->source, "%s", strerror(errno));
    source->name = source->folder;
    source->shown = buf_copy(source->folder);
    return true;
}

static bool open_process(struct serve_source *source, const char *word,
                         struct fault *fault)
{
    source->request = request_open_word(word, fault);
    if (!source->request)
        return false;
    source->name = request_title(source->request);
    BUF_OWN char *program = source->program ? buf_copy(path_last(source->program))
                                            : request_program_name(source->request);
    if (!source->program)
        source->program = request_program(source->request);
    source->root = request_root(source->request);
    source->shown = buf_format("%s, %s", program, source->name);
    return true;
}

static bool open_source(struct serve_source *source, const struct words *words,
                        struct fault *fault)
{
    /* The path of a program may begin with a dash. */
    source->program = words->program ? realpath(words->program, NULL) : NULL;
    source->named = words->program != NULL;
    if (words->program && !source->program)
        return fault_set(fault, FAULT_FILE, words->program, "%s", strerror(errno));
    return inputs_is_folder(words->source) ? open_folder(source, words, fault)
                                           : open_process(source, words->source, fault);
}

/* Makes sure that no descriptor is lacking while all connections are used. */
static bool raise_limit(const struct serve *serve, struct fault *fault)
{
    rlim_t needed = serve->limits.connections + SERVE_DESCRIPTORS;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed)
        return true;
    if (limit.rlim_max < needed)
        return fault_set(fault, FAULT_FILE, "option -connections",
                         "%u connections need %llu descriptors, but the limit is %llu "
                         "(ulimit -Hn)",
                         serve->limits.connections, (unsigned long long)needed,
                         (unsigned long long)limit.rlim_max);
    limit.rlim_cur = needed;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0 ||
           fault_set(fault, FAULT_FILE, "option -connections", "%s", strerror(errno));
}

/* Serves until a signal comes. */
static void run(struct serve *serve, int signals)
{
    int epoll = MHD_get_daemon_info(serve->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    BUF_OWN struct pollfd *list = buf_alloc((2 + SERVE_POLLS) * sizeof *list);
    list[0] = (struct pollfd){.fd = signals, .events = POLLIN};
    list[1] = (struct pollfd){.fd = epoll, .events = POLLIN};
    while (!(list[0].revents & POLLIN)) {
        MHD_UNSIGNED_LONG_LONG idle;
        uint64_t milliseconds = 60 * MS_OF_SECOND;
        size_t count = serve_jobs_poll(serve, list + 2, &milliseconds);
        if (MHD_get_timeout(serve->daemon, &idle) == MHD_YES && idle < milliseconds)
            milliseconds = idle;
        if (poll(list, 2 + count, (int)milliseconds) < 0)
            continue;
        serve_jobs_drop(serve, list + 2, count);
        do
            MHD_run(serve->daemon);
        while (serve_jobs_step(serve));
    }
}

static bool start(struct serve *serve, const struct words *words, struct fault *fault)
{
    if (!raise_limit(serve, fault) || !open_source(&serve->source, words, fault) ||
        !listener_open(&serve->listener, words->address, words->remote, fault))
        return false;
    bool secret = !serve->listener.path || words->token_file;
    if (secret && !(serve->token = listener_token(words->token_file, fault)))
        return false;
    serve->cookie = buf_format("ccprof-live-%u", serve->listener.port);
    if (!serve_http_start(serve))
        return fault_set(fault, FAULT_FILE, words->address,
                         "libmicrohttpd does not start");
    bool made = secret && !words->token_file;
    printf("%s: %s/%s%s\n", serve->source.shown, serve->listener.url,
           made ? "?token=" : "", made ? serve->token : "");
    return fflush(stdout) == 0;
}

static void free_all(struct serve *serve)
{
    if (serve->daemon)
        serve_http_stop(serve);
    asker_free(&serve->asker);
    history_free(&serve->history);
    request_close(serve->source.request);
    free(serve->source.shown);
    free(serve->source.program);
    free(serve->source.folder);
    free(serve->source.root);
    free(serve->source.ended);
    free(serve->cookie);
    free(serve->token);
    listener_close(&serve->listener);
}

int serve_run(int argc, char **argv)
{
    struct serve serve = {.listener.socket = -1};
    struct words words = {0};
    struct fault fault = {0};
    int first = read_options(&words, &serve.limits, argc, argv);
    if (!first || !read_operands(&words, argc - first, argv + first))
        return EXIT_FAILURE;
    int signals = task_open_signals();
    bool good = signals >= 0 && start(&serve, &words, &fault);
    if (good)
        run(&serve, signals);
    free_all(&serve);
    int status = good         ? EXIT_SUCCESS
                 : fault.kind ? message_print("%s", fault.text)
                              : message_print("%s", strerror(errno));
    fault_clear(&fault);
    return status;
}
