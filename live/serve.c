/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ccprof-live serve: serves the profile of a process, or of the slices in a folder, over
   HTTP. */

#define _GNU_SOURCE
#include "live/live.h"
#include "live/message.h"
#include "live/serve-inside.h"
#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/options/inputs.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define ADDRESS "127.0.0.1:0"

#define CONNECTIONS 64
#define SECONDS     300
#define MEMORY_MB   1024

static const char help[] =
    "usage: ccprof-live serve [option ...] [unix:PATH | HOST:PORT] [PROGRAM] "
    "{PID | NAME | FOLDER}\n\n"
    "  -allow-remote        permit an address that is not loopback\n"
    "  -connections <n>     serve at most <n> connections at the same time (64)\n"
    "  -help                print this list\n"
    "  -memory <n>          a report may take <n> MB of memory (1024)\n"
    "  -seconds <n>         a request may measure for <n> seconds (300)\n"
    "  -token-file <file>   the token is the first line of <file>\n";

struct words {
    const char *address, *program, *source, *token_file;
    bool remote, help;
};

enum {
    OPTION_HELP,
    OPTION_REMOTE,
    OPTION_CONNECTIONS,
    OPTION_MEMORY,
    OPTION_SECONDS,
    OPTION_TOKEN
};

static const struct option options[] = {
    {"help", no_argument, NULL, OPTION_HELP},
    {"allow-remote", no_argument, NULL, OPTION_REMOTE},
    {"connections", required_argument, NULL, OPTION_CONNECTIONS},
    {"memory", required_argument, NULL, OPTION_MEMORY},
    {"seconds", required_argument, NULL, OPTION_SECONDS},
    {"token-file", required_argument, NULL, OPTION_TOKEN},
    {NULL, 0, NULL, 0}};

/* Reads a whole number from 1 to MOST. */
static bool read_number(unsigned *number, const char *name, unsigned most)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(optarg, &end, 10);
    *number = (unsigned)value;
    if (isdigit((unsigned char)*optarg) && !*end && !errno && value >= 1 && value <= most)
        return true;
    message_print("option -%s takes a whole number from 1 to %u, not: %s", name, most,
                  optarg);
    return false;
}

static bool read_options(struct words *words, struct serve_limits *limits, int argc,
                         char **argv)
{
    unsigned memory = MEMORY_MB;
    int option;
    bool good = true;
    opterr = 0;
    *limits = (struct serve_limits){.connections = CONNECTIONS, .seconds = SECONDS};
    while (good && (option = getopt_long_only(argc, argv, "+", options, NULL)) != -1)
        switch (option) {
        case OPTION_HELP:
            return words->help = true;
        case OPTION_REMOTE:
            words->remote = true;
            break;
        case OPTION_CONNECTIONS:
            good = read_number(&limits->connections, "connections", 1000);
            break;
        case OPTION_MEMORY:
            good = read_number(&memory, "memory", 1 << 20);
            break;
        case OPTION_SECONDS:
            good = read_number(&limits->seconds, "seconds", 65535);
            break;
        case OPTION_TOKEN:
            words->token_file = optarg;
            break;
        default:
            message_print("serve: unknown option, or one without its argument: %s",
                          argv[optind - 1]);
            good = false;
        }
    limits->memory = (uint64_t)memory << 20;
    return good;
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
    rlim_t needed = serve->limits.connections + serve_jobs_descriptors();
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
    struct pollfd *list = buf_alloc((2 + serve_jobs_most(serve)) * sizeof *list);
    list[0] = (struct pollfd){.fd = signals, .events = POLLIN};
    list[1] = (struct pollfd){.fd = epoll, .events = POLLIN};
    while (!(list[0].revents & POLLIN)) {
        MHD_UNSIGNED_LONG_LONG idle;
        uint64_t milliseconds = 60 * MS_OF_SECOND;
        size_t count = serve_jobs_poll(serve, list + 2, &milliseconds);
        serve_http_cut(serve, &milliseconds);
        if (MHD_get_timeout(serve->daemon, &idle) == MHD_YES && idle < milliseconds)
            milliseconds = idle;
        if (poll(list, 2 + count, (int)milliseconds) < 0)
            continue;
        serve_jobs_drop(serve, list + 2, count);
        do
            MHD_run(serve->daemon);
        while (serve_jobs_step(serve));
    }
    free(list);
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
    sigset_t set;
    if (!read_options(&words, &serve.limits, argc, argv))
        return EXIT_FAILURE;
    if (words.help) {
        fputs(help, stdout);
        return EXIT_SUCCESS;
    }
    if (!read_operands(&words, argc - optind, argv + optind))
        return EXIT_FAILURE;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    int signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    bool good = signals >= 0 && start(&serve, &words, &fault);
    if (good)
        run(&serve, signals);
    free_all(&serve);
    int status = good         ? EXIT_SUCCESS
                 : fault.kind ? message_fail("%s", fault.text)
                              : message_fail("%s", strerror(errno));
    fault_clear(&fault);
    return status;
}
