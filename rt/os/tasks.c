/* SPDX-License-Identifier: MIT */
/* Reads /proc/self/task.  Called where the run starts, and by the SIGPROF handler.  */

#define _GNU_SOURCE
#include "rt/os/tasks.h"
#include "rt/os/sys.h"

/* The handler's stack may be small.  A call sees about 32 threads for each of
   these.  */
#define TASKS_BUFFER 1024
#define TASKS_CALLS  8

/* A variable of glibc's, since 2.32.  */
extern char __libc_single_threaded __attribute__((weak));

/* As getdents64(2) says.  */
struct tasks_entry {
    uint64_t inode;
    int64_t next; /* where the walk goes on after this one */
    uint16_t size;
    uint8_t type;
    char name[];
};

/* 0 if it is no number.  */
static pid_t tasks_number(const char *text)
{
    pid_t number = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        number = number * 10 + (*text - '0');
    return *text ? 0 : number;
}

/* Returns false at the end.  */
static bool tasks_some(int folder, struct ccprof_tasks *tasks, void (*visit)(pid_t))
{
    _Alignas(struct tasks_entry) char buffer[TASKS_BUFFER];
    long got = syscall(SYS_getdents64, folder, buffer, sizeof buffer);

    for (long at = 0; at < got;) {
        const struct tasks_entry *entry = (const void *)(buffer + at);
        pid_t tid = tasks_number(entry->name);
        if (tid != 0)
            visit(tid);
        tasks->at = entry->next;
        at += entry->size;
    }
    return got > 0;
}

void ccprof_tasks_walk(struct ccprof_tasks *tasks, void (*visit)(pid_t tid))
{
    int folder = ccprof_sys_open(AT_FDCWD, "/proc/self/task",
                                 O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (folder < 0)
        return;
    if (tasks->at != 0)
        syscall(SYS_lseek, folder, tasks->at, SEEK_SET);
    for (int i = 0; i < TASKS_CALLS; i++) {
        if (!tasks_some(folder, tasks, visit)) {
            tasks->at = 0;
            break;
        }
    }
    ccprof_sys_close(folder);
}

bool ccprof_tasks_has_ended(pid_t tid)
{
    int saved = errno;
    bool ended = syscall(SYS_tgkill, ccprof_sys_getpid(), tid, 0) != 0 && errno == ESRCH;

    errno = saved;
    return ended;
}

bool ccprof_tasks_alone(void)
{
    return &__libc_single_threaded && __libc_single_threaded;
}
