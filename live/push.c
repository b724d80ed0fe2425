/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ccprof-live push: sends profiles of a process, or the slices of a folder, to a server,
   once or continuously. */

#define _GNU_SOURCE
#include "live/live.h"
#include "live/losses.h"
#include "live/message.h"
#include "live/push-inside.h"
#include "live/task.h"
#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/options/inputs.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

/* How long to go on trying if there will be no more profiles. */
#define FLUSH_MS 60000

/* The same after a signal: systemd waits for 90 seconds. */
#define STOP_MS 10000

#define SPOOL_MB 64

static const char help[] =
    "usage: ccprof-live push [option ...] URL {PID | NAME | FOLDER}\n\n"
    "  URL ends with /ingest (Pyroscope) or /v1development/profiles (OTLP)\n\n"
    "  -ca <file>           trust the certificates in <file> instead of the system's\n"
    "  -every <n>           push every <n> seconds, until the process or push ends\n"
    "  -help                print this list\n"
    "  -label <name=value>  add a label; may be repeated\n"
    "  -program <path>      the program, if it is not where it was started\n"
    "  -seconds <n>         measure for <n> seconds (the run so far)\n"
    "  -service <name>      the name of the service (the program's name)\n"
    "  -spool <folder>      keep profiles there until they are sent, also for the next "
    "run\n"
    "  -spool-size <n>      keep at most <n> MB (64)\n"
    "  -tenant <name>       the tenant of Pyroscope\n"
    "  -token-file <file>   the token is the first line of <file>\n";

enum {
    OPTION_CA,
    OPTION_EVERY,
    OPTION_HELP,
    OPTION_LABEL,
    OPTION_PROGRAM,
    OPTION_SECONDS,
    OPTION_SERVICE,
    OPTION_SPOOL,
    OPTION_SPOOL_SIZE,
    OPTION_TENANT,
    OPTION_TOKEN
};

static const struct option options[] = {
    {"ca", required_argument, NULL, OPTION_CA},
    {"every", required_argument, NULL, OPTION_EVERY},
    {"help", no_argument, NULL, OPTION_HELP},
    {"label", required_argument, NULL, OPTION_LABEL},
    {"program", required_argument, NULL, OPTION_PROGRAM},
    {"seconds", required_argument, NULL, OPTION_SECONDS},
    {"service", required_argument, NULL, OPTION_SERVICE},
    {"spool", required_argument, NULL, OPTION_SPOOL},
    {"spool-size", required_argument, NULL, OPTION_SPOOL_SIZE},
    {"tenant", required_argument, NULL, OPTION_TENANT},
    {"token-file", required_argument, NULL, OPTION_TOKEN},
    {NULL, 0, NULL, 0}};

/* Reads a whole number from 1 to MOST. */
static bool read_number(unsigned *number, const char *name, const char *text,
                        unsigned most)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    *number = (unsigned)value;
    if (isdigit((unsigned char)*text) && !*end && !errno && value >= 1 && value <= most)
        return true;
    message_print("%s is a whole number from 1 to %u, not: %s", name, most, text);
    return false;
}

/* LABELS has room for all of them. */
static bool read_option(struct push *push, const char **labels, int option)
{
    unsigned megabytes;
    switch (option) {
    case OPTION_CA:
        push->server.ca = optarg;
        return true;
    case OPTION_EVERY:
        return read_number(&push->every, "-every", optarg, 65535);
    case OPTION_LABEL:
        labels[push->labels.count++] = optarg;
        return true;
    case OPTION_PROGRAM:
        push->program = optarg;
        return true;
    case OPTION_SECONDS:
        return read_number(&push->seconds, "-seconds", optarg, 65535);
    case OPTION_SERVICE:
        push->labels.service = optarg;
        return true;
    case OPTION_SPOOL:
        push->spool_path = optarg;
        return true;
    case OPTION_SPOOL_SIZE:
        if (!read_number(&megabytes, "-spool-size", optarg, 1 << 20))
            return false;
        push->spool_most = (uint64_t)megabytes << 20;
        return true;
    case OPTION_TENANT:
        push->server.tenant = optarg;
        return true;
    case OPTION_TOKEN:
        push->server.token_file = optarg;
        return true;
    default:
        message_print("push: unknown option, or one without its argument: %s; "
                      "ccprof-live push -help lists them",
                      optarg ? optarg : "");
        return false;
    }
}

