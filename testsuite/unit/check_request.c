/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a */
/* links: -lelf -lz -lm */
/* Asks children that play the runtime, right and wrong. */

#define _GNU_SOURCE
#include "mlprof/request/request.h"
#include "testsuite/unit/responder.h"
#include "testsuite/unit/tests.h"

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define SECOND 1000

/* Some user who is not root. */
#define NOBODY 65534

static const struct responder usual = {.seals = RESPONDER_SEALS};

static void wait_forever(void)
{
    for (;;)
        pause();
}

/* Starts a child that runs PREPARE and then waits. Returns when it has called PREPARE. */
static pid_t start(void (*prepare)(void))
{
    int ready[2];
    char byte = 0;
    ck_assert_int_eq(pipe2(ready, O_CLOEXEC), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prepare();
        if (write(ready[1], &byte, 1) != 1)
            _exit(1);
        close(ready[1]);
        wait_forever();
    }
    close(ready[1]);
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return child;
}

static pid_t start_responder(const struct responder *how)
{
    responder = *how;
    return start(responder_begin);
}

static void end(pid_t child)
{
    kill(child, SIGKILL);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
}

/* Checks that FAULT is `PID CHILD: WANT', where WANT may end earlier. */
static void check_fault(struct fault *fault, pid_t child, const char *want)
{
    char text[512];
    snprintf(text, sizeof text, "PID %d: %s", (int)child, want);
    ck_assert_ptr_nonnull(fault->text);
    ck_assert_msg(strncmp(fault->text, text, strlen(text)) == 0, "%s\n%s", fault->text,
                  text);
    fault_clear(fault);
}

static struct request *must_open(pid_t child)
{
    struct fault fault = {0};
    struct request *request = request_open(child, &fault);
    ck_assert_msg(request != NULL, "%s", fault.text ? fault.text : "");
    return request;
}

static void not_opened(pid_t child, const char *want)
{
    struct fault fault = {0};
    ck_assert_ptr_null(request_open(child, &fault));
    check_fault(&fault, child, want);
}

static void must_answer(struct request *request, enum ccprof_request_operation operation,
                        unsigned argument)
{
    struct request_answer answer;
    struct fault fault = {0};
    enum request_outcome outcome =
        request_ask(request, operation, argument, 60 * SECOND, &answer, &fault);
    ck_assert_msg(outcome == REQUEST_ANSWERED, "%s", fault.text ? fault.text : "");
    close(answer.descriptor);
}

/* Asks REQUEST, and checks that there is no answer for the reason WANT. */
static void unanswered(struct request *request, pid_t child, unsigned milliseconds,
                       enum request_outcome outcome, const char *want)
{
    struct request_answer answer;
    struct fault fault = {0};
    ck_assert_int_eq(
        request_ask(request, CCPROF_REQUEST_REPORT, 0, milliseconds, &answer, &fault),
        outcome);
    ck_assert_int_eq(answer.descriptor, -1);
    check_fault(&fault, child, want);
}

TEST(answered)
{
    pid_t child = start_responder(&usual);
    struct request *request = must_open(child);
    struct request_answer answer;
    struct fault fault = {0};
    char text[256] = "";
    uint64_t before = responder_now();
    ck_assert_int_eq(
        request_ask(request, CCPROF_REQUEST_SAMPLE, 65535, 60 * SECOND, &answer, &fault),
        REQUEST_ANSWERED);
    ck_assert_uint_ge(answer.time, before);
    ck_assert_uint_le(answer.time, responder_now());
    ck_assert_uint_eq(answer.epoch, 1000);
    ck_assert_uint_eq(answer.files, 0);
    ck_assert_int_eq(pread(answer.descriptor, text, sizeof text, 0), (int)answer.size);
    ck_assert_int_eq(strncmp(text, "ccprof mlmon 14\n", 16), 0);
    ck_assert_int_eq(fcntl(answer.descriptor, F_GETFD), FD_CLOEXEC);
    ck_assert_int_eq(fcntl(answer.descriptor, F_GETFL) & O_ACCMODE, O_RDONLY);

    char own[4096];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length] = '\0';
    char *program = request_program(request);
    ck_assert_str_eq(program, own);
    free(program);
    ck_assert_ptr_null(request_root(request));

    /* The answer outlives the process. */
    end(child);
    ck_assert_int_eq(request_wait(request, 60 * SECOND, -1), REQUEST_ENDED);
    unanswered(request, child, SECOND, REQUEST_LOST, "the process has ended");
    request_close(request);
    ck_assert_int_eq(pread(answer.descriptor, text, sizeof text, 0), (int)answer.size);
    close(answer.descriptor);
}
END_TEST

