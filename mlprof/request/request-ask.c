/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends requests to a process until there is an answer. The reasons why there is none are
   here. */

#include "mlprof/request/request-inside.h"
#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The time after the first request until it is repeated, which doubles each time, and
   its maximum. */
#define REPEAT_MS      20
#define REPEAT_MOST_MS 250

/* The time between two searches for the answer, which doubles each time, and its
   maximum. A search of a process with many descriptors takes long; the pause is at least
   so many times as long. */
#define SEARCH_MS      1
#define SEARCH_MOST_MS 20
#define SEARCH_TIMES   4

/* How long a process may be stopped. */
#define STOPPED_MS 1000

/* A program that has just been executed again does not handle the signal yet. How long to
   wait for its handler. */
#define HANDLER_MS 2000

/* An answer that is being written is awaited so many times as long. */
#define WRITING_TIMES 6

/* The state while a process is asked. */
struct asking {
    struct request *request;
    struct request_answer *answer;
    struct fault *fault;
    enum ccprof_request_operation operation;
    unsigned argument;
    unsigned milliseconds;
    uint64_t since; /* when it was asked first, on the clock of answers */
    /* Since when it has been stopped, and since when it has had no handler, on the
       monotonic clock; 0: is not, has one. */
    uint64_t stopped, unhandled;
    struct request_status status;
    enum request_outcome failed; /* the outcome if a function sets the fault */
    bool writing;                /* an answer is being written */
    bool wrong;                  /* something with the name of the answer is no answer */
    bool lacking;                /* no descriptor or memory was left to read an answer */
};

static uint64_t now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

static uint64_t encode(const struct asking *asking)
{
    uint64_t end =
        (asking->since + asking->milliseconds * NS_OF_MS) >> CCPROF_REQUEST_DEADLINE_UNIT;
    return (uint64_t)CCPROF_REQUEST_MARK << CCPROF_REQUEST_MARK_SHIFT |
           (uint64_t)CCPROF_REQUEST_VERSION << CCPROF_REQUEST_VERSION_SHIFT |
           (uint64_t)asking->operation << CCPROF_REQUEST_OPERATION_SHIFT |
           (uint64_t)(asking->argument & UINT16_MAX) << CCPROF_REQUEST_ARGUMENT_SHIFT |
           (end & ((UINT64_C(1) << CCPROF_REQUEST_DEADLINE_BITS) - 1));
}

static bool is_lack(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM;
}

/* Sets the fault for errno, with which FILE of the process could not be opened. If mlprof
   has too few descriptors, the process is not lost. Returns false. */
static bool unreadable(struct asking *asking, const char *file)
{
    const struct request *request = asking->request;
    if (!is_lack(errno))
        return request_unreadable(request, file, asking->fault);
    asking->failed = REQUEST_UNANSWERED;
    return fault_set(asking->fault, FAULT_FILE, request->name,
                     "no descriptor or no memory is left to read %s/%s: %s",
                     request->path, file, strerror(errno));
}

/* Sets the fault: the signal has no handler. Returns false. */
static bool unhandled(const struct asking *asking)
{
    return fault_set(asking->fault, FAULT_MISMATCH, asking->request->name,
                     "takes no requests any more: it has executed its program again, its "
                     "run has ended, or the program has replaced the handler of SIGURG");
}

/* Sends the request, unless the process would not understand it. Returns false if the
   process will not answer. */
static bool send_signal(struct asking *asking)
{
    const struct request *request = asking->request;
    siginfo_t info = {.si_signo = CCPROF_REQUEST_SIGNAL, .si_code = SI_QUEUE};
    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value.sival_ptr = (void *)(uintptr_t)encode(asking);
    if (!request_status_read(&asking->status, request->folder, "status"))
        return unreadable(asking, "status");
    if (!request_is_same(request, asking->fault))
        return false;
    if (asking->status.caught & REQUEST_BIT)
        asking->unhandled = 0;
    else if (!asking->unhandled)
        asking->unhandled = now_ns();
    if (asking->unhandled)
        return now_ns() - asking->unhandled < HANDLER_MS * NS_OF_MS || unhandled(asking);
    if (asking->status.state != 'T' && asking->status.state != 't')
        asking->stopped = 0;
    else if (!asking->stopped)
        asking->stopped = now_ns();
    if (syscall(SYS_pidfd_send_signal, request->process, CCPROF_REQUEST_SIGNAL, &info,
                0) == 0)
        return true;
    if (errno == ESRCH)
        return request_ended(request, asking->fault);
    return fault_set(asking->fault, FAULT_FILE, request->name,
                     "it cannot be sent a signal any more: %s", strerror(errno));
}

/* Returns whether NAME is that of an answer to the request. A clock that was set back
   leaves answers of later times, which are old. */