/* Reads the words after the options: the URL, and the process or the folder. */
static bool read_operands(struct push *push, int count, char **words)
{
    if (count != 2) {
        message_print("push: it needs a URL, and a process or a folder; ccprof-live push "
                      "-help shows how");
        return false;
    }
    push->server.url = words[0];
    push->source = words[1];
    push->folder = inputs_is_folder(words[1]) ? words[1] : NULL;
    if (push->seconds && (push->every || push->folder)) {
        message_print("-seconds is for one profile of a process, not for many profiles "
                      "(-every) or a folder");
        return false;
    }
    return true;
}

/* Lets signals that end the program be read, so that it can send what it has. */
static int open_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void lost(const struct spool_profile *profile, const char *why)
{
    losses_add(profile->start, profile->end, why);
}

static bool open_all(struct push *push, struct fault *fault)
{
    push->signals = open_signals();
    return protocol_of_url(&push->protocol, push->server.url, fault) &&
           protocol_check(push->protocol, &push->labels, fault) &&
           (push->transfer = transfer_open(&push->server, fault)) &&
           (push->spool = spool_open(push->spool_path, protocol_word(push->protocol),
                                     push->spool_most, push->folder, lost, fault)) &&
           (push->folder || push_process_open(push, push->source, fault));
}

/* Takes profiles, and sends them in between, until the process or the program ends. */
static void run(struct push *push)
{
    const unsigned between = (push->every ? push->every : push->seconds) * MS_OF_SECOND;
    uint64_t next = clock_ms() + (push->folder ? 0 : between);
    bool more = true;
    while (more) {
        uint64_t now = clock_ms();
        if (push->stopped || now >= next) {
            more = (push->folder ? push_folder : push_process)(push) && push->every &&
                   !push->stopped;
            next = clock_ms() < next + between ? next + between : clock_ms() + between;
            continue;
        }
        unsigned left = next - now < INT_MAX ? (unsigned)(next - now) : INT_MAX;
        unsigned wait = push_send(push);
        if (!push_wait(push, wait < left ? wait : left))
            next = 0; /* the process has ended */
    }
    push_flush(push, push->stopped ? STOP_MS : FLUSH_MS);
}

/* Reports what is left, and returns the exit status. */
static int finish(struct push *push, bool good)
{
    size_t left = push->spool && push->spool_path ? spool_count(push->spool) : 0;
    BUF_OWN char *number = text_number(push->sent, "profile");
    BUF_OWN char *waiting = text_number(left, "profile");
    bool kept = spool_close(push->spool, "it could not be sent before push ended");
    transfer_close(push->transfer);
    push_process_close(push);
    if (left)
        message_print("%s: %s for the next run", push->spool_path, waiting);
    if (good)
        printf("pushed: %s\n", number);
    return losses_finish() || left || push->failed || !kept || !good ? EXIT_FAILURE
                                                                     : EXIT_SUCCESS;
}

int push_run(int argc, char **argv)
{
    struct push push = {.spool_most = (uint64_t)SPOOL_MB << 20, .last.descriptor = -1};
    struct fault fault = {0};
    int option;
    const char **labels = buf_alloc((size_t)argc * sizeof *labels);
    push.labels.list = labels;
    opterr = 0;
    /* Profiles name the functions of a program, so only this user may read the spool. */
    umask(077);
    bool good = true;
    while (good && (option = getopt_long_only(argc, argv, "+", options, NULL)) != -1) {
        if (option == OPTION_HELP) {
            fputs(help, stdout);
            free(labels);
            return EXIT_SUCCESS;
        }
        good = read_option(&push, labels, option);
    }
    good = good && read_operands(&push, argc - optind, argv + optind);
    if (good && (good = open_all(&push, &fault)))
        run(&push);
    if (fault.kind)
        message_print("%s", fault.text);
    fault_clear(&fault);
    int status = finish(&push, good);
    free(labels);
    return status;
}
