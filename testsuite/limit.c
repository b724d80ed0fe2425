// SPDX-License-Identifier: GPL-3.0-or-later
// limit CPU IDLE COMMAND...: runs a command for run.sh. Ends the command and all
// processes that it has started if together they have used CPU seconds of processor time,
// or if they have only waited for IDLE seconds.
//
// The load of the machine does not matter: a process that waits for a processor or a disk
// counts neither as using CPU time nor as idle. Waiting processes do not count as idle
// either if the command's standard output, a file, has grown, or if CPU time of a
// thirtieth of IDLE was used. A script that only polls uses less. The CPU time also shows
// the work of short processes, whose states are missed if they start or end during the
// scan.
//
// Exit status: the command's; 128 plus the signal that ended the command or this program;
// 124 for CPU, 125 for IDLE. At the end, all remaining processes that the command has
// started are killed, whatever their parents are: this program adopts orphans (prctl(2),
// PR_SET_CHILD_SUBREAPER).
//
// A scan of all processes costs a few milliseconds of the tests' time. So there are only
// sixty scans in IDLE seconds, and more only if the CPU time could be used up earlier.

#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_CPU = 124, EXIT_IDLE = 125, EXIT_SIGNAL = 128 };

#define PROGRESS (1.0 / 30) // seconds of CPU time per second of IDLE

// A process or a thread, from proc(5).
typedef struct Task {
    pid_t id, parent;
    char state;
    double cpu; // seconds, including children that it has waited for
    long threads;
    bool ours;
} Task;

// Reads the file STAT of /proc. Returns false if the task no longer exists.
static bool task_read(const char *stat, Task *task)
{
    char text[1024];
    FILE *file = fopen(stat, "r");
    if (file == NULL)
        return false;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    // The name may contain any character.
    const char *rest = strrchr(text, ')');
    unsigned long user, system;
    long children_user, children_system;
    if (rest == NULL ||
        sscanf(rest + 1,
               " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld %*d %*d %ld",
               &task->state, &task->parent, &user, &system, &children_user,
               &children_system, &task->threads) != 7)
        return false;
    task->cpu =
        (double)(user + system + (unsigned long)(children_user + children_system)) /
        (double)sysconf(_SC_CLK_TCK);
    task->ours = false;
    return true;
}

static Task *tasks;
static size_t task_count;

// Reads all processes into TASKS, and finds the descendants of this process.
static void tasks_read(void)
{
    static size_t room;
    DIR *proc = opendir("/proc");
    if (proc == NULL)
        err(1, "/proc");
    task_count = 0;
    for (struct dirent *entry; (entry = readdir(proc)) != NULL;) {
        char stat[sizeof entry->d_name + 16];
        pid_t id = atoi(entry->d_name);
        if (id <= 0)
            continue;
        if (task_count == room) {
            tasks = realloc(tasks, (room = 2 * room + 64) * sizeof *tasks);
            if (tasks == NULL)
                err(1, "no memory");
        }
        snprintf(stat, sizeof stat, "/proc/%s/stat", entry->d_name);
        if (task_read(stat, &tasks[task_count]))
            tasks[task_count++].id = id;
    }
    closedir(proc);
    pid_t self = getpid();
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < task_count; i++) {
            if (tasks[i].ours)
                continue;
            bool ours = tasks[i].parent == self;
            for (size_t j = 0; !ours && j < task_count; j++)
                ours = tasks[j].ours && tasks[j].id == tasks[i].parent;
            more = more || ours;
            tasks[i].ours = ours;
        }
    }
}

static bool wants_state(char state)
{
    return state == 'R' || state == 'D';
}

// Returns whether the process uses a processor or a disk, or waits for one. The state of
// the process is that of its first thread.
static bool wants(const Task *task)
{
    if (wants_state(task->state) || task->threads < 2)
        return wants_state(task->state);
    char path[512];
    snprintf(path, sizeof path, "/proc/%d/task", task->id);
    DIR *threads = opendir(path);
    bool any = false;
    for (struct dirent *entry;
         threads != NULL && !any && (entry = readdir(threads)) != NULL;) {
        Task thread;
        snprintf(path, sizeof path, "/proc/%d/task/%s/stat", task->id, entry->d_name);
        any = entry->d_name[0] != '.' && task_read(path, &thread) &&
              wants_state(thread.state);
    }
    if (threads != NULL)
        closedir(threads);
    return any;
}