#define SEALED(...)                                                                      \
    {                                                                                    \
        .seals = RESPONDER_SEALS, __VA_ARGS__                                            \
    }
#define SILENT REQUEST_UNANSWERED, "no answer in 0.3 s"
#define FOREIGN                                                                          \
    REQUEST_UNANSWERED,                                                                  \
        "no answer in 0.3 s: what it has given as one is not a profile of it"
#define UNFINISHED                                                                       \
    REQUEST_UNANSWERED, "no answer in 1.8 s: it has begun one, but has not completed it"

/* Answers that are not accepted, and the messages. */
static const struct {
    struct responder how;
    enum request_outcome outcome;
    const char *want;
} wrong[] = {
    {{.seals = 0}, UNFINISHED},
    {{.seals = RESPONDER_SEALS & ~F_SEAL_WRITE}, UNFINISHED},
    {SEALED(.name = "other:%d:%u:%u:%llu"), SILENT},
    {SEALED(.name = "ccprof:%d0:%u:%u:%llu"), SILENT},
    {SEALED(.name = "ccprof:%d:%u1:%u:%llu"), SILENT},
    {SEALED(.name = "ccprof:%d:%u:%u1:%llu"), SILENT},
    {SEALED(.name = "ccprof:%d:%u:%u:%llu "), SILENT},
    {SEALED(.later = -1000000000), SILENT},
    {SEALED(.later = 1000000000000), SILENT},
    {SEALED(.process = 1), FOREIGN},
    {SEALED(.text = "not a profile\n", .size = 14), FOREIGN},
    {SEALED(.text = "", .size = 0), FOREIGN},
    {SEALED(.text = "ccprof mlmon 14\n", .size = (1U << 30) + 1), REQUEST_UNANSWERED,
     "its answer is larger than 1 GiB, and is not read"},
    {SEALED(.text = "refused samples\n", .size = 16), REQUEST_NO_SAMPLES,
     "takes no samples: another profiler has SIGPROF"},
    {SEALED(.text = "refused heap\n", .size = 13), REQUEST_NO_HEAP,
     "its heap cannot be recorded: start the program with CCPROF=heap=later to ask for "
     "the heap, or with CCPROF=heap"},
    {SEALED(.text = "refused rate 100\n", .size = 17), REQUEST_NO_CHOICE,
     "it has already taken samples at 100 Hz, so its rate cannot change: start it again "
     "with CCPROF=rate="},
    {SEALED(.text = "refused times 0\n", .size = 16), REQUEST_NO_CHOICE,
     "it has already taken samples without times, which cannot change: start it again "
     "with CCPROF=times="},
    {SEALED(.text = "refused times 20\n", .size = 17), REQUEST_NO_CHOICE,
     "it has already taken samples with other times, which cannot change: start it"},
    {SEALED(.text = "refused rate 100 Hz\n", .size = 20), REQUEST_NOT_WRITTEN,
     "refused, with a reason that this mlprof does not know: rate 100 Hz"},
    {SEALED(.text = "refused ended\n", .size = 14), REQUEST_RUN_ENDED,
     "its run has ended: nothing is measured any more"},
    {SEALED(.text = "refused error 28\n", .size = 17), REQUEST_NOT_WRITTEN,
     "it could not write its answer: No space left on device"},
    {SEALED(.text = "refused later\n", .size = 14), REQUEST_NOT_WRITTEN,
     "refused, with a reason that this mlprof does not know: later"},
    {SEALED(.swallow = 1000), SILENT},
    {{.dies = true}, REQUEST_LOST, "the process has ended"},
    {{.executes = "/bin/sleep"}, REQUEST_LOST, "it executes another program now: /"},
};

TEST_ROWS(wrong_answer, wrong)
{
    pid_t child = start_responder(&wrong[_i].how);
    struct request *request = must_open(child);
    unanswered(request, child, 300, wrong[_i].outcome, wrong[_i].want);
    request_close(request);
    end(child);
}
END_TEST

