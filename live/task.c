/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes that do one thing, with limits. */

#define _GNU_SOURCE
#include "live/task.h"
#include "mlprof/base/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
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

/* Sets *SIGNALS to the signals that ask a program to end. */
static void set_signals(sigset_t *signals)
{
    struct sigaction hangup;
    sigemptyset(signals);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGTERM);
    /* A signal that is blocked could be read although nohup ignores it. */
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        sigaddset(signals, SIGHUP);
}

int task_open_signals(void)
{
    sigset_t signals;
    set_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

_Noreturn static void run_child(const struct task *task, const struct task_limits *limits,
                                pid_t parent, bool (*run)(void *data), void *data)
{
    /* Ctrl-C and systemd send these signals to all processes. The parent decides when the
       child ends, and ends it by SIGKILL. */
    sigset_t blocked;
    set_signals(&blocked);
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
