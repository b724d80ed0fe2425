/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks a running process for its profile (-pid), waits for -seconds, and makes the
   answers the data file of the command line. */

#define _GNU_SOURCE
#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/terminal.h"
#include "mlprof/commands/commands.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* How long to wait for an answer. */
#define ANSWER_MS 10000

/* How often the progress line changes. */
#define TICK_MS 200

/* The width of the bar in the progress line. */
#define BAR 20

/* Asks for OPERATION. Returns false and sets FAULT if there is no answer. */
static bool ask(struct request *request, pid_t pid,
                enum ccprof_request_operation operation, struct request_answer *answer,
                struct fault *fault)
{
    progress_set("mlprof: PID %d: waiting for the answer", (int)pid);
    return request_ask(request, operation, 0, ANSWER_MS, answer, fault) ==
           REQUEST_ANSWERED;
}

/* Asks for OPERATION, whose answer is not needed. */
static bool ask_choice(struct request *request, enum ccprof_request_operation operation,
                       unsigned argument, struct fault *fault)
{
    struct request_answer answer;
    if (request_ask(request, operation, argument, ANSWER_MS, &answer, fault) !=
        REQUEST_ANSWERED)
        return false;
    close(answer.descriptor);
    return true;
}

/* Chooses the rate and the times of the samples, as -rate and -times say. */
static bool ask_choices(struct request *request, const struct options *options,
                        struct fault *fault)
{
    return (options->rate == 0 ||
            ask_choice(request, CCPROF_REQUEST_RATE, (unsigned)options->rate, fault)) &&
           (!options->times ||
            ask_choice(request, CCPROF_REQUEST_TIMES, CCPROF_TIMES_WIDTH_USUAL, fault));
}

/* Returns whether the data of ANSWER are of a kind with samples. */
static bool has_samples(const struct request_answer *answer)
{
    char text[256];
    ssize_t size = pread(answer->descriptor, text, sizeof text - 1, 0);
    text[size > 0 ? size : 0] = '\0';
    return strstr(text, "\nkind time") != NULL;
}

/* Asks the process to sample for SECONDS. If it takes no samples, asks for its report:
   counts and the heap are measured anyway. */
static bool ask_first(struct request *request, pid_t pid, unsigned seconds,
                      struct request_answer *answer, struct fault *fault)
{
    progress_set("mlprof: PID %d: waiting for the answer", (int)pid);
    enum request_outcome outcome =
        request_ask(request, CCPROF_REQUEST_SAMPLE, seconds, ANSWER_MS, answer, fault);
    if (outcome != REQUEST_NO_SAMPLES)
        return outcome == REQUEST_ANSWERED;
    struct fault why = *fault;
    *fault = (struct fault){0};
    bool good = ask(request, pid, CCPROF_REQUEST_REPORT, answer, fault);
    if (good && has_samples(answer))
        fault_warn(&why);
    fault_clear(&why);
    return good;
}

/* If the heap is NEEDED but ANSWER has none, has the process record it from now on. If
   this is not possible, closes ANSWER, returns false and sets FAULT. */
static bool add_heap(struct request *request, bool needed, struct request_answer *answer,
                     struct fault *fault)
{
    if (!needed ||
        request_add_heap(request, ANSWER_MS, answer, fault) == REQUEST_ANSWERED)
        return true;
    close(answer->descriptor);
    return false;
}