TEST(answered_later)
{
    const struct responder hows[] = {{.seals = RESPONDER_SEALS, .swallow = 3},
                                     {.seals = RESPONDER_SEALS, .slow_ms = 400}};
    for (size_t i = 0; i < LENGTH(hows); i++) {
        pid_t child = start_responder(&hows[i]);
        struct request *request = must_open(child);
        struct request_answer answer;
        struct fault fault = {0};
        /* A slow answer is awaited if it was begun in time. */
        ck_assert_int_eq(request_ask(request, CCPROF_REQUEST_REPORT, 0,
                                     hows[i].slow_ms ? 300 : 60 * SECOND, &answer,
                                     &fault),
                         REQUEST_ANSWERED);
        close(answer.descriptor);
        request_close(request);
        end(child);
    }
}
END_TEST

TEST(samples_or_not)
{
    /* It refuses to sample, and is not asked to again. */
    const struct responder how = {.seals = RESPONDER_SEALS,
                                  .text = "refused samples\n",
                                  .size = 16,
                                  .refused = 1u << CCPROF_REQUEST_SAMPLE,

                                  .files = 1};
    for (int refuses = 0; refuses < 2; refuses++) {
        pid_t child = start_responder(refuses ? &how : &usual);
        struct request *request = must_open(child);
        for (unsigned i = 0; i < 3; i++) {
            struct request_answer answer;
            struct fault fault = {0};
            ck_assert_int_eq(
                request_sample(request, i < 2 ? 7 : 0, 60 * SECOND, &answer, &fault),
                REQUEST_ANSWERED);
            ck_assert_ptr_null(fault.text);
            /* The number of earlier answers, with refusals. */
            ck_assert_uint_eq(answer.files, refuses ? i + 1 : 0);
            close(answer.descriptor);
        }
        request_close(request);
        end(child);
    }
}
END_TEST

TEST(executes_again)
{
    const struct responder how = {.seals = RESPONDER_SEALS, .epochs = 1};
    pid_t child = start_responder(&how);
    struct request *request = must_open(child);
    must_answer(request, CCPROF_REQUEST_SAMPLE, 1);
    unanswered(request, child, 60 * SECOND, REQUEST_LOST,
               "it has executed its program again: its measurements have begun anew");
    request_close(request);
    end(child);
}
END_TEST

/* Has no handler for a time, as while a program is executed again. */
static int unhandled_pipe[2];

static void lose_handler(int number)
{
    (void)number;
    signal(CCPROF_REQUEST_SIGNAL, SIG_DFL);
    if (write(unhandled_pipe[1], "", 1) != 1)
        _exit(1);
    responder_sleep(200);
    responder_begin();
}

static void prepare_unhandled(void)
{
    signal(SIGUSR1, lose_handler);
    responder_begin();
}

TEST(unhandled_for_a_time)
{
    char byte;
    ck_assert_int_eq(pipe2(unhandled_pipe, O_CLOEXEC), 0);
    responder = usual;
    pid_t child = start(prepare_unhandled);
    struct request *request = must_open(child);
    kill(child, SIGUSR1);
    ck_assert_int_eq(read(unhandled_pipe[0], &byte, 1), 1);
    must_answer(request, CCPROF_REQUEST_REPORT, 0);
    request_close(request);
    end(child);
}
END_TEST

/* Permits COUNT more descriptors than those that are open. */
static void limit_descriptors(rlim_t count)
{
    struct rlimit limit;
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    int next = open("/", O_PATH | O_CLOEXEC);
    ck_assert_int_ge(next, 0);
    close(next);
    limit.rlim_cur = (rlim_t)next + count;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

TEST(no_descriptors)
{
    struct rlimit usual_limit;
    char want[128];
    pid_t child = start_responder(&usual);
    struct request *request = must_open(child);
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &usual_limit), 0);
    snprintf(want, sizeof want,
             "no descriptor or no memory is left to read /proc/%d/status: Too many open "
             "files",
             (int)child);
    limit_descriptors(0);
    unanswered(request, child, 100, REQUEST_UNANSWERED, want);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &usual_limit), 0);
    /* One for the list of the descriptors of the process. */
    limit_descriptors(1);
    unanswered(request, child, 100, REQUEST_UNANSWERED,
               "no answer in 0.1 s: no descriptor or no memory was left to read it");
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &usual_limit), 0);
    must_answer(request, CCPROF_REQUEST_REPORT, 0);
    request_close(request);
    end(child);
}
END_TEST