// Returns the CPU time of all started processes that have ended.
static double cpu_of_ended(void)
{
    struct rusage ended;
    getrusage(RUSAGE_CHILDREN, &ended);
    return (double)(ended.ru_utime.tv_sec + ended.ru_stime.tv_sec) +
           (double)(ended.ru_utime.tv_usec + ended.ru_stime.tv_usec) / 1e6;
}

// The same including running processes. Sets *ANY_WANTS to whether one of them needs
// more.
static double cpu_used(bool *any_wants)
{
    double cpu = cpu_of_ended();
    tasks_read();
    *any_wants = false;
    for (size_t i = 0; i < task_count; i++)
        if (tasks[i].ours) {
            cpu += tasks[i].cpu;
            *any_wants = *any_wants || wants(&tasks[i]);
        }
    return cpu;
}

// Writes the total CPU time to the file named by LIMIT_CPU, for run.sh.
static void tell_cpu(void)
{
    const char *path = getenv("LIMIT_CPU");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file == NULL)
        return;
    fprintf(file, "%.1f\n", cpu_of_ended());
    fclose(file);
}

// Kills all started processes and those that they start meanwhile, and exits.
static _Noreturn void finish(int status)
{
    for (;;) {
        pid_t ended;
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
            continue;
        if (ended < 0 && errno == ECHILD) {
            tell_cpu();
            exit(status);
        }
        tasks_read();
        for (size_t i = 0; i < task_count; i++)
            if (tasks[i].ours)
                kill(tasks[i].id, SIGKILL);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
}

// Returns the number of seconds until the next scan, at least one.
static double span_until_look(double cpu_left, long most_idle)
{
    double soonest = cpu_left / (double)sysconf(_SC_NPROCESSORS_ONLN);
    double span = (double)most_idle / 60;
    if (soonest < span)
        span = soonest;
    return span > 1 ? span : 1;
}

// Exits if one of the two limits is reached. SPAN is the number of seconds since the last
// scan. Returns the number of seconds until the next scan.
static double judge(double span, double most_cpu, long most_idle)
{
    static double idle, cpu_then;
    static off_t size_then;
    bool any_wants;
    double cpu = cpu_used(&any_wants);
    // A child that ended during the scan may have been counted twice.
    if (cpu > most_cpu && cpu_used(&any_wants) > most_cpu)
        finish(EXIT_CPU);
    struct stat output;
    off_t size = fstat(STDOUT_FILENO, &output) == 0 ? output.st_size : 0;
    if (size != size_then || cpu - cpu_then >= (double)most_idle * PROGRESS) {
        size_then = size;
        cpu_then = cpu;
        idle = 0;
    } else if (!any_wants && (idle += span) >= (double)most_idle)
        finish(EXIT_IDLE);
    return span_until_look(most_cpu - cpu, most_idle);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char *arguments[])
{
    if (count < 4)
        errx(1, "usage: limit CPU IDLE COMMAND...");
    sigset_t waited, before;
    sigemptyset(&waited);
    sigaddset(&waited, SIGCHLD);
    sigaddset(&waited, SIGINT);
    sigaddset(&waited, SIGTERM);
    sigaddset(&waited, SIGHUP);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &waited, &before);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t command = fork();
    if (command < 0)
        err(1, "fork");
    if (command == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        execvp(arguments[3], arguments + 3);
        err(127, "%s", arguments[3]);
    }
    double span = 1, next = now() + span;
    for (;;) {
        double wait = next > now() ? next - now() : 0;
        time_t seconds = (time_t)wait;
        struct timespec time = {seconds, (long)((wait - (double)seconds) * 999999999.0)};
        int number = sigtimedwait(&waited, NULL, &time);
        if (number > 0 && number != SIGCHLD)
            finish(EXIT_SIGNAL + number);
        int status;
        for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
            if (ended == command)
                finish(WIFEXITED(status) ? WEXITSTATUS(status)
                                         : EXIT_SIGNAL + WTERMSIG(status));
        if (now() >= next) {
            span = judge(span, atof(arguments[1]), atol(arguments[2]));
            next = now() + span;
        }
    }
}
