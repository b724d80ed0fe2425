/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ccprof-live push: sends profiles of a process, or the slices of a folder, to a server,
   once or continuously. */

#include "live/live.h"
#include "live/losses.h"
#include "live/message.h"
#include "live/options.h"
#include "live/push-inside.h"
#include "live/task.h"
#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/options/inputs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* How long to go on trying if there will be no more profiles. */
#define FLUSH_MS 60000

/* The same after a signal: systemd waits for 90 seconds. */
#define STOP_MS 10000

#define SPOOL_MB 64

static const char usage[] =
    "usage: ccprof-live push [option ...] URL {PID | NAME | FOLDER}\n\n"
    "  URL ends with /ingest (Pyroscope) or /v1development/profiles (OTLP)\n\n";

/* Returns the number of the first operand, or 0 if an option is wrong. LABELS has room
   for all labels. */
static int read_options(struct push *push, const char **labels, int argc, char **argv)
{
    unsigned megabytes = SPOOL_MB;
    const struct live_option options[] = {
        {"ca", "<file>", "trust the certificates in <file> instead of the system's",
         .text = &push->server.ca},
        {"every", "<n>", "push every <n> seconds, until the process or push ends",
         .number = &push->every, .most = 65535},
        {"help", .help = "print this list"},
        {"label", "<name=value>", "add a label; may be repeated", .text = labels,
         .count = &push->labels.count},
        {"program", "<path>", "the program, if it is not where it was started",
         .text = &push->program},
        {"seconds", "<n>", "measure for <n> seconds (the run so far)",
         .number = &push->seconds, .most = 65535},
        {"service", "<name>", "the name of the service (the program's name)",
         .text = &push->labels.service},
        {"spool", "<folder>",
         "keep profiles there until they are sent, also for the next run",
         .text = &push->spool_path},
        {"spool-size", "<n>", "keep at most <n> MB (64)", .number = &megabytes,
         .most = 1 << 20},
        {"tenant", "<name>", "the tenant of Pyroscope", .text = &push->server.tenant},
        {"token-file", "<file>", "the token is the first line of <file>",
         .text = &push->server.token_file},
        {NULL}};
    int first = live_options_read(options, "push", usage, argc, argv);
    push->labels.list = labels;
    push->spool_most = (uint64_t)megabytes << 20;
    return first;
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

static bool open_all(struct push *push, struct fault *fault)
{
    push->signals = task_open_signals();
    return protocol_of_url(&push->protocol, push->server.url, fault) &&
           protocol_check(push->protocol, &push->labels, fault) &&
           (push->transfer = transfer_open(&push->server, fault)) &&
           (push->spool = spool_open(push->spool_path, protocol_word(push->protocol),
                                     push->spool_most, push->folder, fault)) &&
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
    struct push push = {.last.descriptor = -1};
    struct fault fault = {0};
    BUF_OWN const char **labels = buf_alloc((size_t)argc * sizeof *labels);
    /* Profiles name the functions of a program, so only this user may read the spool. */
    umask(077);
    int first = read_options(&push, labels, argc, argv);
    bool good = first && read_operands(&push, argc - first, argv + first);
    if (good && (good = open_all(&push, &fault)))
        run(&push);
    if (fault.kind)
        message_print("%s", fault.text);
    fault_clear(&fault);
    return finish(&push, good);
}