static bool is_answer(const struct asking *asking, const struct request_name *name)
{
    return name->version == CCPROF_REQUEST_VERSION &&
           name->operation == asking->operation && name->argument == asking->argument &&
           name->time >= asking->since && name->time <= clock_ns(CLOCK_REALTIME);
}

/* Returns whether the descriptor NUMBER is the complete answer. */
static enum request_check examine(struct asking *asking, int files, const char *number,
                                  char **reason)
{
    char text[256];
    struct request_name name;
    ssize_t length = readlinkat(files, number, text, sizeof text - 1);
    text[length > 0 ? length : 0] = '\0';
    if (!request_name_read(&name, text) || !is_answer(asking, &name))
        return REQUEST_CHECK_OTHER;
    errno = 0;
    enum request_check check =
        request_check(asking->request, files, number, text, asking->answer, reason);
    asking->lacking |= check == REQUEST_CHECK_OTHER && is_lack(errno);
    asking->answer->time = name.time;
    asking->writing |= check == REQUEST_CHECK_UNFINISHED;
    asking->wrong |= check == REQUEST_CHECK_OTHER;
    return check;
}

/* Searches the descriptors of the process for the answer. Returns REQUEST_CHECK_OTHER if
   there is none yet. If the descriptors cannot be read, sets the fault. */
