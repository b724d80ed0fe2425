/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes that do one thing, with limits. */

#define _GNU_SOURCE
#include "live/task.h"
#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The priority of the background: a quarter of the time of a busy processor. */
#define NICE 5

/* AddressSanitizer reserves more address space than any limit. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED true
#else
#define SANITIZED false
#endif

static void set_limit(int resource, uint64_t most)
{
    const struct rlimit limit = {most, most};
    setrlimit(resource, &limit);
}

_Noreturn static void run_child(const struct task *task, const struct task_limits *limits,
                                pid_t parent, bool (*run)(void *data), void *data)
{
    /* Ctrl-C and systemd send these signals to all processes. The parent decides when the
       child ends, and ends it by SIGKILL. */
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGHUP);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    signal(SIGXFSZ, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || dup2(task->output, STDOUT_FILENO) < 0 ||
        dup2(task->errors, STDERR_FILENO) < 0)
        _exit(EXIT_FAILURE);
    if (limits->memory && !SANITIZED)
        set_limit(RLIMIT_AS, limits->memory);
    set_limit(RLIMIT_FSIZE, limits->output);
    set_limit(RLIMIT_CPU, limits->seconds);
    set_limit(RLIMIT_CORE, 0);
    if (limits->background)
        setpriority(PRIO_PROCESS, 0, NICE);
    bool good = run(data);
    good = fflush(NULL) == 0 && good;
    _exit(good ? EXIT_SUCCESS : EXIT_FAILURE);
}

bool task_start(struct task *task, const struct task_limits *limits,
                bool (*run)(void *data), void *data)
{
    const pid_t parent = getpid();
    *task = (struct task){.process = -1,
                          .output = memfd_create("ccprof-live", MFD_CLOEXEC),
                          .errors = memfd_create("ccprof-live", MFD_CLOEXEC),
                          .late = clock_ms() + 2 * MS_OF_SECOND * limits->seconds};
    fflush(NULL);
    if (task->output >= 0 && task->errors >= 0)
        task->pid = fork();
    if (task->pid == 0 && task->output >= 0 && task->errors >= 0)
        run_child(task, limits, parent, run, data);
    if (task->pid > 0)
        task->process = (int)syscall(SYS_pidfd_open, task->pid, 0);
    if (task->process >= 0)
        return true;
    int error = errno;
    task_end(task);
    errno = error;
    return false;
}

enum task_state task_check(struct task *task)
{
    int status = W_EXITCODE(EXIT_FAILURE, 0); /* if waitpid fails */
    pid_t ended = waitpid(task->pid, &status, WNOHANG);
    if (ended == 0 && clock_ms() < task->late)
        return TASK_RUNS;
    if (ended == 0) {
        kill(task->pid, SIGKILL);
        waitpid(task->pid, &status, 0);
    }
    task->pid = 0;
    return ended == 0 || (WIFSIGNALED(status) &&
                          (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
               ? TASK_LATE
           : WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS ? TASK_GOOD
                                                                      : TASK_FAILED;
}

char *task_message(const struct task *task)
{
    static const char prefix[] = "mlprof: ";
    char text[4096];
    off_t size = lseek(task->errors, 0, SEEK_END);
    off_t start = size < (off_t)sizeof text ? 0 : size - (off_t)sizeof text + 1;
    ssize_t length = pread(task->errors, text, sizeof text - 1, start);
    while (length > 0 && text[length - 1] == '\n')
        length--;
    if (length <= 0)
        return NULL;
    text[length] = '\0';
    const char *line = strrchr(text, '\n');
    line = line ? line + 1 : text;
    return buf_copy(text_begins(line, prefix) ? line + strlen(prefix) : line);
}

void task_end(struct task *task)
{
    if (task->pid > 0) {
        kill(task->pid, SIGKILL);
        waitpid(task->pid, NULL, 0);
    }
    if (task->process >= 0)
        close(task->process);
    if (task->output >= 0)
        close(task->output);
    if (task->errors >= 0)
        close(task->errors);
    *task = (struct task){.process = -1, .output = -1, .errors = -1};
}