/* Blocks SIGINT. Returns a descriptor that reads it, or -1 if it is ignored. */
static int open_interrupts(sigset_t *signals)
{
    struct sigaction action;
    sigemptyset(signals);
    sigaddset(signals, SIGINT);
    if (sigaction(SIGINT, NULL, &action) != 0 || action.sa_handler == SIG_IGN ||
        sigprocmask(SIG_BLOCK, signals, NULL) != 0)
        return -1;
    return signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void close_interrupts(int interrupts, const sigset_t *signals)
{
    struct signalfd_siginfo info;
    if (interrupts < 0)
        return;
    while (read(interrupts, &info, sizeof info) > 0)
        continue;
    close(interrupts);
    sigprocmask(SIG_UNBLOCK, signals, NULL);
}

static void show_progress(pid_t pid, uint64_t passed, uint64_t all)
{
    static const char full[] = "####################";
    int bar = (int)(passed * BAR / all);
    progress_set("mlprof: PID %d: [%-*.*s] %u of %u s; Ctrl-C ends it", (int)pid, BAR,
                 bar, full, (unsigned)(passed / MS_OF_SECOND),
                 (unsigned)(all / MS_OF_SECOND));
}

/* Waits for SECONDS, or until Ctrl-C is typed. If the process ends, returns false and
   sets FAULT. */
static bool wait_for(const struct request *request, pid_t pid, unsigned seconds,
                     struct fault *fault)
{
    sigset_t signals;
    int interrupts = open_interrupts(&signals);
    const uint64_t start = clock_ms(), all = (uint64_t)seconds * MS_OF_SECOND;
    enum request_event event = REQUEST_TIME;
    uint64_t passed = 0;
    while (event == REQUEST_TIME && passed < all) {
        show_progress(pid, passed, all);
        event = request_wait(request,
                             (unsigned)(all - passed < TICK_MS ? all - passed : TICK_MS),
                             interrupts);
        passed = clock_ms() - start;
    }
    close_interrupts(interrupts, &signals);
    if (event != REQUEST_ENDED)
        return true;
    BUF_OWN char *name = buf_format("PID %d", (int)pid);
    return fault_set(fault, FAULT_FILE, name,
                     "the process has ended after %.1f of %u s: there is no report of "
                     "this time; the process may have written its own data file",
                     (double)passed / MS_OF_SECOND, seconds);
}

static void warn(const struct asked *asked, const char *what)
{
    struct fault warning = {0};
    fault_set(&warning, FAULT_FILE, asked->data.name, "%s", what);
    fault_warn(&warning);
}

/* Asks twice, with the time of -seconds in between. HEAP: the report is about the heap.
   What the process may refuse comes first, so that it then samples for nobody. */
static bool measure(struct asked *asked, struct request *request,
                    const struct options *options, bool heap, struct fault *fault)
{
    const pid_t pid = (pid_t)options->pid;
    const unsigned seconds = (unsigned)options->seconds;
    struct request_answer first, last = {.descriptor = -1};
    if ((heap && !ask_choice(request, CCPROF_REQUEST_HEAP, 0, fault)) ||
        !ask_choices(request, options, fault) ||
        !ask_first(request, pid, seconds, &first, fault))
        return false;
    bool good = wait_for(request, pid, seconds, fault) &&
                ask(request, pid, CCPROF_REQUEST_STOP, &last, fault);
    if (good && first.files != last.files)
        good = fault_set(fault, FAULT_MISMATCH, asked->data.name,
                         "has written a slice or a data set in this time, which contains "
                         "a part of it: ask again, or read its files");
    good = good && request_data_make(&asked->data, &last, &first, fault);
    asked->start = first.time;
    if (good && last.closed)
        warn(asked,
             "measuring was stopped before the end of this time, by the program or "
             "another request");
    close(first.descriptor);
    if (last.descriptor >= 0)
        close(last.descriptor);
    return good;
}

static bool ask_once(struct asked *asked, struct request *request, pid_t pid, bool heap,
                     struct fault *fault)
{
    struct request_answer answer;
    if (!ask(request, pid, CCPROF_REQUEST_REPORT, &answer, fault))
        return false;
    bool recorded = answer.heap;
    if (!add_heap(request, heap, &answer, fault))
        return false;
    bool good = request_data_make(&asked->data, &answer, NULL, fault);
    close(answer.descriptor);
    if (good && !recorded && heap && answer.heap)
        warn(asked, "records its heap from now on: ask again later; -seconds N shows "
                    "N seconds");
    else if (good && answer.closed && !heap)
        warn(asked, "measures nothing now, since measuring was not started or was "
                    "stopped; -seconds N measures for N seconds");
    return good;
}

/* Writes the data to the file of -record. */
static bool record(const struct asked *asked, const char *path, struct fault *fault)
{
    size_t size = (size_t)asked->data.size;
    char *text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, asked->data.file, 0);
    if (text == MAP_FAILED)
        return fault_set(fault, FAULT_FILE, path, "%s", strerror(errno));
    bool good = save_file(path, text, size, fault);
    munmap(text, size);
    return good;
}

bool asked_begin(struct asked *asked, struct options *options, struct fault *fault)
{
    const pid_t pid = (pid_t)options->pid;
    if (!pid)
        return true;
    asked->data.name = buf_format("PID %d", (int)pid);
    struct request *request = request_open(pid, fault);
    const bool heap = options_facts(options) & VIEWS_HEAP;
    bool good =
        request && (options->seconds > 0 ? measure(asked, request, options, heap, fault)
                                         : ask_once(asked, request, pid, heap, fault));
    if (good) {
        asked->words[0] = options->operand_count ? buf_copy(options->operands[0])
                                                 : request_program(request);
        asked->words[1] = asked->data.path;
        options->start = asked->start;
        options->root = asked->root = request_root(request);
        options->operands = asked->words;
        options->operand_count = 2;
        good = !options->record || record(asked, options->record, fault);
    }
    request_close(request);
    return good;
}

void asked_end(struct asked *asked, struct fault *fault)
{
    request_data_end(&asked->data, fault);
    free(asked->words[0]);
    free(asked->root);
}