static enum request_check search(struct asking *asking, char **reason)
{
    enum request_check check = REQUEST_CHECK_OTHER;
    int files = openat(asking->request->folder, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = files < 0 ? NULL : fdopendir(files);
    struct dirent *entry;
    asking->writing = false;
    if (!list) {
        unreadable(asking, "fd");
        if (files >= 0)
            close(files);
        return check;
    }
    while ((check == REQUEST_CHECK_OTHER || check == REQUEST_CHECK_UNFINISHED) &&
           (entry = readdir(list)))
        if (isdigit((unsigned char)entry->d_name[0]))
            check = examine(asking, files, entry->d_name, reason);
    closedir(list);
    return check;
}

/* Sets the fault: the process is stopped. */
static enum request_outcome stopped(const struct asking *asking)
{
    fault_set(asking->fault, FAULT_FILE, asking->request->name, "is stopped%s",
              asking->status.state == 't' ? " by a debugger, which traces it"
                                          : ": kill -CONT continues it");
    return REQUEST_UNANSWERED;
}

/* Returns the reason, freed by free, why there is no answer; "" if it is unknown. */
static char *find_reason(const struct asking *asking)
{
    const struct request *request = asking->request;
    const struct request_status *status = &asking->status;
    uint64_t descriptors = request_full_descriptors(request);
    if (asking->writing)
        return buf_copy("it has begun one, but has not completed it");
    if (asking->lacking)
        return buf_copy("no descriptor or no memory was left to read it");
    if (asking->wrong)
        return buf_copy("what it has given as one is not a profile of it");
    if (request_is_blocked(request))
        return buf_copy("all its threads block SIGURG");
    if (descriptors)
        return buf_format("an answer needs a descriptor, and all %" PRIu64
                          " that it may have are open (ulimit -n)",
                          descriptors);
    if (status->queued >= status->queued_most)
        return buf_format("a request needs a pending signal, and its user has all "
                          "%" PRIu64 " that it may have (ulimit -i)",
                          status->queued_most);
    return buf_copy(status->state == 'D' ? "it waits in the kernel (state D)" : "");
}

/* Sets the fault: there is no answer, for the reason that /proc shows. */
static enum request_outcome unanswered(const struct asking *asking)
{
    struct request *request = asking->request;
    char state = asking->status.state;
    if (asking->stopped && (state == 'T' || state == 't'))
        return stopped(asking);
    if (asking->unhandled) {
        unhandled(asking);
        return REQUEST_UNANSWERED;
    }
    BUF_OWN char *why = find_reason(asking);
    fault_set(asking->fault, FAULT_FILE, request->name, "no answer in %g s%s%s",
              asking->milliseconds * (asking->writing ? WRITING_TIMES : 1) / 1000.0,
              *why ? ": " : "", why);
    return REQUEST_UNANSWERED;
}

/* Checks that the process is still the one that was opened, so that the answer is its
   answer. Remembers when its measuring began. */
static bool is_same_run(const struct asking *asking)
{
    struct request *request = asking->request;
    if (request_has_ended(request))
        return request_ended(request, asking->fault);
    if (!request_is_same(request, asking->fault))
        return false;
    if (request->epoch && request->epoch != asking->answer->epoch)
        return fault_set(asking->fault, FAULT_MISMATCH, request->name,
                         "it has executed its program again: its measurements have begun "
                         "anew");
    request->epoch = asking->answer->epoch;
    return true;
}

/* Returns the outcome of CHECK, which ends the search. */
static enum request_outcome finish(struct asking *asking, enum request_check check,
                                   const char *reason)
{
    if (check == REQUEST_CHECK_REFUSED)
        return request_refused(asking->request, asking->argument, reason, asking->fault);
    if (check == REQUEST_CHECK_LARGE) {
        fault_set(asking->fault, FAULT_FILE, asking->request->name,
                  "its answer is larger than 1 GiB, and is not read");
        return REQUEST_UNANSWERED;
    }
    if (is_same_run(asking))
        return REQUEST_ANSWERED;
    close(asking->answer->descriptor);
    asking->answer->descriptor = -1;
    return REQUEST_LOST;
}

/* Opens the folder in /proc again if the thread to which it belongs has ended. Returns
   false if the folder cannot be read. */
static bool check_folder(struct asking *asking)
{
    struct request *request = asking->request;
    struct request_status status;
    if (request_status_read(&status, request->folder, "status")) {
        if (status.state != 'Z' && status.state != 'X')
            return true;
    } else if (is_lack(errno)) {
        return unreadable(asking, "status");
    }
    close(request->folder);
    bool open = request_folder_open(request);
    if (!open && is_lack(errno))
        return unreadable(asking, "status");
    return (open && !request_has_ended(request)) || request_ended(request, asking->fault);
}

enum request_outcome request_ask(struct request *request,
                                 enum ccprof_request_operation operation,
                                 unsigned argument, unsigned milliseconds,
                                 struct request_answer *answer, struct fault *fault)
{
    struct asking asking = {.request = request,
                            .answer = answer,
                            .fault = fault,
                            .operation = operation,
                            .argument = argument,
                            .milliseconds = milliseconds,
                            .failed = REQUEST_LOST,
                            .since = clock_ns(CLOCK_REALTIME)};
    const uint64_t start = now_ns(), end = start + milliseconds * NS_OF_MS;
    uint64_t next = start, repeat = REPEAT_MS * NS_OF_MS, pause = SEARCH_MS * NS_OF_MS;
    *answer = (struct request_answer){.descriptor = -1};
    if (!check_folder(&asking))
        return asking.failed;
    for (;;) {
        uint64_t now = now_ns();
        if (now >= next && now < end) {
            if (!send_signal(&asking))
                return asking.failed;
            next = now + repeat;
            repeat = repeat * 2 < REPEAT_MOST_MS * NS_OF_MS ? repeat * 2
                                                            : REPEAT_MOST_MS * NS_OF_MS;
        }
        BUF_OWN char *reason = NULL;
        uint64_t before = now_ns();
        enum request_check check = search(&asking, &reason);
        if (fault->kind)
            return asking.failed;
        if (check != REQUEST_CHECK_OTHER && check != REQUEST_CHECK_UNFINISHED)
            return finish(&asking, check, reason);
        now = now_ns();
        if (asking.stopped && now - asking.stopped >= STOPPED_MS * NS_OF_MS)
            return stopped(&asking);
        if (now - start >= (end - start) * (asking.writing ? WRITING_TIMES : 1))
            return unanswered(&asking);
        uint64_t rest = (now - before) * SEARCH_TIMES;
        if (request_wait(request, (unsigned)((pause > rest ? pause : rest) / NS_OF_MS),
                         -1) == REQUEST_ENDED) {
            request_ended(request, fault);
            return REQUEST_LOST;
        }
        pause =
            pause * 2 < SEARCH_MOST_MS * NS_OF_MS ? pause * 2 : SEARCH_MOST_MS * NS_OF_MS;
    }
}

enum request_outcome request_sample(struct request *request, unsigned seconds,
                                    unsigned milliseconds, struct request_answer *answer,
                                    struct fault *fault)
{
    if (seconds && !request->no_samples) {
        enum request_outcome outcome = request_ask(request, CCPROF_REQUEST_SAMPLE,
                                                   seconds, milliseconds, answer, fault);
        request->no_samples = outcome == REQUEST_NO_SAMPLES;
        if (!request->no_samples)
            return outcome;
        fault_clear(fault);
    }
    return request_ask(request, CCPROF_REQUEST_REPORT, 0, milliseconds, answer, fault);
}

enum request_outcome request_add_heap(struct request *request, unsigned milliseconds,
                                      struct request_answer *answer, struct fault *fault)
{
    struct request_answer with_heap;
    if (answer->heap)
        return REQUEST_ANSWERED;
    enum request_outcome outcome =
        request_ask(request, CCPROF_REQUEST_HEAP, 0, milliseconds, &with_heap, fault);
    if (outcome != REQUEST_ANSWERED)
        return outcome;
    close(answer->descriptor);
    *answer = with_heap;
    return outcome;
}