/* All descriptors that the process may have are open. */
static void fill_descriptors(int number)
{
    const struct rlimit limit = {40, 40};
    (void)number;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
        _exit(1);
    while (dup(unhandled_pipe[1]) >= 0)
        continue;
    if (write(unhandled_pipe[1], "", 1) != 1)
        _exit(1);
}

static void prepare_full(void)
{
    signal(SIGUSR1, fill_descriptors);
    responder_begin();
}

TEST(full)
{
    char byte;
    ck_assert_int_eq(pipe2(unhandled_pipe, O_CLOEXEC), 0);
    responder = (struct responder){.swallow = 1000000};
    pid_t child = start(prepare_full);
    struct request *request = must_open(child);
    unanswered(request, child, 100, REQUEST_UNANSWERED, "no answer in 0.1 s");
    kill(child, SIGUSR1);
    ck_assert_int_eq(read(unhandled_pipe[0], &byte, 1), 1);
    unanswered(request, child, 100, REQUEST_UNANSWERED,
               "no answer in 0.1 s: an answer needs a descriptor, and all 40 that it may "
               "have are open (ulimit -n)");
    request_close(request);
    end(child);
}
END_TEST

/* The signal comes without its number. */
static void lose_number(int number)
{
    (void)number;
}

static void prepare_no_pending(void)
{
    const struct rlimit limit = {0, 0};
    signal(CCPROF_REQUEST_SIGNAL, lose_number);
    setrlimit(RLIMIT_SIGPENDING, &limit);
}

TEST(no_pending)
{
    pid_t child = start(prepare_no_pending);
    struct request *request = must_open(child);
    unanswered(
        request, child, 100, REQUEST_UNANSWERED,
        "no answer in 0.1 s: a request needs a pending signal, and its user has all "
        "0 that it may have (ulimit -i)");
    request_close(request);
    end(child);
}
END_TEST

static void prepare_blocked(void)
{
    sigset_t all;
    sigfillset(&all);
    responder_begin();
    sigprocmask(SIG_BLOCK, &all, NULL);
}

TEST(blocked)
{
    pid_t child = start(prepare_blocked);
    struct request *request = must_open(child);
    unanswered(request, child, 100, REQUEST_UNANSWERED,
               "no answer in 0.1 s: all its threads block SIGURG");
    request_close(request);
    end(child);
}
END_TEST

TEST(stopped)
{
    pid_t child = start_responder(&usual);
    struct request *request = must_open(child);
    kill(child, SIGSTOP);
    ck_assert_int_eq(waitpid(child, NULL, WUNTRACED), child);
    unanswered(request, child, 60 * SECOND, REQUEST_UNANSWERED,
               "is stopped: kill -CONT continues it");
    /* A later request is answered. */
    kill(child, SIGCONT);
    must_answer(request, CCPROF_REQUEST_REPORT, 0);
    if (ptrace(PTRACE_SEIZE, child, 0, 0) == 0) {
        ptrace(PTRACE_INTERRUPT, child, 0, 0);
        waitpid(child, NULL, 0);
        unanswered(request, child, 60 * SECOND, REQUEST_UNANSWERED,
                   "is stopped by a debugger, which traces it");
    }
    request_close(request);
    end(child);
}
END_TEST

/* A child of the responder has inherited an answer, which is not its own. */
static int grandchild_pipe[2];

static void prepare_fork(void)
{
    responder_begin();
    responder_write(CCPROF_REQUEST_REPORT, 0);
    responder.swallow = 1000000;
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        wait_forever();
    }
    if (write(grandchild_pipe[1], &child, sizeof child) != sizeof child)
        _exit(1);
}

TEST(inherited)
{
    pid_t grandchild;
    ck_assert_int_eq(pipe2(grandchild_pipe, O_CLOEXEC), 0);
    responder = usual;
    pid_t child = start(prepare_fork);
    ck_assert_int_eq(read(grandchild_pipe[0], &grandchild, sizeof grandchild),
                     sizeof grandchild);
    struct request *request = must_open(grandchild);
    unanswered(request, grandchild, 100, REQUEST_UNANSWERED, "no answer in 0.1 s");
    request_close(request);
    end(child);
}
END_TEST

static void prepare_nothing(void)
{
}

/* Starts another program. Returns when it is executed, which closes the pipe. */
static pid_t start_other(void)
{
    int executed[2];
    char byte;
    ck_assert_int_eq(pipe2(executed, O_CLOEXEC), 0);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execl("/bin/sleep", "sleep", "1000", (char *)NULL);
    }
    close(executed[1]);
    ck_assert_int_eq(read(executed[0], &byte, 1), 0);
    close(executed[0]);
    return child;
}

TEST(without_requests)
{
    pid_t child = start(prepare_nothing);
    not_opened(child, "takes no requests: it does not handle SIGURG; either its run has "
                      "ended, or the program has replaced the handler");
    end(child);

    child = start_other();
    not_opened(child, "not compiled with ccprof");
    end(child);
}
END_TEST

TEST(no_process)
{
    pid_t child = start_responder(&usual);
    kill(child, SIGKILL);
    siginfo_t info;
    ck_assert_int_eq(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    not_opened(child, "the process has ended, and its parent has not waited for it yet");
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    not_opened(child, "there is no such process");
    not_opened(4194304, "there is no such process");
}
END_TEST

static void *sleep_long(void *data)
{
    *(volatile pid_t *)data = gettid();
    wait_forever();
    return NULL;
}

TEST(number_of_thread)
{
    volatile pid_t number = 0;
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, sleep_long, (void *)&number), 0);
    while (!number)
        sched_yield();
    not_opened(number, "the number of a thread: name its process");
}
END_TEST

/* The first thread ends, another one answers. */
static void *answer_always(void *data)
{
    char byte = 0;
    int *ready = data;
    while (true) {
        char text[64];
        snprintf(text, sizeof text, "/proc/%d/stat", (int)getpid());
        FILE *file = fopen(text, "r");
        char state = 0;
        if (file && fscanf(file, "%*d %*s %c", &state) == 1 && state == 'Z')
            break;
        fclose(file);
        responder_sleep(1);
    }
    if (write(*ready, &byte, 1) == 1)
        wait_forever();
    return NULL;
}

TEST(first_thread_ended)
{
    int ready[2];
    char byte;
    ck_assert_int_eq(pipe2(ready, O_CLOEXEC), 0);
    responder = usual;
    pid_t child = fork();
    if (child == 0) {
        pthread_t thread;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        responder_begin();
        pthread_create(&thread, NULL, answer_always, &ready[1]);
        pthread_exit(NULL);
    }
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    struct request *request = must_open(child);
    must_answer(request, CCPROF_REQUEST_REPORT, 0);
    request_close(request);
    end(child);
}
END_TEST

static void prepare_other_user(void)
{
    /* The kernel makes the process one that is not dumpable. */
    if (setresuid(NOBODY, NOBODY, NOBODY) != 0)
        _exit(1);
    responder_begin();
}

TEST(other_user)
{
    if (getuid() != 0)
        return;
    responder = usual;
    pid_t child = start(responder_begin);
    pid_t changed = start(prepare_other_user);
    /* Root may ask it. */
    struct request *request = must_open(changed);
    must_answer(request, CCPROF_REQUEST_REPORT, 0);
    request_close(request);
    ck_assert_int_eq(setresuid(NOBODY, NOBODY, NOBODY), 0);
    not_opened(child, "belongs to another user, of number 0: only that user and root may "
                      "ask it");
    not_opened(changed, "its files in /proc may not be read: its program is set-uid");
    kill(changed, SIGKILL);
}
END_TEST

TEST(thousand)
{
    int times = tests_in_full() ? 1000 : 200;
    pid_t child = start_responder(&usual);
    struct request *request = must_open(child);
    for (int i = 0; i < times; i++)
        must_answer(request, (enum ccprof_request_operation)(i % 3),
                    i % 3 == 1 ? (unsigned)i : 0);
    request_close(request);
    end(child);
}
END_TEST

TEST(fifty_at_once)
{
    pid_t child = start_responder(&usual), askers[50];
    for (size_t i = 0; i < LENGTH(askers); i++)
        if ((askers[i] = fork()) == 0) {
            struct request *request = must_open(child);
            must_answer(request, CCPROF_REQUEST_REPORT, 0);
            request_close(request);
            _exit(0);
        }
    for (size_t i = 0; i < LENGTH(askers); i++) {
        int status;
        ck_assert_int_eq(waitpid(askers[i], &status, 0), askers[i]);
        ck_assert_int_eq(status, 0);
    }
    end(child);
}
END_TEST
